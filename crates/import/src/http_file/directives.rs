//! Comments that say something about the request: `# @name login`, `// @timeout 5 s`.

use plimsoll_record::Nanos;

use super::block::Block;

/// The options that they set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Directives {
    pub max_time: Option<Nanos>,
    pub connect_timeout: Option<Nanos>,
    /// Forms are sent as they are written.
    pub no_auto_encoding: bool,
}

/// Takes the text of a comment; those that are about IntelliJ's own display, or plain comments, change nothing.
pub(super) fn read(comment: &str, block: &mut Block<'_>) {
    let Some(directive) = comment.trim().strip_prefix('@') else { return };
    let (name, value) = directive.split_once([' ', '\t', '=']).unwrap_or((directive, ""));
    let value = value.trim_start_matches(['=', ' ', '\t']).trim();
    match name {
        "name" if !value.is_empty() => block.name = Some(value.to_owned()),
        "timeout" => block.directives.max_time = time(value),
        "connection-timeout" => block.directives.connect_timeout = time(value),
        "no-auto-encoding" => block.directives.no_auto_encoding = true,
        _ => {}
    }
}

/// `600`, `5 s`, `250 ms`, `2 m`: seconds unless it says otherwise.
fn time(text: &str) -> Option<Nanos> {
    let unit_at = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u32 = text[..unit_at].parse().ok()?;
    let unit_ms = match text[unit_at..].trim() {
        "" | "s" => 1_000,
        "ms" => 1,
        "m" => 60_000,
        _ => return None,
    };
    Some(Nanos::from_millis(u64::from(number) * unit_ms)).filter(|time| *time > Nanos::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_told_from_comments() {
        let mut block = Block::default();
        for comment in [" @name = log in", "@timeout 250 ms", " @connection-timeout 2 m", " at @timeout 9", "@no-log"] {
            read(comment, &mut block);
        }
        assert_eq!(block.name.as_deref(), Some("log in"));
        let expected = (Some(Nanos::from_millis(250)), Some(Nanos::from_secs(120)));
        assert_eq!((block.directives.max_time, block.directives.connect_timeout), expected);
        assert_eq!((time("5"), time("0"), time("5 h")), (Some(Nanos::from_secs(5)), None, None));
    }
}
