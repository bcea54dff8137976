//! The secrets that this process has learned: one set for all, so that no way out can forget to ask for it.

use std::sync::{PoisonError, RwLock};

use serde_json::Value;

use crate::{Secrets, forms, hide, json};

static KNOWN: RwLock<Option<Secrets>> = RwLock::new(None);

/// Remembers values that [`hide`] has found, for the rest of the process.
pub fn learn(secrets: impl IntoIterator<Item = String>) {
    let secrets: Vec<String> = secrets.into_iter().collect();
    if !secrets.is_empty() {
        let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
        known.get_or_insert_default().add(secrets);
    }
}

/// Forgets them all, as if the process began again: one that reads a million files, as a fuzzer's does, would grow.
#[cfg(any(test, feature = "testing"))]
pub fn forget() {
    *KNOWN.write().unwrap_or_else(PoisonError::into_inner) = None;
}

fn with_known<T>(ask: impl FnOnce(Option<&Secrets>) -> T) -> T {
    ask(KNOWN.read().unwrap_or_else(PoisonError::into_inner).as_ref())
}

/// The text without user information and secret parameters of URLs, and without anything that was learned.
pub fn mask(text: &str) -> String {
    let text = hide::text(text).text;
    with_known(|known| known.map(|known| known.mask(&text).into_owned())).unwrap_or(text)
}

/// The same of a name, such as a metric's, which is left if it may be one of the record's own.
pub fn mask_name(name: &str) -> String {
    if forms::is_name(name) { name.to_owned() } else { mask(name) }
}

/// Bytes without anything that was learned.
pub fn mask_bytes(bytes: &[u8]) -> Vec<u8> {
    with_known(|known| known.map(|known| known.mask_bytes(bytes).into_owned())).unwrap_or_else(|| bytes.to_vec())
}

/// Every text in `value` as [`mask`] leaves it, and what stands under the name of a secret left out whole.
pub fn mask_json(value: &mut Value) {
    json::mask(value, &mask);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_learned_is_masked_from_then_on() {
        let text = "learned-s3cret http://a:b@h/?sig=c";
        assert_eq!(mask(text), "learned-s3cret http://(masked)@h/?sig=(masked)");
        learn(["learned-s3cret".to_owned()]);
        assert_eq!(mask(text), "(masked) http://(masked)@h/?sig=(masked)");
        let mut value =
            serde_json::json!({"a learned-s3cret": ["learned-s3cret", 1], "db.password": "x", "b": "{{x}}"});
        mask_json(&mut value);
        assert_eq!(value, serde_json::json!({"a (masked)": ["(masked)", 1], "db.password": "(masked)", "b": "{{x}}"}));
        let mut names = serde_json::json!({"== learned-s3cret": 1, "== learned-s3cret2": 2});
        learn(["learned-s3cret2".to_owned()]);
        mask_json(&mut names);
        assert_eq!(names, serde_json::json!({"== (masked)": 1, "== (masked)'": 2}));
        assert_eq!(mask_bytes(b"<learned-s3cret>"), b"<(masked)>");
        forget();
        assert_eq!(mask(text), "learned-s3cret http://(masked)@h/?sig=(masked)");
    }
}
