//! A curl command as it is pasted: from a browser's "Copy as cURL", from documentation, from a script.

mod ansi_c;
mod cmd;
mod data;
mod draft;
mod flags;
mod shell;

use crate::{
    Files, Imported,
    error::{ImportError, Source},
};
use draft::Draft;
use flags::Flag;

/// Whether the text is a curl command, rather than a URL.
pub fn is_command(text: &str) -> bool {
    let first = without_prompt(text).split_whitespace().next().unwrap_or_default();
    matches!(first, "curl" | "curl.exe") && text.trim() != first
}

/// The requests of a curl command: one for each URL. `files` reads what `@file` names.
///
/// # Errors
///
/// If it is not a curl command, needs a shell to be understood, or has an option that cannot be kept.
pub fn import(text: &str, files: &Files<'_>) -> Result<Imported, ImportError> {
    let source = Source { name: "curl", text };
    if !is_command(text) {
        return Err(source.error(0, "expected a command such as `curl http://localhost:8080/`"));
    }
    let skipped = text.len() - without_prompt(text).len();
    // The prompt becomes spaces, so that places stay those of the text.
    let without_prompt = format!("{}{}", " ".repeat(skipped), &text[skipped..]);
    let readable = Source { text: &without_prompt, ..source };
    let (words, rest_at) = if cmd::is_cmd(text) {
        (cmd::split(readable)?, None)
    } else {
        let command = shell::split(readable)?;
        (command.words, command.rest_at)
    };
    let given = flags::parse(source, words)?;
    let mut imported = Imported::default();
    for given in given.split(|given| given.flag == Flag::Next) {
        let mut draft = Draft::new(source, files);
        given.iter().try_for_each(|given| draft.apply(given))?;
        draft.finish(&mut imported)?;
    }
    if let Some(at) = rest_at {
        let rest = text[at..].lines().next().unwrap_or_default().trim();
        imported.notes.push(format!("`{rest}` is left out: only the first curl command is read"));
    }
    let mut seen = std::collections::HashSet::new();
    imported.notes.retain(|note| seen.insert(note.clone()));
    Ok(imported)
}

/// As documentation shows it: `$ curl …`.
fn without_prompt(text: &str) -> &str {
    let text = text.trim_start();
    text.strip_prefix("$ ").map_or(text, str::trim_start)
}
