//! Key figures of an experiment over all its executions.

use plimsoll_record::{KeyFigure, Listed, VariantSummary};
use serde::Serialize;

/// Version of the JSON document of trends: raised when a field changes its meaning or goes away.
pub const TREND_FORMAT: u32 = 1;

/// An experiment over time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trend {
    /// [`TREND_FORMAT`].
    pub format: u32,
    /// Its name.
    pub name: String,
    /// Executions, oldest first.
    pub executions: Vec<TrendExecution>,
    /// Series by variant, then figure.
    pub series: Vec<TrendSeries>,
}

/// One of its executions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrendExecution {
    /// Number in the record.
    pub id: i64,
    /// RFC 3339, UTC.
    pub started_at: String,
    /// Commit of the directory of its file.
    pub commit: Option<String>,
    /// Claims that hold.
    pub claims_held: u32,
    /// Claims that fail.
    pub claims_failed: u32,
    /// Claims that cannot be told.
    pub claims_undecided: u32,
    /// Thresholds that were kept.
    pub thresholds_kept: u32,
    /// Thresholds that were exceeded.
    pub thresholds_exceeded: u32,
}

/// A figure of a variant over time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrendSeries {
    /// Name of the variant.
    pub variant: String,
    /// The level in its newest execution; executions at another level have no value here.
    pub level: Option<String>,
    /// The name in claims.
    pub metric: String,
    /// Unit of the values.
    pub unit: String,
    /// One for each execution; none where it was not measured, or at another level.
    pub values: Vec<Option<TrendValue>>,
}

/// A figure of one execution.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TrendValue {
    /// Median over rounds.
    pub value: f64,
    /// 95 % interval of the typical round; none with too few rounds.
    pub interval: Option<[f64; 2]>,
}

impl TrendSeries {
    /// Last ÷ first value; none where there are fewer than two.
    pub fn change(&self) -> Option<f64> {
        let mut values = self.values.iter().flatten();
        let first = values.next()?.value;
        let last = values.next_back()?.value;
        (first > 0.0).then(|| last / first)
    }
}

/// The trend of executions of one name, oldest first. Those without figures are left out.
pub fn trend(name: &str, listed: &[Listed]) -> Trend {
    let has_figures = |it: &&Listed| {
        it.summary.as_ref().is_some_and(|summary| summary.variants.iter().any(|it| !it.figures.is_empty()))
    };
    let measured: Vec<&Listed> = listed.iter().filter(has_figures).collect();
    let mut series: Vec<TrendSeries> = Vec::new();
    // The newest first: it says which level counts.
    for (variant, figure) in measured.iter().rev().flat_map(|it| figures(it)) {
        let is_known = |it: &TrendSeries| it.variant == variant.name && it.metric == figure.name;
        if !series.iter().any(is_known) {
            let values = measured.iter().map(|it| value(it, variant, figure)).collect();
            series.push(TrendSeries {
                variant: variant.name.clone(),
                level: variant.level.clone(),
                metric: figure.name.clone(),
                unit: figure.unit.clone(),
                values,
            });
        }
    }
    Trend {
        format: TREND_FORMAT,
        name: name.to_owned(),
        executions: measured.iter().map(|it| of(it)).collect(),
        series,
    }
}

fn of(listed: &Listed) -> TrendExecution {
    let summary = listed.summary.clone().unwrap_or_default();
    TrendExecution {
        id: listed.id,
        started_at: listed.started_at.clone(),
        commit: listed.environment.git_commit.clone(),
        claims_held: summary.claims.hold,
        claims_failed: summary.claims.fail,
        claims_undecided: summary.claims.undecided,
        thresholds_kept: summary.thresholds.kept,
        thresholds_exceeded: summary.thresholds.exceeded,
    }
}

fn figures(listed: &Listed) -> impl Iterator<Item = (&VariantSummary, &KeyFigure)> {
    let variants = listed.summary.iter().flat_map(|it| &it.variants);
    variants.flat_map(|variant| variant.figures.iter().map(move |figure| (variant, figure)))
}

fn value(listed: &Listed, variant: &VariantSummary, figure: &KeyFigure) -> Option<TrendValue> {
    let is_it = |(other, found): &(&VariantSummary, &KeyFigure)| {
        other.name == variant.name && other.level == variant.level && found.name == figure.name
    };
    let (_, found) = figures(listed).find(is_it)?;
    Some(TrendValue { value: found.value, interval: found.interval })
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{Environment, ExecutionStatus, ExecutionSummary};

    use super::*;

    fn listed(id: i64, level: &str, p99: Option<f64>) -> Listed {
        let figure = |value| KeyFigure { name: "p99".to_owned(), unit: "ms".to_owned(), value, interval: None };
        let figures = p99.map(figure).into_iter().collect();
        let variant = VariantSummary { name: "web".to_owned(), level: Some(level.to_owned()), figures };
        Listed {
            id,
            name: "orders".to_owned(),
            title: String::new(),
            started_at: format!("2026-05-0{id}T09:30:00Z"),
            ended_at: None,
            status: ExecutionStatus::Done,
            environment: Environment::default(),
            summary: Some(ExecutionSummary { variants: vec![variant], ..ExecutionSummary::default() }),
        }
    }

    #[test]
    fn values_are_of_the_level_of_the_newest_and_executions_without_any_are_left_out() {
        let all = [
            listed(1, "100", Some(8.0)),
            listed(2, "500", Some(99.0)),
            listed(3, "100", None),
            listed(4, "100", Some(10.0)),
        ];
        let found = trend("orders", &all);
        assert_eq!(found.executions.iter().map(|it| it.id).collect::<Vec<_>>(), [1, 2, 4]);
        let [series] = found.series.as_slice() else { panic!("{:?}", found.series) };
        let values: Vec<Option<f64>> = series.values.iter().map(|it| it.map(|it| it.value)).collect();
        assert_eq!(values, [Some(8.0), None, Some(10.0)]);
        assert_eq!((series.level.as_deref(), series.change()), (Some("100"), Some(1.25)));
    }
}
