//! Checks of values that several sections have.

use plimsoll_analysis::claims;
use plimsoll_record::Nanos;
use plimsoll_text::one_of_but_found;

use super::{
    errors::{At, Errors},
    quantity::Duration,
};

/// The duration; pushes an error if it is zero.
pub(super) fn positive(duration: &At<Duration>, errors: &mut Errors) -> Nanos {
    if duration.value.0 == Nanos::ZERO {
        errors.push(&duration.place, "expected a duration above zero, e.g. `30s`");
    }
    duration.value.0
}

/// Names become parts of file names, which have 255 bytes, and heads of columns.
const NAME_MAX: usize = 100;

/// Names are written in claims and become file names, so they must do without characters that mean something there.
pub(super) fn check_name(name: &At<String>, what: &str, errors: &mut Errors) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let good = name.value.chars().all(fits) && name.value.starts_with(|c: char| c.is_ascii_alphanumeric());
    if !good {
        let found = &name.value;
        let message = format!(
            "expected {what} of letters, digits, `.`, `_` and `-` that starts with a letter or digit, found `{found}`"
        );
        errors.push(&name.place, message);
    } else if name.value.len() > NAME_MAX {
        let length = name.value.len();
        errors.push(&name.place, format!("expected {what} of at most {NAME_MAX} characters, found {length}"));
    }
    good && name.value.len() <= NAME_MAX
}

/// Whether a file's `only` leaves each of the names; every pattern must match something.
pub(super) fn selected(only: Option<&[At<String>]>, names: &[&str], errors: &mut Errors) -> Vec<bool> {
    let Some(only) = only else { return vec![true; names.len()] };
    let matches = |pattern: &At<String>, name: &str| claims::matches(&pattern.value, name);
    for pattern in only.iter().filter(|pattern| !names.iter().any(|name| matches(pattern, name))) {
        let names = one_of_but_found(names.iter().copied(), &pattern.value);
        errors.push(&pattern.place, format!("expected the name of a variant, or a pattern such as `web-*`, {names}"));
    }
    names.iter().map(|name| only.iter().any(|pattern| matches(pattern, name))).collect()
}
