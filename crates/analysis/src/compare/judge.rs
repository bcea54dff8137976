//! Differences of figures, and verdicts on them.

use super::figures::Named;
use crate::{
    intervals::{ERROR, Interval, LEAST_ROUNDS, Rounds, Scale, Searched, Unpaired, holm},
    results::{Difference, DifferenceVerdict, Figure},
};

/// Relative differences up to this do not count: figures are kept to three digits.
const LEAST_FACTOR: f64 = 0.005;
/// Relative distance of neighbouring values.
const STEP: f64 = 0.001;
/// Shares of errors that are surely greater by more than this are a regression, in percentage points.
pub const ERRORS_TOLERANCE_POINTS: f64 = 0.1;

/// A figure in both executions.
pub(super) struct Pair {
    pub variant: String,
    pub level: Option<String>,
    pub named: Named,
    pub figures: [Figure; 2],
    /// The intervals of load lines that have too few rounds, but searches that know both ends.
    pub searched: Option<Searched>,
    /// Requests that ended in a round, on average: one error more or less is a share of 1/`ended`.
    pub ended: f64,
    /// Why its figures may not be those of the service.
    pub doubt: Option<String>,
}

impl Pair {
    fn unpaired(&self) -> Unpaired<'_> {
        let (scale, step) = match self.named.is_share {
            true => (Scale::Events { most: 100.0 }, 100.0 / self.ended.max(1.0)),
            false => (Scale::Logarithmic, STEP),
        };
        let [before, after] =
            [0, 1].map(|side: usize| Rounds { step, ..Rounds::of(&self.figures[side].rounds, scale) });
        Unpaired { before, after }
    }

    fn interval(&self, error: f64) -> Option<Interval> {
        self.searched.map_or_else(|| self.unpaired().interval(error), |it| Some(it.interval(error)))
    }

    fn chance(&self, bound: f64) -> Option<f64> {
        self.searched.map_or_else(|| self.unpaired().chance(bound), |it| Some(it.chance(bound)))
    }

    pub fn has_rounds(&self) -> bool {
        self.figures.iter().all(|it| it.rounds.len() >= LEAST_ROUNDS)
    }

    /// The change in percent, or percentage points, from a value of the interval.
    fn change(&self, of: f64) -> f64 {
        if self.named.is_share { of } else { (of - 1.0) * 100.0 }
    }

    /// The value of the interval at which nothing differs.
    const fn neutral(&self) -> f64 {
        if self.named.is_share { 0.0 } else { 1.0 }
    }

    /// The value of the interval from which on it is worse by the tolerance.
    fn limit(&self, tolerance: f64) -> f64 {
        match (self.named.is_share, self.named.is_higher_better) {
            (true, _) => ERRORS_TOLERANCE_POINTS,
            (false, true) => least_factor(tolerance),
            (false, false) => 1.0 + tolerance,
        }
    }

    fn is_worse(&self, change: f64) -> bool {
        if self.named.is_higher_better { change < 0.0 } else { change > 0.0 }
    }
}

/// The factor below which a figure that should be high is worse by the tolerance.
pub(super) fn least_factor(tolerance: f64) -> f64 {
    1.0 / (1.0 + tolerance)
}

/// All figures, judged together: `tolerance` as a share. The verdicts, and how many were judged.
pub(super) fn all(pairs: &[Pair], tolerance: f64) -> (Vec<Difference>, u32) {
    let judged: Vec<usize> =
        (0..pairs.len()).filter(|&it| pairs[it].doubt.is_none() && pairs[it].interval(ERROR).is_some()).collect();
    let called = |bound: &dyn Fn(&Pair) -> f64| {
        let chances: Vec<f64> = judged.iter().map(|&it| pairs[it].chance(bound(&pairs[it])).unwrap_or(1.0)).collect();
        let mut all = vec![false; pairs.len()];
        judged.iter().zip(holm(&chances)).for_each(|(&it, is_called)| all[it] = is_called);
        all
    };
    let differs = called(&Pair::neutral);
    let beyond = called(&|it| it.limit(tolerance));
    let of = |(index, pair): (usize, &Pair)| difference(pair, differs[index], beyond[index], tolerance);
    (pairs.iter().enumerate().map(of).collect(), judged.len() as u32)
}

fn difference(pair: &Pair, differs: bool, is_beyond: bool, tolerance: f64) -> Difference {
    let [before, after] = [&pair.figures[0], &pair.figures[1]];
    let interval = pair.interval(ERROR);
    let medians = if pair.named.is_share { after.median - before.median } else { after.median / before.median };
    let of = interval.map_or(medians, |it| it.estimate);
    let change = pair.change(of);
    let bounds = interval.map(|it| [pair.change(it.low), pair.change(it.high)]);
    let is_tiny = !pair.named.is_share && (of - 1.0).abs() < LEAST_FACTOR;
    let is_within = match bounds {
        Some([low, high]) => {
            let most = if pair.named.is_share { ERRORS_TOLERANCE_POINTS } else { tolerance * 100.0 };
            low > -most && high < most
        }
        None => false,
    };
    let is_errorless = pair.named.is_share && [before, after].iter().all(|it| it.max == 0.0);
    let verdict = match () {
        () if pair.searched.is_none() && !pair.has_rounds() => None,
        () if pair.doubt.is_some() || interval.is_none() => Some(DifferenceVerdict::Undecided),
        () if differs && !is_tiny && pair.is_worse(change) => Some(DifferenceVerdict::Worse),
        () if differs && !is_tiny => Some(DifferenceVerdict::Better),
        () if is_within || is_errorless || (differs && is_tiny) => Some(DifferenceVerdict::NoDifference),
        () => Some(DifferenceVerdict::Undecided),
    };
    let is_undecided = verdict == Some(DifferenceVerdict::Undecided);
    let is_alone = bounds.is_some_and(|[low, high]| low > 0.0 || high < 0.0);
    let reason = || match (&pair.doubt, interval) {
        (Some(doubt), _) => doubt.clone(),
        (None, None) => "a round has no value above zero".to_owned(),
        (None, Some(_)) if is_alone => {
            "alone it would differ; of so many figures one in twenty does by chance".to_owned()
        }
        (None, Some(_)) if pair.searched.is_some() => {
            "the intervals of the searches are too wide: a finer resolution, with more time, narrows them".to_owned()
        }
        (None, Some(_)) if pair.named.is_share => "too few requests to tell such shares".to_owned(),
        (None, Some(_)) => "rounds differ too much".to_owned(),
    };
    let half = if pair.named.is_share { ERRORS_TOLERANCE_POINTS } else { tolerance.ln_1p() };
    Difference {
        variant: pair.variant.clone(),
        level: pair.level.clone(),
        metric: pair.named.name,
        unit: pair.named.unit,
        before: before.median,
        after: after.median,
        rounds: [before.rounds.clone(), after.rounds.clone()],
        change,
        interval: bounds,
        is_of_searches: pair.searched.is_some(),
        verdict,
        is_regression: verdict == Some(DifferenceVerdict::Worse) && is_beyond && is_beyond_limit(pair, of, tolerance),
        reason: is_undecided.then(reason),
        rounds_needed: pair.unpaired().rounds_for(half).filter(|_| is_undecided && pair.doubt.is_none()),
    }
}

/// Whether a difference lies on the worse side of the limit.
fn is_beyond_limit(pair: &Pair, of: f64, tolerance: f64) -> bool {
    let limit = pair.limit(tolerance);
    if pair.named.is_higher_better { of < limit } else { of > limit }
}
