//! Comparisons of two numbers: of claims, thresholds and checks.

/// `<`, `<=`, `>` or `>=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// From its sign.
    pub fn of_sign(sign: &str) -> Option<Self> {
        match sign {
            "<" => Some(Self::Less),
            "<=" => Some(Self::AtMost),
            ">" => Some(Self::Greater),
            ">=" => Some(Self::AtLeast),
            _ => None,
        }
    }

    /// Whether the comparison holds; never for values without an order, such as NaN.
    pub fn holds<T: PartialOrd>(self, left: T, right: T) -> bool {
        match self {
            Self::Less => left < right,
            Self::AtMost => left <= right,
            Self::Greater => left > right,
            Self::AtLeast => left >= right,
        }
    }

    /// The same statement with its sides exchanged.
    #[must_use]
    pub const fn exchanged(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::AtMost => Self::AtLeast,
            Self::Greater => Self::Less,
            Self::AtLeast => Self::AtMost,
        }
    }

    /// As in `3 is less than 4`.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Less => "less than",
            Self::AtMost => "at most",
            Self::Greater => "more than",
            Self::AtLeast => "at least",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGNS: [&str; 4] = ["<", "<=", ">", ">="];

    #[test]
    fn each_sign_holds_where_it_should() {
        let holds = |left, right| SIGNS.map(|sign| Comparison::of_sign(sign).is_some_and(|it| it.holds(left, right)));
        assert_eq!(holds(1.0, 2.0), [true, true, false, false]);
        assert_eq!(holds(2.0, 2.0), [false, true, false, true]);
        assert_eq!(holds(3.0, 2.0), [false, false, true, true]);
        assert_eq!(holds(f64::NAN, 2.0), [false; 4]);
        assert_eq!(Comparison::of_sign("=="), None);
    }

    #[test]
    fn exchanged_sides_say_the_same() {
        for comparison in SIGNS.into_iter().filter_map(Comparison::of_sign) {
            for (left, right) in [(1, 2), (2, 2), (3, 2)] {
                assert_eq!(comparison.exchanged().holds(right, left), comparison.holds(left, right));
            }
        }
    }
}
