//! From text to a threshold.

use plimsoll_record::{Comparison, Nanos};

use super::{Metric, Relation, Statistic, Threshold, ThresholdError};

const METRICS: &str = "expected `p(99)`, `avg`, `min`, `med`, `max`, each also as `service.p(99)`, or `errors`, `checks`, \
                       `throughput`, `count`, `dropped`";

pub(super) fn parse(text: &str) -> Result<Threshold, ThresholdError> {
    let mut reader = Reader { text, at: 0 };
    let metric = reader.metric()?;
    let (mut scenario, mut request) = (None, None);
    if reader.takes("{") {
        loop {
            let (name, value) = reader.tag()?;
            let place = if name == "scenario" { &mut scenario } else { &mut request };
            *place = Some(value);
            if !reader.takes(",") {
                break;
            }
        }
        reader.expect("}")?;
    }
    let relation = reader.relation()?;
    let limit = reader.limit(metric)?;
    let abort_after = reader.abort()?;
    reader.expect_end()?;
    Ok(Threshold { text: text.trim().to_owned(), metric, scenario, request, relation, limit, abort_after })
}

/// The threshold that is meant by `p99<200`, with the unit that it would have.
fn bare_percentile(text: &str) -> Option<String> {
    let rest = text.strip_prefix('p')?;
    let (digits, comparison) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit() && c != '.')?);
    digits.parse::<f64>().ok().filter(|percent| *percent <= 100.0)?;
    let unit = if comparison.ends_with(|c: char| c.is_ascii_digit()) { "ms" } else { "" };
    Some(format!("p({digits}){comparison}{unit}")).filter(|meant| parse(meant).is_ok())
}

/// A cursor over the text; spaces count only in names.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        &self.text[self.at..]
    }

    fn error(&self, message: String) -> ThresholdError {
        ThresholdError { column: self.text[..self.at].chars().count() + 1, message }
    }

    fn unexpected(&mut self, expected: &str) -> ThresholdError {
        let rest = self.rest();
        let found = if rest.is_empty() { "the end".to_owned() } else { format!("`{rest}`") };
        self.error(format!("{expected}; found {found}"))
    }

    fn takes(&mut self, word: &str) -> bool {
        let takes = self.rest().starts_with(word);
        self.at += if takes { word.len() } else { 0 };
        takes
    }

    fn expect(&mut self, word: &str) -> Result<(), ThresholdError> {
        if self.takes(word) { Ok(()) } else { Err(self.unexpected(&format!("expected `{word}`"))) }
    }

    fn expect_end(&mut self) -> Result<(), ThresholdError> {
        if self.rest().is_empty() { Ok(()) } else { Err(self.unexpected("expected the end, or `abort`")) }
    }

    fn while_it(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let taken = &rest[..rest.find(|c| !belongs(c)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    fn metric(&mut self) -> Result<Metric, ThresholdError> {
        let is_service = self.takes("service.");
        let begin = self.at;
        let word = self.while_it(|c| c.is_ascii_alphanumeric() || c == '_');
        let statistic = match word {
            "avg" | "mean" => Statistic::Mean,
            "min" => Statistic::Least,
            "med" | "median" => Statistic::Quantile(0.5),
            "max" => Statistic::Greatest,
            "p" => self.percentile()?,
            "errors" if !is_service => return Ok(Metric::Errors),
            "checks" if !is_service => return Ok(Metric::Checks),
            "throughput" if !is_service => return Ok(Metric::Throughput),
            "count" if !is_service => return Ok(Metric::Count),
            "dropped" if !is_service => return Ok(Metric::Dropped),
            _ => {
                self.at = begin;
                let meant = bare_percentile(self.rest()).map(|meant| format!(". Did you mean `{meant}`?"));
                let mut error = self.unexpected(METRICS);
                error.message.extend(meant);
                return Err(error);
            }
        };
        Ok(Metric::Time { is_service, statistic })
    }

    fn percentile(&mut self) -> Result<Statistic, ThresholdError> {
        self.expect("(")?;
        let begin = self.at;
        let percent = self.number()?;
        if !(0.0..=100.0).contains(&percent) {
            self.at = begin;
            return Err(self.unexpected("expected a percentile from 0 to 100"));
        }
        self.expect(")")?;
        Ok(Statistic::Quantile(percent / 100.0))
    }

    fn tag(&mut self) -> Result<(&'static str, String), ThresholdError> {
        let begin = self.at;
        let name = match self.while_it(|c| c.is_ascii_alphanumeric()) {
            "scenario" => "scenario",
            // k6's name for it.
            "request" | "name" => "request",
            _ => {
                self.at = begin;
                return Err(self.unexpected("expected `scenario:NAME` or `request:NAME`"));
            }
        };
        self.expect(":")?;
        let value = self.while_it(|c| !matches!(c, ',' | '}')).trim();
        if value.is_empty() { Err(self.unexpected("expected a name")) } else { Ok((name, value.to_owned())) }
    }

    fn relation(&mut self) -> Result<Relation, ThresholdError> {
        const ALL: [(&str, Relation); 7] = [
            ("<=", Relation::Compares(Comparison::AtMost)),
            (">=", Relation::Compares(Comparison::AtLeast)),
            ("===", Relation::Equals),
            ("==", Relation::Equals),
            ("!=", Relation::Differs),
            ("<", Relation::Compares(Comparison::Less)),
            (">", Relation::Compares(Comparison::Greater)),
        ];
        let found = ALL.iter().find(|(sign, _)| self.takes(sign));
        match found {
            Some(&(_, relation)) => Ok(relation),
            None => Err(self.unexpected("expected one of < <= > >= == !=")),
        }
    }

    fn number(&mut self) -> Result<f64, ThresholdError> {
        let begin = self.at;
        let digits = self.while_it(|c| c.is_ascii_digit() || c == '.');
        digits.parse().map_err(|_| {
            self.at = begin;
            self.unexpected("expected a number")
        })
    }

    fn limit(&mut self, metric: Metric) -> Result<f64, ThresholdError> {
        let number = self.number()?;
        let begin = self.at;
        let unit = self.while_it(|c| c.is_alphabetic() || matches!(c, '%' | '/'));
        let unit = if unit == "abort" {
            self.at = begin;
            ""
        } else {
            unit
        };
        let (factor, expected) = match metric {
            Metric::Time { .. } => (of_time(unit), "a time such as `200ms`, `1.5s` or `800us`"),
            Metric::Errors | Metric::Checks => ((unit == "%").then_some(1.0), "a share in percent, e.g. `0.1%`"),
            Metric::Throughput => {
                (matches!(unit, "" | "/s").then_some(1.0), "requests per second, e.g. `5000` or `5000/s`")
            }
            Metric::Count | Metric::Dropped => (unit.is_empty().then_some(1.0), "a number without a unit"),
        };
        factor.map(|factor| number * factor).ok_or_else(|| {
            self.at = begin;
            self.unexpected(&format!("expected {expected}"))
        })
    }

    fn abort(&mut self) -> Result<Option<Nanos>, ThresholdError> {
        if !self.takes("abort") {
            return Ok(None);
        }
        if !self.takes("after") {
            return Ok(Some(Nanos::ZERO));
        }
        let number = self.number()?;
        let begin = self.at;
        let unit = self.while_it(char::is_alphabetic);
        match of_time(unit).filter(|_| !unit.is_empty()) {
            Some(factor) => Ok(Some(Nanos::from_secs_f64(number * factor / 1e3))),
            None => {
                self.at = begin;
                Err(self.unexpected("expected a time with its unit, e.g. `abort after 10s`"))
            }
        }
    }
}

/// Milliseconds of one unit of time.
fn of_time(unit: &str) -> Option<f64> {
    match unit {
        "" | "ms" => Some(1.0),
        "us" | "µs" => Some(1e-3),
        "ns" => Some(1e-6),
        "s" => Some(1e3),
        "m" | "min" => Some(60e3),
        _ => None,
    }
}
