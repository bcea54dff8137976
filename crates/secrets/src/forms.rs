//! Whether a value can be told from ordinary text, and the forms in which it appears.

use std::collections::BTreeSet;

use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Shorter values are masked in their own places alone: elsewhere they would be parts of other words.
pub(crate) const LEAST: usize = 4;
/// From this length on a value is masked within a longer word, too.
pub(crate) const LEAST_WITHIN_WORDS: usize = 6;

/// They say nothing, however secret their place is; and the record would not be readable without some of them.
const COMMON: &str = "\
    127.0.0.1 admin always-holds anonymous application/json basic bearer benchmarks-failed between blocked \
    capture-failed census check-failed closed closed-before-response connect-timeout constant constant-arrival-rate \
    constant-vus counts default descriptors-exhausted died digest discarded dns done even example explanation \
    exponential failed false found full generator-target guest histogram http https inbound interrupted light load \
    localhost log-normal lognormal measured model namespaces never-holds none not-ready null other outbound \
    parts-lost pass password per-vu-iterations plimsoll poisson ports-exhausted protocol proxy ramping-arrival-rate \
    ramping-vus ready recovery redirect-elsewhere refused relay reset response-timeout rest root runnable running \
    secret shared-iterations skipped status-4xx status-5xx target-upstream test time-up timed-waiting tls token \
    too-many-redirects true undefined uniform unreachable upstream-failed user waiting warm-up warmup";

/// Whether a text is a word that is used all the time, as those of the record are.
pub(crate) fn is_common(text: &str) -> bool {
    COMMON.split(' ').any(|common| common.eq_ignore_ascii_case(text))
}

/// Whether a text looks like a name of the record's own: of a field, of a metric. A secret that is a part of one was
/// chosen from a dictionary, and the name says nothing of it.
pub(crate) fn is_name(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte))
}

/// Whether `value` may be masked wherever it appears: at least four characters that are neither a number of up to five
/// digits nor a word that is used all the time.
pub(crate) fn is_distinctive(value: &str) -> bool {
    let is_short_number = value.len() < LEAST_WITHIN_WORDS && value.bytes().all(|byte| byte.is_ascii_digit());
    value.chars().count() >= LEAST && !is_short_number && !is_common(value) && value != crate::MASK
}

/// Whether it must stand alone to be masked: numbers and short words do.
pub(crate) fn stands_alone(value: &str) -> bool {
    value.chars().count() < LEAST_WITHIN_WORDS || value.bytes().all(|byte| byte.is_ascii_digit())
}

/// As URLs keep what stands in a query.
const QUERY: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'<').add(b'>').add(b'\'');
/// As `encodeURIComponent` has it.
const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The value as it is, and as URLs, forms and JSON write it.
pub(crate) fn all(value: &str) -> BTreeSet<String> {
    // Most of them look the same everywhere, and a column of a table may have a hundred thousand.
    if value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte)) {
        return is_distinctive(value).then(|| value.to_owned()).into_iter().collect();
    }
    let encoded = |set| utf8_percent_encode(value, set).to_string();
    let quoted = serde_json::Value::from(value).to_string();
    let decoded = percent_decode_str(value).decode_utf8_lossy().into_owned();
    let forms = [
        value.to_owned(),
        encoded(QUERY),
        encoded(COMPONENT),
        encoded(COMPONENT).replace("%20", "+"),
        quoted[1..quoted.len() - 1].to_owned(),
        decoded,
    ];
    forms.into_iter().filter(|form| is_distinctive(form)).collect()
}
