//! The results as JSON: [`plimsoll_analysis::results::Results`], field by field. Its `format` is raised when a field
//! changes its meaning or goes away. Names end in their unit. A value that is not known is `null`.

use std::fmt::Write;

use plimsoll_analysis::Results;
use serde::Serialize;

use crate::Style;

/// The results, indented.
pub fn render(results: &Results, _: &Style) -> String {
    document(results)
}

/// A document, indented. Characters that a terminal would interpret are written as escapes: nothing is lost, and `cat`
/// is harmless.
pub fn document(value: &impl Serialize) -> String {
    let json = serde_json::to_string_pretty(value).expect("results hold nothing that JSON cannot");
    escaped(&(json + "\n"))
}

/// JSON in which characters that a terminal would interpret are escapes.
pub fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        // Line breaks are the document's own: those within strings are escapes already.
        if plimsoll_text::is_obeyed(c) && c != '\n' {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
                write!(out, "\\u{unit:04x}").expect("writing to memory does not fail");
            });
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped_and_nothing_is_lost() {
        let text = "a\u{1b}[2J\u{7f}\u{9b}31m\u{202e}\u{e0041}\n안녕";
        let json = document(&[text]);
        assert!(json.contains(r"a\u001b[2J\u007f\u009b31m\u202e\udb40\udc41\n안녕"), "{json}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&json).unwrap(), [text]);
    }
}
