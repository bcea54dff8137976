//! The words of a command as Windows reads them: first `cmd.exe` with its `^`, then the program with its `\"`.

use super::shell::Word;
use crate::error::{ImportError, Source};

/// Whether the text is what browsers copy "as cURL (cmd)". There `'` quotes nothing, so only the text before the first
/// one is looked at: the rest may be a quoted text of a shell's command.
pub(super) fn is_cmd(text: &str) -> bool {
    let unquoted = text.split('\'').next().unwrap_or_default();
    unquoted.contains(" ^\"") || unquoted.lines().any(|line| line.trim_end().ends_with(" ^"))
}

/// Splits into words.
pub(super) fn split(source: Source<'_>) -> Result<Vec<Word>, ImportError> {
    let characters = without_carets(source.text);
    let (mut words, mut word) = (Vec::new(), None::<Word>);
    let (mut opened_at, mut index) = (None, 0);
    while let Some(&(at, character)) = characters.get(index) {
        let slashes = characters[index..].iter().take_while(|(_, c)| *c == '\\').count();
        let before_quote = characters.get(index + slashes).is_some_and(|(_, c)| *c == '"');
        if slashes == 0 && opened_at.is_none() && character.is_ascii_whitespace() {
            words.extend(word.take());
            index += 1;
            continue;
        }
        let bytes = &mut word.get_or_insert_with(|| Word { bytes: Vec::new(), at }).bytes;
        if slashes > 0 {
            // Before a quote two stand for one, and one more makes the quote a character.
            let kept = if before_quote { slashes / 2 } else { slashes };
            bytes.extend(std::iter::repeat_n(b'\\', kept));
            index += slashes;
            if before_quote && slashes % 2 == 1 {
                bytes.push(b'"');
                index += 1;
            }
        } else {
            match character {
                '"' => opened_at = if opened_at.is_some() { None } else { Some(at) },
                _ => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
            }
            index += 1;
        }
    }
    words.extend(word);
    match opened_at {
        Some(at) => Err(source.error(at, "this `\"` is not closed: add the closing quote at the end of its text")),
        None => Ok(words),
    }
}

/// The text as cmd.exe passes it on: outside quotes `^x` is `x`, and `^` at the end of a line joins it with the next,
/// whose first character is taken as it is.
fn without_carets(text: &str) -> Vec<(usize, char)> {
    let (mut out, mut in_quotes) = (Vec::new(), false);
    let mut characters = text.char_indices().filter(|(_, c)| *c != '\r').peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            '^' if !in_quotes => {
                characters.next_if(|(_, c)| *c == '\n');
                out.extend(characters.next());
            }
            _ => {
                in_quotes ^= character == '"';
                out.push((at, character));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_and_quotes_are_those_of_windows() {
        let words = |text| {
            let words = split(Source { name: "curl", text }).unwrap();
            words.into_iter().map(|word| String::from_utf8(word.bytes).unwrap()).collect::<Vec<_>>()
        };
        let chrome =
            "curl ^\"http://h/?a=1^&b=%^20^\" ^\r\n  --data-raw ^\"^{^\\^\"a^\\^\":^\\^\"b^\r\n\r\nc^\\^\"^}^\"";
        assert_eq!(words(chrome), ["curl", "http://h/?a=1&b=%20", "--data-raw", "{\"a\":\"b\nc\"}"]);
        assert_eq!(words(r#"curl "a^b" c\d "e\\" ^"#), ["curl", "a^b", r"c\d", r"e\"]);
        assert!(split(Source { name: "curl", text: "curl ^\"x" }).is_err());
        assert!(is_cmd(chrome) && !is_cmd("curl 'x' -d ' ^\"'") && !is_cmd("curl \"a^\""));
    }
}
