//! Numbers and lists in the sentences of findings.

use plimsoll_record::Nanos;

/// A computed figure: three digits at least, whole numbers in full: `0.316`, `77.8`, `1,959`.
pub(crate) fn number(value: f64) -> String {
    with_digits(value, 3)
}

/// An exact count: `12,345`.
pub(crate) fn count(value: u64) -> String {
    grouped(&value.to_string())
}

/// A figure of the table, with the digits that are likely to be printed there: `498.5`, `10,684`.
pub(crate) fn figure(value: f64) -> String {
    with_digits(value, 4)
}

fn with_digits(value: f64, digits: i32) -> String {
    let magnitude = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    let decimals = (digits - 1 - magnitude.max(-1)).max(0) as usize;
    let text = format!("{value:.decimals$}");
    let plain = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    grouped(plain)
}

fn grouped(digits: &str) -> String {
    let (whole, fraction) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let mut out = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + fraction
}

/// In the unit that fits: `4.97 s`.
pub(crate) fn seconds(value: f64) -> String {
    Nanos::from_secs_f64(value).to_string()
}

/// In milliseconds, as tables print them: `4,972 ms`.
pub(crate) fn ms(value: f64) -> String {
    format!("{} ms", figure(value))
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn listed(names: &[String]) -> String {
    match names.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

/// `a, b, c, d and 4 more`.
pub(crate) fn shortened(names: &[String]) -> String {
    const SHOWN: usize = 4;
    let shown = names[..names.len().min(SHOWN)].join(", ");
    if names.len() > SHOWN { format!("{shown} and {} more", names.len() - SHOWN) } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_whole_ones_in_full() {
        let shown = [0.0, 0.316, 0.3, 2.5, 77.8, 102.4, 1_958.968, 1_234_567.0].map(number);
        assert_eq!(shown, ["0", "0.316", "0.3", "2.5", "77.8", "102", "1,959", "1,234,567"]);
        assert_eq!([498.5, 10_683.8, 93.1].map(figure), ["498.5", "10,684", "93.1"]);
        assert_eq!((ms(4_972.0), seconds(4.972)), ("4,972 ms".to_owned(), "4.97 s".to_owned()));
        assert_eq!(listed(&["a".to_owned(), "b".to_owned(), "c".to_owned()]), "a, b and c");
    }
}
