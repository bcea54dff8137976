//! Text from elsewhere as it may be shown: nothing in it moves a cursor, colours a terminal, turns the direction of
//! reading, or hides. Everything that targets, files and foreign records say passes through here where it is written.

use std::borrow::Cow;

/// Stands in the place of a character that must not be shown.
const REPLACEMENT: char = char::REPLACEMENT_CHARACTER;

/// The text with `�` for each character that a terminal, a browser or an editor would obey instead of showing it. Line
/// breaks and tabs stay.
pub fn printable(text: &str) -> Cow<'_, str> {
    replaced(text, |c| (is_obeyed(c) && !matches!(c, '\n' | '\t')).then_some(REPLACEMENT))
}

/// The same on one line: breaks and tabs become spaces.
pub fn printable_line(text: &str) -> Cow<'_, str> {
    replaced(text, |c| match c {
        '\n' | '\r' | '\t' => Some(' '),
        _ => is_obeyed(c).then_some(REPLACEMENT),
    })
}

/// Whether a character is an instruction instead of a sign: controls (C0, DEL, C1), separators of lines and paragraphs,
/// marks, embeddings and isolates of the bidirectional algorithm, annotations, and tags, which no font shows.
pub const fn is_obeyed(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1f}'
        | '\u{7f}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
}

fn replaced(text: &str, by: impl Fn(char) -> Option<char>) -> Cow<'_, str> {
    match text.chars().any(|c| by(c).is_some()) {
        true => text.chars().map(|c| by(c).unwrap_or(c)).collect::<String>().into(),
        false => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_stays_as_it_is() {
        for text in ["", "안녕하세요 – 2,700/s ≥ 95 %", "naïve\u{301} 👩\u{200d}💻", "{\n\t\"a\": 1\n}"] {
            assert!(matches!(printable(text), Cow::Borrowed(same) if same == text), "{text}");
        }
        assert_eq!(printable_line("a\tb\r\nc"), "a b  c");
    }

    #[test]
    fn what_a_terminal_would_obey_is_shown_as_a_replacement() {
        let hostile = ['\0', '\u{7}', '\u{8}', '\r', '\u{1b}', '\u{7f}', '\u{80}', '\u{9b}', '\u{9f}', '\u{61c}']
            .into_iter()
            .chain(['\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}', '\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}'])
            .chain(['\u{fff9}', '\u{fffb}', '\u{e0000}', '\u{e007f}']);
        for c in hostile {
            assert_eq!(printable(&format!("a{c}b")), "a\u{fffd}b", "{c:?}");
            assert_eq!(printable_line(&format!("a{c}b")), if c == '\r' { "a b" } else { "a\u{fffd}b" }, "{c:?}");
        }
    }
}
