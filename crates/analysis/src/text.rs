//! Numbers in the sentences of findings.

use plimsoll_record::Nanos;
use plimsoll_text::number::in_full;

/// A computed figure: three digits at least, whole numbers in full: `0.316`, `77.8`, `1,959`.
pub(crate) fn number(value: f64) -> String {
    in_full(value, 3)
}

/// A figure of the table, with the digits that are likely to be printed there: `498.5`, `10,684`.
pub(crate) fn figure(value: f64) -> String {
    in_full(value, 4)
}

/// A time in the unit that fits: `4.97 s`.
pub(crate) fn seconds(value: f64) -> String {
    Nanos::from_secs_f64(value).to_string()
}

/// Milliseconds as tables print them: `4,972 ms`.
pub(crate) fn ms(value: f64) -> String {
    format!("{} ms", figure(value))
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
    }
}
