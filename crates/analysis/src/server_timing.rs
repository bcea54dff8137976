//! The header `Server-Timing` (<https://www.w3.org/TR/server-timing/>): durations that a response reports of its parts.

/// Names with their durations in milliseconds, in order; those without a duration are left out.
pub(crate) fn durations_ms(header: &str) -> Vec<(String, f64)> {
    split(header, ',').into_iter().filter_map(duration_ms).collect()
}

fn duration_ms(metric: &str) -> Option<(String, f64)> {
    let parts = split(metric, ';');
    let (name, parameters) = parts.split_first()?;
    let value = |parameter: &&str| {
        let (key, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches('"');
        key.trim().eq_ignore_ascii_case("dur").then(|| value.parse::<f64>().ok()).flatten()
    };
    let duration = parameters.iter().find_map(value).filter(|ms| ms.is_finite())?;
    let name = name.trim();
    (!name.is_empty()).then(|| (name.to_owned(), duration))
}

/// Splits at each `separator` that is not within quotes.
fn split(text: &str, separator: char) -> Vec<&str> {
    let mut is_quoted = false;
    let mut is_escaped = false;
    text.split(|c| {
        let is_end = c == separator && !is_quoted;
        is_quoted ^= c == '"' && !is_escaped;
        is_escaped = is_quoted && c == '\\' && !is_escaped;
        is_end
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_with_their_names() {
        let read = |header| durations_ms(header);
        let named = |parts: &[(&str, f64)]| parts.iter().map(|&(name, ms)| (name.to_owned(), ms)).collect::<Vec<_>>();
        assert_eq!(
            read("lease;dur=0, connect;dur=70.5,ttfb;dur=\"3\""),
            named(&[("lease", 0.0), ("connect", 70.5), ("ttfb", 3.0)])
        );
        assert_eq!(
            read("db;desc=\"a, b; dur=9 \\\" x\";DUR=2 , miss"),
            named(&[("db", 2.0)]),
            "quotes hide separators"
        );
        assert_eq!(read("a;dur=NaN, ;dur=1, b;dur=x, c;dur"), named(&[]));
    }
}
