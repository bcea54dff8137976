//! Keys of the cache: a digest of everything that an artifact depends on.

use std::fmt;

use sha2::{Digest, Sha256};

/// A digest that grows with each part; equal parts in equal order give equal keys.
#[derive(Clone, Debug, Default)]
pub(super) struct Key(Sha256);

impl Key {
    /// This key and one more part.
    pub(super) fn and(mut self, part: impl AsRef<[u8]>) -> Self {
        let part = part.as_ref();
        // The length first, so that no two lists of parts run together into the same bytes.
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
        self
    }

    /// This key and a list of parts.
    pub(super) fn and_all(self, parts: &[String]) -> Self {
        parts.iter().fold(self.and(parts.len().to_le_bytes()), Self::and)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.clone().finalize().iter().take(8).try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_tells_apart_what_differs_in_content_order_or_division() {
        let key = |parts: &[&str]| parts.iter().fold(Key::default(), Key::and).to_string();
        assert_eq!(key(&["ab", "c"]), key(&["ab", "c"]));
        assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
        assert_ne!(key(&["ab", "c"]), key(&["c", "ab"]));
        let list = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>();
        let lists = |a: &[&str], b: &[&str]| Key::default().and_all(&list(a)).and_all(&list(b)).to_string();
        assert_ne!(lists(&["a"], &["b", "c"]), lists(&["a", "b"], &["c"]));
        assert_eq!(key(&[]).len(), 16);
    }
}
