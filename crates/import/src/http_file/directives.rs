//! Comments that say something about the request: `# @name login`, `// @timeout 5 s`.

use plimsoll_record::Nanos;

/// The options that they set.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Directives {
    pub name: Option<String>,
    pub max_time: Option<Nanos>,
    pub connect_timeout: Option<Nanos>,
    /// Forms are sent as they are written.
    pub no_auto_encoding: bool,
}

impl Directives {
    /// Takes the text of a comment; those that are about IntelliJ's own display, or plain comments, change nothing.
    pub fn read(&mut self, comment: &str) {
        let Some(directive) = comment.trim().strip_prefix('@') else { return };
        let (name, value) = directive.split_once([' ', '\t', '=']).unwrap_or((directive, ""));
        let value = value.trim_start_matches(['=', ' ', '\t']).trim();
        match name {
            "name" if !value.is_empty() => self.name = Some(value.to_owned()),
            "timeout" => self.max_time = time(value),
            "connection-timeout" => self.connect_timeout = time(value),
            "no-auto-encoding" => self.no_auto_encoding = true,
            _ => {}
        }
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
        let mut directives = Directives::default();
        for comment in [" @name = log in", "@timeout 250 ms", " @connection-timeout 2 m", " at @timeout 9", "@no-log"] {
            directives.read(comment);
        }
        assert_eq!(directives.name.as_deref(), Some("log in"));
        let expected = (Some(Nanos::from_millis(250)), Some(Nanos::from_secs(120)));
        assert_eq!((directives.max_time, directives.connect_timeout), expected);
        assert_eq!((time("5"), time("0"), time("5 h")), (Some(Nanos::from_secs(5)), None, None));
    }
}
