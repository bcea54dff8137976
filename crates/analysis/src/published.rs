//! Somebody else's figures beside ours, in their units and their order, both audited.

use plimsoll_record::{Conditions, Load, Nanos, PrintedFigure, Published, PublishedLevel, PublishedVariant, Statistic};

use crate::{
    audit::{self, Bounds, Row},
    measured::{Level, Measured},
    results::{
        Audit, BenchmarkResults, BenchmarkScore, Figure, LevelResults, PublishedFigure, PublishedLevelResults,
        PublishedResults, PublishedVariantResults, Results, ScoreRound, VariantResults,
    },
};

pub(crate) fn beside(published: &Published, measured: &Measured, results: &Results) -> PublishedResults {
    let variants = published.variants.iter().map(|row| variant(row, results));
    PublishedResults { variants: variants.collect(), ..levels(published, Some((measured, results))) }
}

/// Audits published figures by the laws that every table must keep, before anything of ours is measured.
pub fn audit(published: &Published) -> PublishedResults {
    levels(published, None)
}

/// Our figures, once there are some.
type Ours<'a> = Option<(&'a Measured<'a>, &'a Results)>;

fn levels(published: &Published, ours: Ours) -> PublishedResults {
    let theirs: Vec<Row> = published.levels.iter().map(Row::published).collect();
    let rows = published.levels.iter().zip(&theirs);
    PublishedResults {
        source: published.source.clone(),
        levels: rows.map(|(row, audited)| level(row, audit::of(audited, &theirs), audited, ours)).collect(),
        variants: Vec::new(),
    }
}

fn level(row: &PublishedLevel, audit: Audit, audited: &Row, all_ours: Ours) -> PublishedLevelResults {
    let score = all_ours.and_then(|(_, results)| our_score(row, results));
    let ours = all_ours.and_then(|(_, results)| ours(row, results));
    let our_figure = |statistic| match (ours, score) {
        (Some(ours), _) => of_level(statistic, ours),
        (None, Some((score, unit))) => of_score(statistic, score, unit),
        (None, None) => None,
    };
    let our_row = ours.zip(all_ours).and_then(|(ours, (measured, _))| our_row(row, ours, measured));
    PublishedLevelResults {
        variant: row.variant.clone(),
        ours: row.ours.clone(),
        level: row.level.clone(),
        figures: row.figures.iter().map(|it| figure(it, our_figure(it.statistic))).collect(),
        littles_law: audit::law(audited),
        audit,
        our_audit: our_row.map(|row| audit::of(&row, &[])),
    }
}

fn of_variant<'a>(results: &'a Results, name: Option<&String>) -> Option<&'a VariantResults> {
    results.variants.iter().find(|it| Some(&it.name) == name)
}

fn ours<'a>(row: &PublishedLevel, results: &'a Results) -> Option<&'a LevelResults> {
    let levels = of_variant(results, row.ours.as_ref())?.levels.iter().flatten();
    levels.into_iter().find(|it| it.label == row.level)
}

/// Our score of the benchmark that the row names in place of a level, and its unit.
fn our_score<'a>(row: &PublishedLevel, results: &'a Results) -> Option<(&'a BenchmarkScore, &'a str)> {
    let of_benchmark = |it: &'a BenchmarkResults| it.scores.iter().map(move |score| (score, it.unit.as_str()));
    let mut scores = results.benchmarks.iter().flat_map(of_benchmark);
    scores.find(|(score, _)| Some(&score.variant) == row.ours.as_ref() && score.label == row.level)
}

/// A time per operation in milliseconds; none for scores in other units.
fn of_score(statistic: Statistic, ours: &BenchmarkScore, unit: &str) -> Option<Figure> {
    let in_ms = match unit {
        "s/op" => 1e3,
        "ms/op" => 1.0,
        "us/op" => 1e-3,
        "ns/op" => 1e-6,
        _ => return None,
    };
    let of_rounds =
        |of: fn(&ScoreRound) -> Option<f64>| ours.rounds.iter().filter_map(of).map(|it| it * in_ms).collect();
    match statistic {
        Statistic::Mean => Figure::of_some(of_rounds(|round| Some(round.score))),
        Statistic::Stdev => Figure::of_some(of_rounds(|round| round.stdev)),
        Statistic::Interval => Figure::of_some(of_rounds(|round| round.interval.map(|[low, high]| high - low))),
        _ => None,
    }
}

/// Our figure for the statistic, in the statistic's unit.
fn of_level(statistic: Statistic, ours: &LevelResults) -> Option<Figure> {
    let times = &ours.response;
    let figure = match statistic {
        Statistic::Total => ours.duration_s.clone(),
        Statistic::Throughput => ours.throughput_per_s.clone(),
        Statistic::Mean => times.mean_ms.clone(),
        Statistic::Median => times.median_ms.clone(),
        Statistic::P90 => times.p90_ms.clone()?,
        Statistic::P95 => times.p95_ms.clone()?,
        Statistic::P99 => times.p99_ms.clone()?,
        Statistic::Min => times.min_ms.clone(),
        Statistic::Max => times.max_ms.clone(),
        Statistic::Errors => ours.errors_percent()?,
        Statistic::Received => ours.received_kb_per_s.clone(),
        Statistic::Sent => ours.sent_kb_per_s.clone(),
        Statistic::Stdev | Statistic::Interval => return None,
        Statistic::StartUp | Statistic::PeakCpu | Statistic::PeakMemory => return None,
    };
    (!figure.rounds.is_empty()).then_some(figure)
}

fn variant(row: &PublishedVariant, results: &Results) -> PublishedVariantResults {
    let ours = of_variant(results, row.ours.as_ref());
    let of = |statistic| {
        let ours = ours?;
        match statistic {
            Statistic::StartUp => ours.startup_s.clone(),
            Statistic::PeakCpu => ours.peak_cpu_percent.clone(),
            Statistic::PeakMemory => ours.peak_rss_mb.clone(),
            _ => None,
        }
    };
    PublishedVariantResults {
        variant: row.variant.clone(),
        ours: row.ours.clone(),
        figures: row.figures.iter().map(|it| figure(it, of(it.statistic))).collect(),
    }
}

fn figure(printed: &PrintedFigure, ours: Option<Figure>) -> PublishedFigure {
    PublishedFigure {
        name: printed.statistic.name().to_owned(),
        unit: printed.statistic.unit().to_owned(),
        published: printed.value,
        step: printed.step,
        ours: ours.map(|ours| ours.median),
    }
}

/// Our row for a published one: the same figures, and those by which these are judged, under the conditions of our
/// plan.
fn our_row(row: &PublishedLevel, ours: &LevelResults, measured: &Measured) -> Option<Row> {
    let level = measured.levels.iter().find(|it| it.label == ours.label)?;
    let settings = measured.plan().variants.iter().find(|it| Some(&it.name) == row.ours.as_ref())?;
    let printed = row.figures.iter().map(|it| it.statistic).chain([Statistic::Errors, Statistic::Max]);
    let figures = printed.filter(|it| ours.totals.counts.failed == 0 || !counts_failures(*it));
    let figures = figures.filter_map(|it| Some((it, Bounds::measured(&of_level(it, ours)?))));
    Some(Row {
        variant: settings.name.clone(),
        level: ours.label.clone(),
        figures: figures.collect(),
        conditions: Conditions {
            workers: settings.workers,
            service_time: settings.service_time,
            pool: settings.connections_per_route,
            call_time: settings.call_time,
            ..conditions(level, ours)
        },
        are_failures_apart: true,
    })
}

/// Whether the statistic counts failed requests, too: bytes do, but our throughput does not.
fn counts_failures(statistic: Statistic) -> bool {
    matches!(statistic, Statistic::Received | Statistic::Sent)
}

fn conditions(level: &Level, ours: &LevelResults) -> Conditions {
    let load = &level.plan.load;
    let all = Conditions {
        vus: load.is_closed().then_some(ours.littles_law.allowed),
        think_time: load.think_time().map(|think| think.mean()),
        ..Conditions::default()
    };
    if let Some((from, to)) = level.stage_window() {
        // A leg of a ramp begins with requests of the leg before.
        return Conditions { duration: load.is_closed().then(|| to - from), ..all };
    }
    match (load.iterations(), load.duration()) {
        (requests, None) => Conditions { requests, ramp_up: ramp_up_of_requests(load), ..all },
        (None, duration) => {
            Conditions { offered_per_s: (!load.is_closed()).then(|| load.peak_target()), duration, ..all }
        }
        // Either the number of requests or the duration may have ended it.
        (Some(_), Some(_)) => all,
    }
}

/// The time over which requests are spread, where each user makes one.
fn ramp_up_of_requests(load: &Load) -> Option<Nanos> {
    load.ramp_up().filter(|_| load.iterations_each() == Some(1))
}

#[cfg(test)]
mod tests {
    use crate::{analyse, results::AuditVerdict, testing::greetings};

    #[test]
    fn each_published_figure_has_ours_in_its_unit() {
        let results = analyse(&greetings());
        let published = results.published.as_ref().unwrap();
        let row = published.levels.iter().find(|it| it.variant == "web-jvm" && it.level == "2700").unwrap();
        let shown: Vec<_> = row.figures.iter().map(|it| (it.name.as_str(), it.unit.as_str(), it.published)).collect();
        assert_eq!(shown, [("total", "s", 14.2), ("throughput", "/s", 190.1), ("mean", "ms", 7_417.0)]);
        let ours = results.variants[0].levels[3].as_ref().unwrap();
        assert_eq!(row.figures[1].ours, Some(ours.throughput_per_s.median));
        assert_eq!(row.figures[2].ours, Some(ours.response.mean_ms.median));
        assert!(row.littles_law.as_ref().is_some_and(|law| law.consistent));
        let native = &published.variants[2];
        assert_eq!(native.figures.iter().map(|it| it.ours).collect::<Vec<_>>(), [None; 3]);
    }

    #[test]
    fn our_rows_go_through_the_same_checks() {
        let published = analyse(&greetings()).published.unwrap();
        for row in &published.levels {
            let ours = row.our_audit.as_ref().unwrap();
            assert!(ours.verdict < AuditVerdict::Question, "{} @ {}: {ours:#?}", row.variant, row.level);
            assert!(ours.checked.iter().any(|law| law == "ceilings"), "{ours:#?}");
        }
    }
}
