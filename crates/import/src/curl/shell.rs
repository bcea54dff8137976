//! The words of a command as a POSIX shell reads them, and bash's `$'…'`.

use crate::error::{ImportError, Source};

/// One word, without its quotes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    pub bytes: Vec<u8>,
    /// The byte of the text at which it begins.
    pub at: usize,
}

/// A command, and where the text goes on with what is not part of it.
#[derive(Debug, PartialEq)]
pub(super) struct Command {
    pub words: Vec<Word>,
    /// First characters of a pipe, a redirection or a next command.
    pub rest_at: Option<usize>,
}

/// Splits at unquoted spaces. A text that only a running shell can expand, such as `$HOME`, is an error.
pub(super) fn split(source: Source<'_>) -> Result<Command, ImportError> {
    let mut lexer = Lexer { source, at: 0, word: None, words: Vec::new() };
    let rest_at = lexer.run()?;
    Ok(Command { words: lexer.words, rest_at })
}

struct Lexer<'a> {
    source: Source<'a>,
    at: usize,
    word: Option<Word>,
    words: Vec<Word>,
}

impl Lexer<'_> {
    fn run(&mut self) -> Result<Option<usize>, ImportError> {
        while let Some(byte) = self.peek(0) {
            match byte {
                b' ' | b'\t' | b'\r' => self.end_word(),
                b'\n' => {
                    self.end_word();
                    if let Some(rest_at) = self.end_of_line()? {
                        return Ok(Some(rest_at));
                    }
                }
                b'#' if self.word.is_none() => self.skip_comment(),
                b'\'' => self.single_quoted()?,
                b'"' => self.double_quoted()?,
                b'\\' => self.backslash(),
                b'$' => self.dollar()?,
                b'`' => return Err(self.expansion(self.at)),
                b'|' | b';' | b'>' | b'<' | b'&' | b'(' | b')' => return self.operator(byte).map(Some),
                _ => self.push(byte),
            }
            self.at += 1;
        }
        self.end_word();
        Ok(None)
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.source.text.as_bytes().get(self.at + ahead).copied()
    }

    fn push(&mut self, byte: u8) {
        self.word().bytes.push(byte);
    }

    fn word(&mut self) -> &mut Word {
        let at = self.at;
        self.word.get_or_insert_with(|| Word { bytes: Vec::new(), at })
    }

    fn end_word(&mut self) {
        self.words.extend(self.word.take());
    }

    fn skip_comment(&mut self) {
        while self.peek(1).is_some_and(|byte| byte != b'\n') {
            self.at += 1;
        }
    }

    /// A line that ends without a backslash ends the command, if it had begun.
    fn end_of_line(&self) -> Result<Option<usize>, ImportError> {
        let rest = &self.source.text[self.at..];
        let next = self.at + (rest.len() - rest.trim_start().len());
        if self.words.is_empty() || next == self.source.text.len() {
            return Ok(None);
        }
        if self.source.text[next..].starts_with('-') {
            return Err(self
                .source
                .error(next, "the line before ends the command; end it with `\\` if it goes on here"));
        }
        Ok(Some(next))
    }

    fn single_quoted(&mut self) -> Result<(), ImportError> {
        let start = self.at + 1;
        let Some(length) = self.source.text[start..].find('\'') else {
            return Err(self.unclosed(self.at, "'"));
        };
        let inside = self.source.text.as_bytes()[start..start + length].to_vec();
        self.word().bytes.extend(inside);
        self.at = start + length;
        Ok(())
    }

    fn double_quoted(&mut self) -> Result<(), ImportError> {
        let start = self.at;
        self.word();
        loop {
            self.at += 1;
            match self.peek(0) {
                None => return Err(self.unclosed(start, "\"")),
                Some(b'"') => return Ok(()),
                Some(b'\\') => match self.peek(1) {
                    Some(b'\n') => self.at += 1,
                    Some(escaped @ (b'$' | b'`' | b'"' | b'\\')) => {
                        self.at += 1;
                        self.push(escaped);
                    }
                    _ => self.push(b'\\'),
                },
                Some(b'`') => return Err(self.expansion(self.at)),
                Some(b'$') if self.is_expansion() => return Err(self.expansion(self.at)),
                Some(byte) => self.push(byte),
            }
        }
    }

    /// Reads a backslash. At the end of a line it joins lines, also before spaces, which pasting often leaves there.
    fn backslash(&mut self) {
        let after = &self.source.text[self.at + 1..];
        let spaces = after.len() - after.trim_start_matches([' ', '\t', '\r']).len();
        if after[spaces..].starts_with('\n') {
            self.at += spaces + 1;
        } else if let Some(escaped) = self.peek(1) {
            self.push(escaped);
            self.at += 1;
        }
    }

    fn dollar(&mut self) -> Result<(), ImportError> {
        match self.peek(1) {
            Some(b'\'') => {
                let at = self.at;
                let (bytes, end) =
                    super::ansi_c::unquote(&self.source.text[at + 2..]).ok_or_else(|| self.unclosed(at, "$'"))?;
                self.word().bytes.extend(bytes);
                self.at += 2 + end;
            }
            // A translated string: without a translation, the string.
            Some(b'"') => {}
            _ if self.is_expansion() => return Err(self.expansion(self.at)),
            _ => self.push(b'$'),
        }
        Ok(())
    }

    fn is_expansion(&self) -> bool {
        let starts = |byte: u8| byte.is_ascii_alphanumeric() || b"_{(@*#?!".contains(&byte);
        self.peek(1).is_some_and(starts)
    }

    fn expansion(&self, at: usize) -> ImportError {
        let rest = &self.source.text[at..];
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || "_${".contains(c);
        let name: String = rest.chars().take_while(|&c| is_of_name(c)).collect();
        let found = match rest.as_bytes().get(..2) {
            Some(b"$(") => "a command `$(…)`".to_owned(),
            Some([b'`', _]) => "a command in backticks".to_owned(),
            _ => format!("the variable `{name}{}`", if name.starts_with("${") { "}" } else { "" }),
        };
        let remedy = "write what it stands for, or `'…'` around it if it is meant as it is";
        self.source.error(at, format!("expected plain text, found {found}, which only a shell can replace: {remedy}"))
    }

    fn unclosed(&self, at: usize, quote: &str) -> ImportError {
        self.source.error(at, format!("this `{quote}` is not closed: add the closing quote at the end of its text"))
    }

    /// Ends the command. `2>` ends it before the 2.
    fn operator(&mut self, byte: u8) -> Result<usize, ImportError> {
        let next = self.peek(1);
        let at = self.at;
        if matches!(byte, b'<' | b'(' | b')') {
            let message = format!(
                "expected an option or a URL, found the shell's `{}`: quote it if it is part of one",
                char::from(byte)
            );
            return Err(self.source.error(at, message));
        }
        if byte == b'&' && next.is_some_and(|next| next != b'&' && next != b'>' && !next.is_ascii_whitespace()) {
            return Err(self.source.error(at, "an unquoted `&` ends a command in the shell: put the URL in quotes"));
        }
        let descriptor = self.word.take_if(|word| byte == b'>' && word.bytes.iter().all(u8::is_ascii_digit));
        self.end_word();
        Ok(descriptor.map_or(at, |word| word.at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let command = split(Source { name: "curl", text }).unwrap();
        command.words.into_iter().map(|word| String::from_utf8(word.bytes).unwrap()).collect()
    }

    #[test]
    fn quotes_and_escapes_are_the_shells() {
        assert_eq!(words(r#"a 'b c'd "e\"f\n$ " \$g '' #x"#), ["a", "b cd", "e\"f\\n$ ", "$g", ""]);
        assert_eq!(words("a \\\n  b \\  \n c\\\r\n d \"e\\\nf\""), ["a", "b", "c", "d", "ef"]);
        assert_eq!(words(r"$'a\'b\n\u00e9\x41\101\\' it\'s"), ["a'b\néAA\\", "it's"]);
        assert_eq!(words("# first\n\ncurl x\n"), ["curl", "x"]);
    }

    #[test]
    fn the_command_ends_where_the_shell_ends_it() {
        let end = |text: &'static str| {
            let command = split(Source { name: "curl", text }).unwrap();
            (command.words.len(), command.rest_at.map(|at| &text[at..]))
        };
        assert_eq!(end("curl x | jq ."), (2, Some("| jq .")));
        assert_eq!(end("curl x 2>/dev/null"), (2, Some("2>/dev/null")));
        assert_eq!(end("curl x &"), (2, Some("&")));
        assert_eq!(end("curl x\necho y"), (2, Some("echo y")));
        assert_eq!(end("curl x\n\n"), (2, None));
    }

    #[test]
    fn what_only_a_shell_knows_is_refused_at_its_place() {
        let refused = |text| split(Source { name: "curl", text }).unwrap_err().to_string();
        assert!(
            refused("curl \"a $TOKEN b\"").starts_with("curl:1:9: expected plain text, found the variable `$TOKEN`")
        );
        assert!(refused("curl ${TOKEN}").contains("`${TOKEN}`"));
        assert!(refused("curl $(cat x)").contains("a command"));
        assert!(refused("curl 'x").starts_with("curl:1:6: this `'` is not closed"));
        assert!(refused("curl http://h/?a=1&b=2").contains("put the URL in quotes"));
        assert!(refused("curl x\n  -H y").starts_with("curl:2:3:"));
    }
}
