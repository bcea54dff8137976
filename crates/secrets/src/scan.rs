//! Where in a text secrets stand beside their names.

use std::ops::Range;

use crate::{
    MASK,
    name::{Promise, promise},
    value::{is_scheme, of_user_info, of_value},
};

/// A place of a text, and the secrets in it.
pub(crate) struct Cut {
    pub place: Range<usize>,
    pub secrets: Vec<String>,
}

/// `user:password` between `://` and `@`.
pub(crate) fn user_infos(text: &str) -> impl Iterator<Item = Cut> {
    text.match_indices("://").filter_map(|(at, sign)| {
        let start = at + sign.len();
        let rest = &text[start..];
        let is_end = |c: char| c.is_whitespace() || "/?#\"'<>`".contains(c);
        let info = rest[..rest.find(is_end).unwrap_or(rest.len())].rsplit_once('@')?.0;
        let secrets = if info == MASK || info.contains("{{") { Vec::new() } else { of_user_info(info) };
        (!secrets.is_empty()).then(|| Cut { place: start..start + info.len(), secrets })
    })
}

/// `?name=value` and `&name=value`.
pub(crate) fn parameters(text: &str) -> impl Iterator<Item = Cut> {
    let is_end = |c: char| c.is_whitespace() || "&#\"'<>`".contains(c);
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(sign) = text[at..].find(['?', '&']) {
            let name = &text[at + sign + 1..];
            let name = &name[..name.find(|c| "=?".contains(c) || is_end(c)).unwrap_or(name.len())];
            let start = at + sign + 1 + name.len() + 1;
            at += sign + 1;
            // Another character may end the name, and have several bytes.
            if promise(name) != Promise::None && text.as_bytes().get(start - 1) == Some(&b'=') {
                let value = &text[start..];
                let end = start + value.find(is_end).unwrap_or(value.len());
                // The quote that ends it may be one of a text within a text.
                let end = start + text[start..end].trim_end_matches('\\').len();
                let found = cut(name, text, start..end);
                at = found.as_ref().map_or(at, |found| found.place.end);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    })
}

/// `name: value`, `"name": "value"`, `name=value`, `<name>value<`, `name == value`, `name contains value`.
pub(crate) fn pairs(text: &str) -> impl Iterator<Item = Cut> {
    // A recording has a header's name and value under names of their own.
    let mut named = None;
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some((name, place)) = next_pair(text, &mut at) {
            let value = &text[place.clone()];
            let header = named.take().filter(|_| name == "value");
            if name == "name" {
                named = Some(value);
            }
            if let Some(found) = cut(header.unwrap_or(name), text, place) {
                at = at.max(found.place.end);
                return Some(found);
            }
        }
        None
    })
}

/// `--name value` of a command line.
pub(crate) fn options(text: &str) -> impl Iterator<Item = Cut> {
    let mut before = None;
    text.split_whitespace().filter_map(move |word| {
        let option = before.replace(word).filter(|before: &&str| before.starts_with('-') && !before.contains('='))?;
        // The quotes are those of a shell.
        let value = word.trim_matches(['"', '\'', ';']);
        let start = value.as_ptr().addr() - text.as_ptr().addr();
        if value.starts_with('-') { None } else { cut(option, text, start..start + value.len()) }
    })
}

fn cut(name: &str, text: &str, place: Range<usize>) -> Option<Cut> {
    let secrets = of_value(name, &text[place.clone()])?;
    Some(Cut { place, secrets })
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || "_-.$[]".contains(c)
}

/// The next name that a value follows, and where that is. `at` moves behind the name.
fn next_pair<'a>(text: &'a str, at: &mut usize) -> Option<(&'a str, Range<usize>)> {
    loop {
        let start = *at + text[*at..].find(is_of_name)?;
        let rest = &text[start..];
        let end = start + rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
        *at = end;
        let name = &text[start..end];
        let is_tag = text[..start].ends_with('<');
        if let Some((value, ends)) = value_start(text, end, is_tag) {
            let rest = &text[value..];
            let length = match ends {
                End::Quote(quote) => quoted(rest, quote),
                End::Tag => rest.find('<').unwrap_or(rest.len()),
                End::Word => word(name, rest),
            };
            return Some((name, value..value + length));
        }
    }
}

/// The end of a value.
enum End {
    Quote(char),
    Tag,
    Word,
}

/// Where the value begins that the name before `at` has, if it has one in the same line.
fn value_start(text: &str, at: usize, is_tag: bool) -> Option<(usize, End)> {
    let rest = &text[at..];
    if is_tag {
        return rest.starts_with('>').then_some((at + 1, End::Tag));
    }
    let after_quote = rest.trim_start_matches(['"', '\'', '\\']);
    let sign = after_quote.trim_start_matches([' ', '\t']);
    let relation = ["contains ", "matches ", "==", "!=", "=>", ":=", ":", "="];
    let after = relation.iter().find_map(|relation| sign.strip_prefix(relation))?;
    let value = after.trim_start_matches([' ', '\t']);
    let unescaped = value.trim_start_matches('\\');
    match unescaped.chars().next() {
        Some(quote @ ('"' | '\'')) => Some((text.len() - unescaped.len() + 1, End::Quote(quote))),
        _ => Some((text.len() - value.len(), End::Word)),
    }
}

/// Up to the quote that is not escaped.
fn quoted(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    let end = rest.find(|c| {
        let is_end = c == quote && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    });
    end.unwrap_or(rest.len())
}

/// Without quotes: a word, or for credentials and cookies what is left of the line. None where a list, a mapping or a
/// block begins.
fn word(name: &str, rest: &str) -> usize {
    if rest.starts_with(['[', '{', '|', '>']) {
        return 0;
    }
    let of_word = rest.find(|c: char| c.is_whitespace() || "&,;<>)}]\"'`".contains(c)).unwrap_or(rest.len());
    let is_cookie = name.to_ascii_lowercase().ends_with("cookie");
    if !is_cookie && !is_scheme(&rest[..of_word]) {
        return of_word;
    }
    let of_line = rest.find(['\n', '\r', '"', '\'', '`']).unwrap_or(rest.len());
    rest[..of_line].trim_end().len()
}
