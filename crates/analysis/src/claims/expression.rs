//! A claim's text as a tree, with the columns of its parts.

use std::fmt;

use super::{
    ClaimError,
    dimension::{Dimension, Unit},
    metric::Metric,
};

/// A side of a claim, or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    /// A number in the unit as written.
    Number {
        value: f64,
        unit: Unit,
    },
    Figure(FigureName),
    Negative(Box<Self>),
    Abs(Box<Self>),
    Extreme {
        extreme: Extreme,
        column: usize,
        of: Vec<Self>,
    },
    Binary {
        operator: Operator,
        column: usize,
        left: Box<Self>,
        right: Box<Self>,
    },
}

/// A figure by its names.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FigureName {
    pub metric: &'static Metric,
    pub variant: Name,
    /// The level, if the metric needs one; for a benchmark's metric the benchmark, if there is more than one.
    pub level: Option<Name>,
    /// The series, if and only if the metric is one of the target's own series.
    pub series: Option<Name>,
}

/// The name of a variant or a level, or a pattern of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub text: String,
    pub column: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extreme {
    Max,
    Min,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl Extreme {
    pub const fn opposite(self) -> Self {
        match self {
            Self::Max => Self::Min,
            Self::Min => Self::Max,
        }
    }

    pub fn of(self, values: impl Iterator<Item = f64>) -> f64 {
        match self {
            Self::Max => values.fold(f64::NEG_INFINITY, f64::max),
            Self::Min => values.fold(f64::INFINITY, f64::min),
        }
    }
}

impl Name {
    pub fn is_pattern(&self) -> bool {
        self.text.contains('*')
    }

    /// True if `name` is this name, or matches this pattern.
    pub fn matches(&self, name: &str) -> bool {
        matches(&self.text, name)
    }
}

/// True if `name` is `pattern`, in which `*` stands for anything, nothing included.
pub fn matches(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(start) else { return false };
    let (middle, end) = rest.rsplit_once('*').unwrap_or(("", rest));
    for part in middle.split('*') {
        match name.find(part) {
            Some(at) => name = &name[at + part.len()..],
            None => return false,
        }
    }
    name.ends_with(end)
}

impl FigureName {
    pub fn is_pattern(&self) -> bool {
        self.variant.is_pattern() || self.level.as_ref().is_some_and(Name::is_pattern)
    }

    /// The variant, and the request after a `/` if one of its requests is meant. A variant whose own name has the `/`
    /// comes first.
    pub fn variant_and_request<'a>(&self, mut variants: impl Iterator<Item = &'a str>) -> (Name, Option<Name>) {
        let Name { text, column } = &self.variant;
        match text.split_once('/') {
            Some((variant, request)) if !variants.any(|known| self.variant.matches(known)) => {
                let request_column = column + variant.chars().count() + 1;
                let variant = Name { text: variant.to_owned(), column: *column };
                (variant, Some(Name { text: request.to_owned(), column: request_column }))
            }
            _ => (self.variant.clone(), None),
        }
    }
}

impl Expression {
    /// The figures it names, from left to right.
    pub fn figures(&self) -> Vec<&FigureName> {
        match self {
            Self::Number { .. } => Vec::new(),
            Self::Figure(figure) => vec![figure],
            Self::Negative(inner) | Self::Abs(inner) => inner.figures(),
            Self::Extreme { of, .. } => of.iter().flat_map(Self::figures).collect(),
            Self::Binary { left, right, .. } => [left.figures(), right.figures()].concat(),
        }
    }

    /// The first unit of this dimension that is written in it.
    pub fn unit_written(&self, dimension: Dimension) -> Option<&Unit> {
        match self {
            Self::Number { unit, .. } => Some(unit).filter(|unit| unit.dimension == dimension),
            Self::Figure(_) => None,
            Self::Negative(inner) | Self::Abs(inner) => inner.unit_written(dimension),
            Self::Extreme { of, .. } => of.iter().find_map(|it| it.unit_written(dimension)),
            Self::Binary { left, right, .. } => left.unit_written(dimension).or_else(|| right.unit_written(dimension)),
        }
    }

    /// The dimension of its value.
    ///
    /// # Errors
    /// Operands of different units are added, subtracted or compared.
    pub fn dimension(&self) -> Result<Dimension, ClaimError> {
        match self {
            Self::Number { unit, .. } => Ok(unit.dimension),
            Self::Figure(figure) => Ok(figure.metric.dimension),
            Self::Negative(inner) | Self::Abs(inner) => inner.dimension(),
            Self::Extreme { column, of, .. } => {
                let dimensions = of.iter().map(Self::dimension).collect::<Result<Vec<_>, _>>()?;
                let odd = dimensions.iter().find(|&&it| it != dimensions[0]);
                odd.map_or(Ok(dimensions[0]), |&odd| Err(mismatch(*column, "compares", dimensions[0], odd)))
            }
            Self::Binary { operator, column, left, right } => {
                operator.dimension(*column, left.dimension()?, right.dimension()?)
            }
        }
    }
}

impl Operator {
    fn dimension(self, column: usize, left: Dimension, right: Dimension) -> Result<Dimension, ClaimError> {
        match self {
            Self::Multiply => Ok(left * right),
            Self::Divide => Ok(left / right),
            Self::Add | Self::Subtract if left == right => Ok(left),
            Self::Add => Err(mismatch(column, "adds", left, right)),
            Self::Subtract => Err(mismatch(column, "subtracts", left, right)),
        }
    }
}

/// The error for operands of different units at `column`.
pub(super) fn mismatch(column: usize, verb: &str, left: Dimension, right: Dimension) -> ClaimError {
    let hint = match (left, right) {
        (Dimension::RATIO, Dimension::PERCENT) | (Dimension::PERCENT, Dimension::RATIO) => {
            ": write a ratio without `%` (0.35 for 35 %), a percentage with it".to_owned()
        }
        (Dimension::RATIO, other) | (other, Dimension::RATIO) => {
            let unit = other.default_unit().text;
            format!(": a bare number is a ratio; write {other} with its unit, e.g. `200{unit}`")
        }
        _ => String::new(),
    };
    ClaimError::new(column, format!("this {verb} {left} and {right}, but both must have the same unit{hint}"))
}

impl fmt::Display for FigureName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({}", self.metric.name, self.variant.text)?;
        self.level.iter().try_for_each(|level| write!(f, " @ {}", level.text))?;
        self.series.iter().try_for_each(|series| write!(f, ", '{}'", series.text))?;
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn matches(pattern: &str, name: &str) -> bool {
        Name { text: pattern.to_owned(), column: 1 }.matches(name)
    }

    /// The definition, as slow as it is plain.
    fn matches_by_definition(pattern: &[char], name: &[char]) -> bool {
        match (pattern, name) {
            ([], []) => true,
            (['*', pattern @ ..], _) => (0..=name.len()).any(|skip| matches_by_definition(pattern, &name[skip..])),
            ([expected, pattern @ ..], [found, name @ ..]) => expected == found && matches_by_definition(pattern, name),
            _ => false,
        }
    }

    #[test]
    fn a_star_stands_for_any_characters() {
        assert!(matches("web-*", "web-jar") && matches("*", "") && matches("*-vt", "web-vt"));
        assert!(matches("a*c*e", "abcde") && !matches("ab*ba", "aba"));
        assert!(!matches("web", "web-jar") && !matches("web-*", "reactive-jar"));
    }

    proptest! {
        #[test]
        fn patterns_match_as_defined(pattern in "[ab*]{0,6}", name in "[ab]{0,8}") {
            let chars = |text: &str| text.chars().collect::<Vec<_>>();
            prop_assert_eq!(matches(&pattern, &name), matches_by_definition(&chars(&pattern), &chars(&name)));
        }
    }
}
