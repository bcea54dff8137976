//! `{{name}}` in texts.

/// The names, in their order, without the spaces around them.
pub(crate) fn names(text: &str) -> impl Iterator<Item = String> {
    pieces(text).into_iter().filter_map(|piece| match piece {
        Piece::Text(_) => None,
        Piece::Name(name) => Some(name.to_owned()),
    })
}

/// The text with every `{{name}}` replaced that `value` knows.
pub(crate) fn replace(text: &str, mut value: impl FnMut(&str) -> Option<String>) -> String {
    let replaced = pieces(text).into_iter().map(|piece| match piece {
        Piece::Text(text) => text.to_owned(),
        Piece::Name(name) => value(name).unwrap_or_else(|| format!("{{{{{name}}}}}")),
    });
    replaced.collect()
}

enum Piece<'a> {
    Text(&'a str),
    Name(&'a str),
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find("{{") {
        // JSON has braces in a row too; a name does not hold one, nor more than one line.
        let inner = &rest[start + 2..];
        let end = inner.find(['{', '}', '\n', '\r']);
        let end = end.filter(|&end| inner[end..].starts_with("}}") && is_name(&inner[..end]));
        let Some(end) = end else {
            let after = start + 1;
            pieces.push(Piece::Text(&rest[..after]));
            rest = &rest[after..];
            continue;
        };
        pieces.push(Piece::Text(&rest[..start]));
        pieces.push(Piece::Name(inner[..end].trim()));
        rest = &inner[end + 2..];
    }
    pieces.push(Piece::Text(rest));
    pieces
}

fn is_name(text: &str) -> bool {
    !text.trim().is_empty() && !text.trim().starts_with(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_between_braces_that_are_none() {
        let found = |text| names(text).collect::<Vec<_>>();
        assert_eq!(found("a {{x}} {{ $random.integer(1, 5) }} b"), ["x", "$random.integer(1, 5)"]);
        assert_eq!(found(r#"{"a":{"b":{{n}}}}"#), ["n"]);
        assert_eq!(found(r#"{{"a":1}}{{}} {{ }} {{a"#), [""; 0]);
    }

    #[test]
    fn known_names_are_replaced_and_others_stay() {
        let value = |name: &str| (name == "x").then(|| "1".to_owned());
        assert_eq!(replace("{{{x}}} {{ y }}", value), "{1} {{y}}");
    }
}
