//! Findings: what a reader must know beside the figures, as values. Reports lay them out, programs match their `id`.

use std::fmt;

use serde::{Serialize, Serializer};

/// A kind of finding, declared once, beside the code that looks for it. `docs/findings.md` lists all of them.
#[derive(Debug)]
pub struct Kind {
    /// Unique and never renamed: programs match it. E.g. `accept-queue-overflows`.
    pub id: &'static str,
    /// A few words, for headings and tables.
    pub title: &'static str,
    /// Weight of a finding of this kind.
    pub weight: Weight,
    /// The condition under which it is found, and the consequence for the figures.
    pub means: &'static str,
    /// The remedy in general. A finding may know better, see [`Finding::remedy`].
    pub remedy: &'static str,
    /// The figures that it gives as evidence, first the one that says how grave it is.
    pub evidence: &'static [Measure],
}

/// A figure that findings of one kind give as evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// Unique within the kind, e.g. `overflows`.
    pub name: &'static str,
    /// Symbol, e.g. `ms`, `%`, `/s`; empty for counts and texts.
    pub unit: &'static str,
    /// The thing counted or measured, as it stands after a number: `accept-queue overflows`.
    pub about: &'static str,
}

/// Weight of a finding, from the lightest to the gravest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weight {
    /// Good to know.
    Info,
    /// Figures may mislead without it.
    Warning,
    /// Figures cannot all be right.
    Contradiction,
}

/// Something that a reader must know: a named fact with its evidence and advice.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// Its kind; `id` in JSON.
    #[serde(rename = "id", serialize_with = "id")]
    pub kind: &'static Kind,
    /// Weight.
    pub weight: Weight,
    /// Its place; `where` in JSON.
    #[serde(rename = "where")]
    pub place: Place,
    /// The figures it rests on, first the one that says how grave it is.
    pub evidence: Vec<Evidence>,
    /// The observation, in whole sentences that do not repeat the place.
    pub says: String,
    /// The remedy, in whole sentences; empty where there is nothing to do.
    pub remedy: String,
}

/// The place of a finding or a figure. Without a variant: the whole execution; without a level: all of its levels;
/// without a round: all rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Name of the variant.
    pub variant: Option<String>,
    /// Label of the level.
    pub level: Option<String>,
    /// The round that shows it most, 0-based.
    pub round: Option<u32>,
}

/// One figure of a finding.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evidence {
    /// The measure, one of the kind's.
    #[serde(rename = "name", serialize_with = "name")]
    pub measure: Measure,
    /// The measured value.
    pub value: Value,
    /// Symbol, e.g. `ms`, `%`, `/s`; empty for counts and texts.
    pub unit: &'static str,
}

/// A measured value: a number, or the name of something.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// A number in the measure's unit.
    Number(f64),
    /// A name, e.g. of a kind of error.
    Text(String),
}

impl Kind {
    /// A finding of this kind, without evidence as yet.
    pub(crate) fn at(&'static self, place: Place, says: impl Into<String>) -> Finding {
        let (says, remedy) = (says.into(), self.remedy.to_owned());
        Finding { kind: self, weight: self.weight, place, evidence: Vec::new(), says, remedy }
    }

    /// A finding about the whole execution.
    pub(crate) fn everywhere(&'static self, says: impl Into<String>) -> Finding {
        self.at(Place::default(), says)
    }
}

/// Kinds are equal by id, which is unique.
impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Finding {
    /// Adds a figure that the kind declares under `name`.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        let measure = self.kind.evidence.iter().find(|it| it.name == name);
        debug_assert!(measure.is_some(), "`{}` does not declare the evidence `{name}`", self.kind.id);
        let evidence = |&measure: &Measure| Evidence { measure, value: value.into(), unit: measure.unit };
        self.evidence.extend(measure.map(evidence));
        self
    }

    /// Gives advice that fits better than that of the kind.
    #[must_use]
    pub(crate) fn advising(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = remedy.into();
        self
    }

    /// The number that says how grave it is; zero if none does.
    pub(crate) fn gravity(&self) -> f64 {
        match self.evidence.first() {
            Some(Evidence { value: Value::Number(number), .. }) => *number,
            _ => 0.0,
        }
    }

    /// True if `other` says the same about another place: the same kind, names and advice, whatever the numbers.
    pub fn is_like(&self, other: &Self) -> bool {
        let names = |of: &Self| of.evidence.iter().map(|it| &it.value).filter(|it| it.is_text()).cloned().collect();
        let (names_here, names_there): (Vec<Value>, Vec<Value>) = (names(self), names(other));
        self.kind == other.kind && self.remedy == other.remedy && names_here == names_there
    }
}

impl Place {
    /// A variant at a level.
    pub(crate) fn of_level(variant: impl Into<String>, level: impl Into<String>) -> Self {
        Self { variant: Some(variant.into()), level: Some(level.into()), round: None }
    }

    /// A variant at all of its levels.
    pub(crate) fn of_variant(variant: impl Into<String>) -> Self {
        Self { variant: Some(variant.into()), ..Self::default() }
    }

    /// The round that shows it most.
    #[must_use]
    pub(crate) fn in_round(self, round: Option<u32>) -> Self {
        Self { round, ..self }
    }

    /// True for the same variant and level, whatever the round.
    pub fn is_same_level(&self, other: &Self) -> bool {
        (&self.variant, &self.level) == (&other.variant, &other.level)
    }
}

/// The notation of claims, without the round: `web-jar @ 2700`; empty for a whole execution.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.variant, &self.level) {
            (Some(variant), Some(level)) => write!(f, "{variant} @ {level}"),
            (Some(only), None) | (None, Some(only)) => f.write_str(only),
            (None, None) => Ok(()),
        }
    }
}

impl Value {
    const fn is_text(&self) -> bool {
        matches!(self, Self::Text(_))
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<u64> for Value {
    fn from(count: u64) -> Self {
        Self::Number(count as f64)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

fn id<S: Serializer>(kind: &&'static Kind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.id)
}

fn name<S: Serializer>(measure: &Measure, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(measure.name)
}
