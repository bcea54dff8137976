//! Claims about what gives way first: `limit(tuned @ 500) = client-pool`. They compare the kind that an explanation has
//! found, and no figures: they have neither a value nor an interval.

use plimsoll_text::quoted;

use super::{ClaimError, check::meant_or_all, expression::Name};
use crate::{
    bottleneck,
    results::{Explanation, Place, Verdict},
};

/// The word that such a claim begins with.
pub(super) const WORD: &str = "limit";
/// The kind if no limit was seen.
const UNKNOWN: &str = "unknown";
/// The kind if the generator was the limit, which says nothing of the service.
const GENERATOR: &str = "generator";

/// A claim about the limit of a variant.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LimitClaim {
    pub variant: Name,
    /// None: the only load of the variant that is explained.
    pub level: Option<Name>,
    /// Whether it is to be that kind, or not to be.
    pub is_equal: bool,
    pub kind: &'static str,
}

/// A verdict with its reason.
pub(super) struct Judged {
    pub verdict: Verdict,
    pub reason: String,
    pub about: Vec<Place>,
}

impl LimitClaim {
    pub fn new(variant: Name, level: Option<Name>, is_equal: bool, kind: &Name) -> Result<Self, ClaimError> {
        if let Some(pattern) = [Some(&variant), level.as_ref()].into_iter().flatten().find(|name| name.is_pattern()) {
            let message = format!("`{}` may be several loads, and a limit is of one: name it", pattern.text);
            return Err(ClaimError::new(pattern.column, message));
        }
        let mut kinds = bottleneck::kinds();
        match kinds.find(|it| *it == kind.text) {
            Some(kind) => Ok(Self { variant, level, is_equal, kind }),
            None if kind.text == UNKNOWN => {
                let message = "where the limit is unknown no claim is decided: name a kind";
                Err(ClaimError::new(kind.column, message))
            }
            None => {
                let all: Vec<&str> = bottleneck::kinds().collect();
                let message = format!("there is no kind of limit `{}`{}", kind.text, meant_or_all(&kind.text, &all));
                Err(ClaimError::new(kind.column, message))
            }
        }
    }

    /// Judges by the explanations, which may be of several loads.
    pub fn judge(&self, explanations: &[Explanation]) -> Judged {
        let of_variant = explanations.iter().filter(|it| it.variant == self.variant.text);
        let level = self.level.as_ref().map(|level| level.text.as_str());
        let found: Vec<&Explanation> =
            of_variant.filter(|it| level.is_none() || it.level.as_deref() == level).collect();
        let about = self.about();
        match found.as_slice() {
            [] => Judged { verdict: Verdict::Undecided, reason: self.not_explained(), about },
            [found] => {
                let (verdict, reason) = self.hold_against(found);
                Judged { verdict, reason, about }
            }
            several => {
                let levels = several.iter().filter_map(|it| it.level.as_deref());
                let (variant, first) = (&self.variant.text, levels.clone().next().unwrap_or_default());
                let levels = quoted(levels);
                let reason = format!("`{variant}` was explained at {levels}: write {WORD}({variant} @ {first})");
                Judged { verdict: Verdict::Undecided, reason, about }
            }
        }
    }

    fn hold_against(&self, found: &Explanation) -> (Verdict, String) {
        let Explanation { limit, says, evidence, .. } = found;
        if *limit == UNKNOWN {
            return (Verdict::Undecided, format!("{UNKNOWN}: {}", evidence.join("; ")));
        }
        if *limit == GENERATOR && self.kind != GENERATOR {
            let reason = format!("the generator was the limit, so this says nothing about the service: {says}");
            return (Verdict::Undecided, reason);
        }
        let verdict = if (*limit == self.kind) == self.is_equal { Verdict::Holds } else { Verdict::Fails };
        (verdict, format!("{limit}: {says}"))
    }

    fn not_explained(&self) -> String {
        let variant = &self.variant.text;
        match &self.level {
            Some(level) => format!("`{variant}` was not explained at {}", level.text),
            None => format!("`{variant}` was not explained"),
        }
    }

    fn about(&self) -> Vec<Place> {
        let level = self.level.iter().map(|level| level.text.clone());
        level.map(|level| Place { variant: Some(self.variant.text.clone()), level: Some(level), round: None }).collect()
    }
}
