//! The bracket that is never closed: YAML only notices that something much later does not fit into it.

/// The byte of the first `[` or `{` before `limit` that begins a value and is closed nowhere in `text`.
pub(super) fn never_closed(text: &str, limit: usize) -> Option<usize> {
    let mut open: Vec<usize> = Vec::new();
    let mut quote = None;
    // The character before, and the last one of the line that is no space.
    let (mut before, mut mark) = ('\n', '\n');
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        // Elsewhere brackets and quotes are part of a text.
        let begins_value = match mark {
            '\n' | '[' | '{' | ',' => true,
            ':' | '-' => before.is_whitespace(),
            _ => false,
        };
        match (quote, character) {
            (Some('"'), '\\') => drop(characters.next()),
            (Some(end), _) if end == character => quote = None,
            (Some(_), _) => {}
            (None, '#') if before.is_whitespace() => {
                characters.by_ref().find(|&(_, character)| character == '\n');
                (before, mark) = ('\n', '\n');
                continue;
            }
            // Two single quotes within single quotes are one.
            (None, '"' | '\'') if begins_value || (before, character) == ('\'', '\'') => quote = Some(character),
            (None, '[' | '{') if begins_value || !open.is_empty() => open.push(at),
            (None, ']' | '}') => drop(open.pop()),
            _ => {}
        }
        before = character;
        if character == '\n' || !character.is_whitespace() {
            mark = character;
        }
    }
    open.first().copied().filter(|&at| at < limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bracket_that_is_never_closed_is_found() {
        for (text, expected) in [
            ("rounds: [1\nvariants: {a: [x]}\n", Some(8)),
            ("a: [1, {b: 2}, [3]\nc: d\n", Some(3)),
            ("- {a: 1\n- b\n", Some(2)),
            ("a: [1]\nb: {c: [d]}\n", None),
            ("a: '['\nb: \"[\\\"[\"\nc: x[0\nd: /{id\n# [\ne: f # {\n", None),
            ("a: ['it''s [', ü]\n", None),
            ("", None),
        ] {
            assert_eq!(never_closed(text, text.len()), expected, "{text}");
        }
        assert_eq!(never_closed("a: b\nc: [", 4), None);
    }
}
