//! A curl command as it is pasted: from a browser's "Copy as cURL", from documentation, from a script.

mod ansi_c;
mod cmd;
mod data;
mod draft;
mod flags;
mod secrets;
mod shell;

use crate::{
    Files, Imported,
    error::{ImportError, Source},
    headers, target,
};
use draft::Draft;
use flags::{Flag, Given};
use plimsoll_secrets::Hidden;

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
    let (given, rest_at) = read(source)?;
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

/// Outline of the command for records that are shared: its URLs, and `…` for all else; with the secrets of the command.
pub fn outline(text: &str) -> Hidden {
    let Ok((given, _)) = read(Source { name: "curl", text }) else {
        return Hidden { text: "curl …".to_owned(), secrets: secrets::of_unreadable(text) };
    };
    let urls = given.iter().filter(|given| given.flag == Flag::Url).filter_map(|given| {
        let written = String::from_utf8_lossy(&given.value.bytes);
        let absolute = target::absolute(&written, &mut headers::Headers::new()).ok()?;
        Some(plimsoll_secrets::hide::text(&absolute).text)
    });
    let words = ["curl".to_owned()].into_iter().chain(urls).chain(["…".to_owned()]);
    Hidden { text: words.collect::<Vec<_>>().join(" "), secrets: given.iter().flat_map(secrets::of).collect() }
}

/// The options of the command, and where the text goes on after it.
fn read(source: Source<'_>) -> Result<(Vec<Given>, Option<usize>), ImportError> {
    let text = source.text;
    if !is_command(text) {
        return Err(source.error(0, "expected a command such as `curl http://localhost:8080/`"));
    }
    let prompt = text.len() - without_prompt(text).len();
    // The prompt becomes spaces, so that places stay those of the text.
    let blanked = format!("{}{}", " ".repeat(prompt), &text[prompt..]);
    let readable = Source { text: &blanked, ..source };
    let (words, rest_at) = if cmd::is_cmd(text) {
        (cmd::split(readable)?, None)
    } else {
        let command = shell::split(readable)?;
        (command.words, command.rest_at)
    };
    Ok((flags::parse(source, words)?, rest_at))
}

/// The text without a prompt, as documentation shows it: `$ curl …`.
fn without_prompt(text: &str) -> &str {
    let text = text.trim_start();
    text.strip_prefix("$ ").map_or(text, str::trim_start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_urls_and_outlined_without_secrets() {
        for command in ["curl x", "  $ curl x", "curl.exe x", "curl\tx"] {
            assert!(is_command(command), "{command}");
        }
        assert!(!is_command("curl") && !is_command("http://curl/") && !is_command("curling x"));
        let secret = "curl http://me:secret@h/a \\\n -H 'Authorization: secret' -d secret";
        assert_eq!(outline(secret).text, "curl http://h/a …");
        assert_eq!(outline("curl h/?sig=x").text, "curl http://h/?sig=(masked) …");
        assert_eq!(outline("curl -H 'secret").text, "curl …");
    }

    /// As curl 7.88 sends them.
    #[test]
    fn the_last_option_wins_and_a_header_by_name_wins_over_it() {
        for (options, sent) in [
            ("-A a -A b", &["User-Agent: b"][..]),
            ("-A a -H 'User-Agent: c'", &["User-Agent: c"]),
            ("-H 'User-Agent: c' -A a", &["User-Agent: c"]),
            ("-H 'User-Agent: c' -H 'User-Agent: d'", &["User-Agent: c", "User-Agent: d"]),
            ("-e x -e y", &["Referer: y"]),
            ("-u a:b -u c:d", &["Authorization: Basic Yzpk"]),
            ("-u a:b -H 'Authorization: x'", &["Authorization: x"]),
            ("-u a:b --oauth2-bearer t", &["Authorization: Bearer t"]),
            ("--oauth2-bearer t -u a:b", &["Authorization: Bearer t"]),
            ("--oauth2-bearer t --oauth2-bearer w", &["Authorization: Bearer w"]),
        ] {
            let imported = import(&format!("curl {options} http://h/"), &|path| Err(path.to_owned())).unwrap();
            let headers = &imported.requests[0].headers;
            let headers: Vec<String> = headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
            assert_eq!(headers, sent, "{options}");
        }
    }

    #[test]
    fn a_file_is_uploaded_to_a_folder_under_its_name() {
        for (url, sent) in [
            ("http://h/dir/", "http://h/dir/a%20b.txt"),
            ("http://h", "http://h/a%20b.txt"),
            ("http://h/dir/?x=/", "http://h/dir/a%20b.txt?x=/"),
            ("http://h/c.txt", "http://h/c.txt"),
        ] {
            let imported = import(&format!("curl -T 'data/a b.txt' '{url}'"), &|_| Ok(b"x".to_vec())).unwrap();
            let request = &imported.requests[0];
            assert_eq!((request.method.as_str(), request.url.as_str()), ("PUT", sent));
        }
    }

    /// Browsers write characters beyond the first 65,536 as two units of UTF-16.
    #[test]
    fn two_units_are_one_character_and_headers_that_cannot_be_removed_are_named() {
        let command = r"curl http://h/ -H 'Accept:' --data-raw $'\ud83d\ude00 \u00e9 \ud83d'";
        let imported = import(command, &|path| Err(path.to_owned())).unwrap();
        assert_eq!(String::from_utf8_lossy(&imported.requests[0].body), "😀 é \u{fffd}");
        assert_eq!(imported.notes, ["`-H 'Accept:'` is left out: Accept is sent in any case"]);
    }
}
