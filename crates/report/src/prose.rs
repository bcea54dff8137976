//! Markdown in descriptions of experiment files. Reports keep its structure, but no HTML, pictures or mentions.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, TextMergeStream};

use crate::markdown::{ends_in_www, escape};

/// The only extension of Markdown that is understood.
const KNOWN: Options = Options::ENABLE_TABLES;

/// The parts of a text in Markdown. HTML becomes text, pictures become their words, and links other than to web and
/// mail addresses lead nowhere.
fn parts(text: &str) -> impl Iterator<Item = Event<'_>> {
    let parts = Parser::new_ext(text, KNOWN).map(|event| match event {
        Event::Html(raw) | Event::InlineHtml(raw) => Event::Text(raw),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let safe = ["https://", "http://", "mailto:", "#"].iter().any(|scheme| dest_url.starts_with(scheme));
            let dest_url = if safe { dest_url } else { "#".into() };
            Event::Start(Tag::Link { link_type, dest_url, title, id })
        }
        Event::Start(Tag::Image { .. }) => Event::Start(Tag::Emphasis),
        Event::End(TagEnd::Image) => Event::End(TagEnd::Emphasis),
        other => other,
    });
    TextMergeStream::new(parts)
}

pub fn html(text: &str) -> String {
    let mut out = String::new();
    pulldown_cmark::html::push_html(&mut out, parts(text));
    out
}

/// Markdown without links, mentions and HTML, for pull requests, where it would speak in the name of the sender.
/// Addresses stand beside their words.
pub fn markdown(text: &str) -> String {
    let mut in_code = false;
    let mut addresses = Vec::new();
    let apart = parts(text).flat_map(|event| {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            _ => {}
        }
        match event {
            Event::Text(words) if !in_code => cut(&words),
            Event::Start(Tag::Link { dest_url, .. }) => {
                addresses.push(dest_url);
                Vec::new()
            }
            Event::End(TagEnd::Link) => addresses.pop().map(|url| cut(&format!(" ({url})"))).unwrap_or_default(),
            other => vec![other],
        }
    });
    let mut out = String::new();
    let options = pulldown_cmark_to_cmark::Options { list_token: '-', code_block_token_count: 3, ..Default::default() };
    match pulldown_cmark_to_cmark::cmark_with_options(apart, &mut out, KNOWN, options) {
        Ok(_) => out,
        // Parsed Markdown should never be refused.
        Err(_) => escape(text),
    }
}

/// Words with an HTML comment wherever a host of Markdown would find a mention or an address: hosts look for these
/// after they have removed escapes, but not across a comment.
fn cut(words: &str) -> Vec<Event<'static>> {
    let mut out = Vec::new();
    let mut from = 0;
    for (at, _) in words.char_indices() {
        let (before, after) = words.split_at(at);
        let names = before.ends_with(['@', '#']) && after.starts_with(char::is_alphanumeric);
        let locates = after.starts_with("://") || (after.starts_with('.') && ends_in_www(before));
        if names || locates {
            out.extend([text_of(&words[from..at]), Event::InlineHtml("<!-- -->".into())]);
            from = at;
        }
    }
    out.push(text_of(&words[from..]));
    out
}

fn text_of(words: &str) -> Event<'static> {
    Event::Text(words.to_owned().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "**bold** <script>x</script> [a](javascript:alert(1)) ![p](http://x/y.png) @me";

    #[test]
    fn html_has_neither_html_of_the_author_nor_scripts_nor_pictures() {
        let out = html(HOSTILE);
        assert!(out.contains("<strong>bold</strong>"), "{out}");
        assert!(out.contains("&lt;script&gt;"), "{out}");
        assert!(!out.contains("javascript:") && !out.contains("<img") && !out.contains("y.png"), "{out}");
    }

    #[test]
    fn markdown_neither_and_no_mentions_or_addresses() {
        assert_eq!(markdown("see www.b.c, http://d"), "see www<!-- -->.b.c, http<!-- -->://d");
        assert_eq!(markdown(HOSTILE), "**bold** \\<script>x\\</script> a (#) *p* @<!-- -->me");
    }

    #[test]
    fn markdown_keeps_paragraphs_lists_and_code() {
        let text = "Two servers, `a_b` and\nanother.\n\nMind:\n\n- **Linux drops.** It sends\n  again.\n- *One* thread\n\n\
                    ```sh\nls <x>\n```";
        assert_eq!(markdown(text), text);
    }
}
