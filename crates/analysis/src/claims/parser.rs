//! From text to an expression, by recursive descent over the grammar in [`super`].

use plimsoll_record::Comparison;

use super::{
    ClaimError, ClaimExpression, FiguresClaim, Statement,
    check::meant_or_all,
    dimension::{Dimension, Unit},
    expression::{Expression, Extreme, FigureName, Name, Operator, mismatch},
    limit::{self, LimitClaim},
    metric::Metric,
};

/// Bounds the recursion over what was read.
const LONGEST: usize = 2_000;
/// Bounds the recursion while reading.
const DEEPEST: u32 = 50;

type Parsed<T> = Result<T, ClaimError>;

pub(super) fn parse(text: &str) -> Parsed<ClaimExpression> {
    if text.chars().count() > LONGEST {
        return Err(ClaimError::new(LONGEST, format!("a claim has at most {LONGEST} characters: split it")));
    }
    let mut parser = Parser { text, at: 0, depth: 0 };
    let statement = match parser.is_limit() {
        true => Statement::Limit(parser.limit()?),
        false => Statement::Figures(parser.claim()?),
    };
    Ok(ClaimExpression(statement))
}

struct Parser<'a> {
    text: &'a str,
    /// Position, in bytes.
    at: usize,
    depth: u32,
}

impl<'a> Parser<'a> {
    fn is_limit(&mut self) -> bool {
        self.peek();
        self.rest().strip_prefix(limit::WORD).is_some_and(|rest| rest.trim_start().starts_with('('))
    }

    /// `limit(variant @ level) = kind`, or `!=`.
    fn limit(&mut self) -> Parsed<LimitClaim> {
        self.at += limit::WORD.len();
        let (variant, level, series) = self.in_parentheses(Self::names)?;
        if let Some(series) = series {
            let message = format!("a limit is of no series: remove `, {}`", series.text);
            return Err(ClaimError::new(series.column, message));
        }
        let is_equal = match self.peek() {
            Some('=') => true,
            Some('!') if self.rest().starts_with("!=") => false,
            _ => return Err(self.expected("`=` or `!=`, and a kind of limit")),
        };
        self.at += if is_equal { 1 } else { 2 };
        let column = self.column();
        let text = self.take_while(|next| next.is_alphanumeric() || next == '-').to_owned();
        if text.is_empty() {
            return Err(self.expected("a kind of limit, e.g. `client-pool`"));
        }
        if self.peek().is_some() {
            return Err(self.expected("the end"));
        }
        LimitClaim::new(variant, level, is_equal, &Name { text, column })
    }

    fn claim(&mut self) -> Parsed<FiguresClaim> {
        let left = self.sum()?;
        let column = self.column();
        let comparison = self.comparison()?;
        let right = self.sum()?;
        if self.peek().is_some_and(|next| "<>=".contains(next)) {
            return Err(self.expected("the end: a claim has one comparison"));
        }
        if self.peek().is_some() {
            return Err(self.expected("an operator or the end"));
        }
        if left.figures().is_empty() && right.figures().is_empty() {
            return Err(ClaimError::new(
                1,
                "this compares numbers only: name a figure, e.g. throughput(variant @ level)",
            ));
        }
        only_extremes_have_patterns(&left)?;
        only_extremes_have_patterns(&right)?;
        let (of_left, of_right) = (left.dimension()?, right.dimension()?);
        if of_left == of_right {
            Ok(FiguresClaim { left, comparison, right })
        } else {
            Err(mismatch(column, "compares", of_left, of_right))
        }
    }

    fn comparison(&mut self) -> Parsed<Comparison> {
        let comparison = match (self.peek(), self.rest().chars().nth(1)) {
            (Some('<'), Some('=')) => Comparison::AtMost,
            (Some('>'), Some('=')) => Comparison::AtLeast,
            (Some('<'), _) => Comparison::Less,
            (Some('>'), _) => Comparison::Greater,
            _ => return Err(self.expected("one of <, <=, >, >=")),
        };
        self.at += if matches!(comparison, Comparison::Less | Comparison::Greater) { 1 } else { 2 };
        Ok(comparison)
    }

    fn sum(&mut self) -> Parsed<Expression> {
        let operator = |next| match next {
            '+' => Some(Operator::Add),
            '-' => Some(Operator::Subtract),
            _ => None,
        };
        self.chain(operator, Self::product)
    }

    fn product(&mut self) -> Parsed<Expression> {
        let operator = |next| match next {
            '*' => Some(Operator::Multiply),
            '/' => Some(Operator::Divide),
            _ => None,
        };
        self.chain(operator, Self::factor)
    }

    /// Operands with operators between them, from left to right.
    fn chain(
        &mut self,
        operator: fn(char) -> Option<Operator>,
        operand: fn(&mut Self) -> Parsed<Expression>,
    ) -> Parsed<Expression> {
        let mut left = operand(self)?;
        while let Some(operator) = self.peek().and_then(operator) {
            let column = self.column();
            self.at += 1;
            let right = operand(self)?;
            left = Expression::Binary { operator, column, left: left.into(), right: right.into() };
        }
        Ok(left)
    }

    fn factor(&mut self) -> Parsed<Expression> {
        if self.depth == DEEPEST {
            return Err(ClaimError::new(self.column(), format!("more than {DEEPEST} parentheses within each other")));
        }
        self.depth += 1;
        let factor = match self.peek() {
            Some('-') => {
                self.at += 1;
                Expression::Negative(self.factor()?.into())
            }
            Some('(') => self.in_parentheses(Self::sum)?,
            Some(digit) if digit.is_ascii_digit() => self.number()?,
            Some(letter) if letter.is_alphabetic() => self.call()?,
            _ => return Err(self.expected("a figure such as throughput(variant @ level), or a number")),
        };
        self.depth -= 1;
        Ok(factor)
    }

    fn number(&mut self) -> Parsed<Expression> {
        let column = self.column();
        let digits = self.take_while(|next| next.is_ascii_digit() || next == '.');
        let Ok(value) = digits.parse::<f64>() else {
            return Err(ClaimError::new(column, format!("`{digits}` is not a number")));
        };
        self.peek();
        if let Some(unit) = Unit::at_start_of(self.rest()) {
            self.at += unit.text.len();
            return Ok(Expression::Number { value, unit });
        }
        if self.peek().is_some_and(|next| next.is_alphanumeric() || next == '_') {
            return Err(self.expected(&format!("an operator or a unit ({})", Unit::list())));
        }
        Ok(Expression::Number { value, unit: Dimension::RATIO.default_unit() })
    }

    /// A function or a figure: a word and what is in its parentheses.
    fn call(&mut self) -> Parsed<Expression> {
        let column = self.column();
        let word = self.take_while(|next| next.is_alphanumeric() || next == '_');
        let extreme = match word {
            "abs" => return Ok(Expression::Abs(self.in_parentheses(Self::sum)?.into())),
            "max" => Some(Extreme::Max),
            "min" => Some(Extreme::Min),
            _ => None,
        };
        match extreme {
            Some(extreme) if self.holds_expressions() => {
                Ok(Expression::Extreme { extreme, column, of: self.in_parentheses(Self::list)? })
            }
            _ => self.figure(word, column),
        }
    }

    /// True if `max(…)` is a function of other figures rather than the greatest response time: figures have parentheses
    /// of their own.
    fn holds_expressions(&mut self) -> bool {
        self.peek();
        let inside = self.rest().get(1..).unwrap_or_default();
        inside.find(['(', ')', '@', '"']).is_some_and(|at| inside[at..].starts_with('('))
    }

    fn list(&mut self) -> Parsed<Vec<Expression>> {
        let mut list = vec![self.sum()?];
        while self.peek() == Some(',') {
            self.at += 1;
            list.push(self.sum()?);
        }
        Ok(list)
    }

    fn figure(&mut self, word: &str, column: usize) -> Parsed<Expression> {
        if word == limit::WORD {
            let message = "a limit is a kind and no number, and stands alone: `limit(variant @ level) = client-pool`";
            return Err(ClaimError::new(column, message));
        }
        let Some(metric) = Metric::named(word) else {
            let names: Vec<&str> = Metric::names().chain(["abs"]).collect();
            let message = format!("there is no metric `{word}`{}", meant_or_all(word, &names));
            return Err(ClaimError::new(column, message));
        };
        let (variant, level, series) = self.in_parentheses(Self::names)?;
        match (&series, metric.needs_series()) {
            (None, true) => {
                let message =
                    format!("{word} needs a series of the target's own: write {word}(variant @ level, 'series')");
                return Err(ClaimError::new(column, message));
            }
            (Some(series), false) if !metric.is_of_line() => {
                return Err(ClaimError::new(
                    series.column,
                    format!("{word} is of no series: remove `, {}`", series.text),
                ));
            }
            _ => {}
        }
        match &level {
            None if metric.needs_level() => {
                let message = format!("{word} needs a level: write {word}({} @ level)", variant.text);
                Err(ClaimError::new(column, message))
            }
            Some(level) if !metric.needs_level() && !metric.is_of_benchmark() => {
                let message =
                    format!("{word} is a figure of the whole run, without a level: write {word}({})", variant.text);
                Err(ClaimError::new(level.column, message))
            }
            _ => Ok(Expression::Figure(FigureName { metric, variant, level, series })),
        }
    }

    fn names(&mut self) -> Parsed<(Name, Option<Name>, Option<Name>)> {
        let variant = self.name("the name of a variant")?;
        let level = self.name_after('@', "the label of a level")?;
        let series = self.name_after(',', "a series of the target's own")?;
        Ok((variant, level, series))
    }

    fn name_after(&mut self, sign: char, what: &str) -> Parsed<Option<Name>> {
        if self.peek() != Some(sign) {
            return Ok(None);
        }
        self.at += 1;
        self.name(what).map(Some)
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        let quote = self.peek().filter(|next| "\"'".contains(*next));
        let column = self.column();
        let text = if let Some(quote) = quote {
            self.at += 1;
            let text = self.take_while(|next| next != quote);
            self.expect(quote)?;
            text
        } else {
            self.take_while(|next| !"@(),\"".contains(next)).trim_end()
        };
        if text.is_empty() { Err(self.expected(what)) } else { Ok(Name { text: text.to_owned(), column }) }
    }

    fn in_parentheses<T>(&mut self, inside: fn(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.expect('(')?;
        let inside = inside(self)?;
        self.expect(')')?;
        Ok(inside)
    }

    fn expect(&mut self, expected: char) -> Parsed<()> {
        if self.peek() != Some(expected) {
            return Err(self.expected(&format!("`{expected}`")));
        }
        self.at += expected.len_utf8();
        Ok(())
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next character that is no space; what is before it is passed over.
    fn peek(&mut self) -> Option<char> {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.rest().chars().next()
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|next| !accept(next)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Column of the next character that is no space, 1-based.
    fn column(&mut self) -> usize {
        self.peek();
        self.text[..self.at].chars().count() + 1
    }

    fn expected(&mut self, expected: &str) -> ClaimError {
        let found = self.peek().map_or_else(|| "the end".to_owned(), |next| format!("`{next}`"));
        ClaimError::new(self.column(), format!("expected {expected}, found {found}"))
    }
}

/// A pattern stands for several figures, so only `max` and `min` can take it.
fn only_extremes_have_patterns(expression: &Expression) -> Parsed<()> {
    match expression {
        Expression::Number { .. } => Ok(()),
        Expression::Figure(figure) if figure.is_pattern() => {
            let message = format!("`{figure}` may be several figures: take max(…) or min(…) of it");
            Err(ClaimError::new(figure.variant.column, message))
        }
        Expression::Figure(_) => Ok(()),
        Expression::Negative(inner) | Expression::Abs(inner) => only_extremes_have_patterns(inner),
        Expression::Extreme { of, .. } => {
            of.iter().filter(|it| !matches!(it, Expression::Figure(_))).try_for_each(only_extremes_have_patterns)
        }
        Expression::Binary { left, right, .. } => {
            only_extremes_have_patterns(left)?;
            only_extremes_have_patterns(right)
        }
    }
}
