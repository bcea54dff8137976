//! Errors in imported texts: the place, the fault, the remedy.

use std::fmt;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// 1-based.
    pub line: usize,
    /// In characters, 1-based.
    pub column: usize,
}

/// Why a text does not become requests. It prints as `source:line:column: message`, with the line below.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportError {
    /// The file as the user named it, or `curl`.
    pub source: String,
    /// Where; none if it is about the whole.
    pub place: Option<Place>,
    /// Expected and found texts, and the remedy.
    pub message: String,
    line: String,
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Place { line, column }) = self.place else { return write!(f, "{}: {}", self.source, self.message) };
        writeln!(f, "{}:{line}:{column}: {}", self.source, self.message)?;
        let (shown, caret) = excerpt(&self.line, column - 1);
        let number = line.to_string();
        writeln!(f, "  {number} | {shown}")?;
        write!(f, "  {:width$} | {:caret$}^", "", "", width = number.len())
    }
}

impl std::error::Error for ImportError {}

/// The part of the line that fits a terminal, and the caret's column in it.
fn excerpt(line: &str, column: usize) -> (String, usize) {
    const WIDTH: usize = 100;
    let from = if column < WIDTH { 0 } else { column - WIDTH / 2 };
    let shown: String = plimsoll_text::printable_line(line).chars().skip(from).take(WIDTH).collect();
    (shown.trim_end().to_owned(), column - from)
}

/// A text with its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    pub name: &'a str,
    pub text: &'a str,
}

impl Source<'_> {
    /// An error at this byte.
    pub fn error(&self, at: usize, message: impl Into<String>) -> ImportError {
        let before = &self.text[..self.text.floor_char_boundary(at)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = before[line_start..].chars().count() + 1;
        self.error_at(Place { line: before.matches('\n').count() + 1, column }, message)
    }

    /// An error at a place of YAML, where a lone CR ends a line, too.
    pub fn error_in_yaml(&self, place: Place, message: impl Into<String>) -> ImportError {
        let mut rest = self.text;
        for _ in 1..place.line {
            let Some(end) = rest.find(['\n', '\r']) else { break };
            let is_pair = rest[end..].starts_with("\r\n");
            rest = &rest[end + 1 + usize::from(is_pair)..];
        }
        let columns = rest.chars().take(place.column.saturating_sub(1));
        let at = self.text.len() - rest.len() + columns.map(char::len_utf8).sum::<usize>();
        self.error(at, message)
    }

    /// An error at this place.
    pub fn error_at(&self, place: Place, message: impl Into<String>) -> ImportError {
        let line = self.text.lines().nth(place.line.saturating_sub(1)).unwrap_or_default().to_owned();
        // Readers of JSON say line 0 or column 0 where there is nothing at all.
        let place = Place { line: place.line.max(1), column: place.column.max(1) };
        ImportError { source: self.name.to_owned(), place: Some(place), message: message.into(), line }
    }

    /// The message of serde_json about the text, after `expected`.
    pub fn json_error(&self, expected: &str, error: &serde_json::Error) -> ImportError {
        let words = error.to_string();
        let without_place = words.split(" at line ").next().unwrap_or_default();
        let place = Place { line: error.line(), column: error.column() };
        self.error_at(place, format!("{expected}: {without_place}"))
    }

    /// An error about the whole.
    pub fn whole(&self, message: impl Into<String>) -> ImportError {
        ImportError { source: self.name.to_owned(), place: None, message: message.into(), line: String::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_yaml_are_lines_of_the_file() {
        let source = Source { name: "a.yaml", text: "a: b\rc: d\r\ne: é é\n" };
        let at = |line, column| source.error_in_yaml(Place { line, column }, "x").place.unwrap();
        assert_eq!(at(2, 4), Place { line: 1, column: 9 });
        assert_eq!(at(3, 6), Place { line: 2, column: 6 });
        assert_eq!(at(9, 9).line, 3, "behind its end");
    }

    #[test]
    fn an_error_shows_its_line() {
        let source = Source { name: "a.http", text: "GET x\nHöst y\n" };
        let error = source.error(source.text.find(" y").unwrap(), "expected a colon");
        assert_eq!(error.to_string(), "a.http:2:5: expected a colon\n  2 | Höst y\n    |     ^");
        assert_eq!(source.whole("empty").to_string(), "a.http: empty");
    }

    #[test]
    fn long_lines_are_cut_around_the_caret() {
        let text = format!("{}!{}", "a".repeat(300), "b".repeat(300));
        let shown = Source { name: "x", text: &text }.error(300, "no").to_string();
        let lines: Vec<&str> = shown.lines().collect();
        assert!(lines[1].len() < 120 && lines[2].len() < 120, "{shown}");
        assert_eq!(lines[1].find('!'), lines[2].find('^'));
    }
}
