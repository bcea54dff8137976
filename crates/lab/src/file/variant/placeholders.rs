//! Placeholders that are meant and written otherwise: `${port}` as in a shell, `{Port}`.

use crate::file::{errors::Errors, node::Node};

/// Names that every variant knows. An upstream's are looked at where it is.
const KNOWN: [&str; 2] = ["port", "host"];

/// Pushes an error for each in the settings of a variant.
pub(super) fn check(variant: &Node, errors: &mut Errors) {
    variant.for_each_text(&mut |text, place| {
        if let Some((written, meant)) = mistaken(text) {
            errors.push(place, format!("`{written}` is no placeholder: write `{{{meant}}}`"));
        }
    });
}

/// The first one, as it is written, and the name that is meant.
fn mistaken(text: &str) -> Option<(&str, &'static str)> {
    text.match_indices('{').find_map(|(start, _)| {
        let (name, after) = text[start + 1..].split_once('}')?;
        let (is_dollar, is_double) =
            (text[..start].ends_with('$'), text[..start].ends_with('{') || after.starts_with('}'));
        let meant = KNOWN.into_iter().find(|known| known.eq_ignore_ascii_case(name) && !is_double)?;
        // A shell's `${PORT}` may well be a variable of the environment.
        let is_mistaken = if is_dollar { name == meant } else { name != meant };
        let from = if is_dollar { start - 1 } else { start };
        is_mistaken.then(|| (&text[from..start + name.len() + 2], meant))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_spellings_are_found() {
        for (text, expected) in [
            ("--server.port=${port}", Some(("${port}", "port"))),
            ("http://{Host}:{port}/", Some(("{Host}", "host"))),
            ("http://{host}:{PORT}/", Some(("{PORT}", "port"))),
            ("http://{host}:{port}/{{Port}}?a={b}&c={", None),
            ("exec serve --port ${PORT} ü{ß}", None),
        ] {
            assert_eq!(mistaken(text), expected, "{text}");
        }
    }
}
