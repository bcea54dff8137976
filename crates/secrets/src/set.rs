//! Secrets that are known, and texts without them.

use std::{borrow::Cow, collections::BTreeSet, sync::OnceLock};

use aho_corasick::{AhoCorasick, Input, MatchKind};

use crate::{MASK, forms};

/// Values that are masked wherever they appear, in any of their forms.
#[derive(Clone, Debug, Default)]
pub struct Secrets {
    forms: BTreeSet<String>,
    /// Finds all of `forms`. Made when it is first asked for: secrets come one after another, and most of them before
    /// anything is masked.
    matcher: OnceLock<Option<AhoCorasick>>,
}

impl Secrets {
    /// Adds values. Those that cannot be told from ordinary text are left out: see the guide's section on secrets.
    pub fn add(&mut self, values: impl IntoIterator<Item = String>) {
        let before = self.forms.len();
        let new = values.into_iter().filter(|value| !self.forms.contains(value) && forms::is_distinctive(value));
        let new: Vec<String> = new.collect();
        self.forms.extend(new.iter().flat_map(|value| forms::all(value)));
        if self.forms.len() > before {
            self.matcher.take();
        }
    }

    fn matcher(&self) -> Option<&AhoCorasick> {
        // It fails beyond 2³¹ bytes of secrets alone.
        let make = || AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&self.forms).ok();
        self.matcher.get_or_init(make).as_ref()
    }

    /// The text with [`MASK`] in place of each.
    pub fn mask<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.masked(text.as_bytes()) {
            // Only whole characters are replaced, by whole characters.
            Some(masked) => Cow::Owned(String::from_utf8_lossy(&masked).into_owned()),
            None => Cow::Borrowed(text),
        }
    }

    /// The same for what need not be text.
    pub fn mask_bytes<'a>(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        self.masked(bytes).map_or(Cow::Borrowed(bytes), Cow::Owned)
    }

    /// None if there is nothing to mask.
    fn masked(&self, text: &[u8]) -> Option<Vec<u8>> {
        let matcher = self.matcher()?;
        let (mut masked, mut copied, mut at) = (Vec::new(), 0, 0);
        while let Some(found) = matcher.find(Input::new(text).range(at..)) {
            if stands_well(text, found.start(), found.end()) {
                masked.extend_from_slice(&text[copied..found.start()]);
                masked.extend_from_slice(MASK.as_bytes());
                (copied, at) = (found.end(), found.end());
            } else {
                at = found.start() + 1;
            }
        }
        masked.extend_from_slice(&text[copied..]);
        (copied > 0).then_some(masked)
    }
}

/// Whether what was found is not part of a longer word, if that matters.
fn stands_well(text: &[u8], start: usize, end: usize) -> bool {
    let is_long = !std::str::from_utf8(&text[start..end]).is_ok_and(forms::stands_alone);
    let is_word = |at: usize| text.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let goes_on = |inside: usize, outside: usize| is_word(inside) && is_word(outside);
    let is_part = (start > 0 && goes_on(start, start - 1)) || goes_on(end - 1, end);
    is_long || !is_part
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn masked(secrets: &[&str], text: &str) -> String {
        let mut known = Secrets::default();
        known.add(secrets.iter().map(|&secret| secret.to_owned()));
        known.mask(text).into_owned()
    }

    #[test]
    fn a_secret_is_masked_in_each_of_its_forms() {
        let text = r#"s3 "cr/et s3+%22cr%2Fet s3%20%22cr%2Fet s3%20%22cr/et "s3 \"cr/et""#;
        assert_eq!(masked(&[r#"s3 "cr/et"#], text), format!(r#"{MASK} {MASK} {MASK} {MASK} "{MASK}""#));
        assert_eq!(masked(&["p%40ss-word"], "p@ss-word"), MASK);
        assert_eq!(masked(&["abcdef", "abcdefgh"], "abcdefghi abcdefg"), format!("{MASK}i {MASK}g"));
    }

    #[test]
    fn what_is_short_or_common_does_not_mask_the_rest() {
        let text = "1 true none user admin password 8080 abc 12345 of constant-vus";
        let all: Vec<&str> = text.split(' ').chain(["", " "]).collect();
        assert_eq!(masked(&all, text), text);
        assert_eq!(
            masked(&["pike"], "pike spike pikes a:pike@b pike-2"),
            format!("{MASK} spike pikes a:{MASK}@b {MASK}-2")
        );
        assert_eq!(masked(&["100000"], "100000 of 1000000"), format!("{MASK} of 1000000"));
        assert_eq!(masked(&["hunter"], "-uhunters"), format!("-u{MASK}s"));
    }

    #[test]
    fn bytes_that_are_no_text_are_masked_too() {
        let mut known = Secrets::default();
        known.add(["hunter22".to_owned()]);
        assert_eq!(known.mask_bytes(b"\xff\x00hunter22\x80")[..], *b"\xff\x00(masked)\x80");
        assert_eq!(known.mask_bytes(b"\xff"), Cow::Borrowed(&b"\xff"[..]));
    }

    proptest! {
        #[test]
        fn no_secret_is_left(secrets in prop::collection::vec("[a-f%+/é\"]{6,9}", 1..5), text in "[a-f%+/é\" ]{0,60}") {
            let mut known = Secrets::default();
            known.add(secrets.clone());
            let text = format!("{text}{}{text}", secrets[0]);
            let masked = known.mask(&text);
            for secret in &secrets {
                // The texts on both sides of a mask may be the two halves of another secret.
                prop_assert!(masked.split(MASK).all(|rest| !rest.contains(secret.as_str())), "{secret} in {masked}");
            }
        }
    }
}
