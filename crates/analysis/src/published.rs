//! Somebody else's figures beside ours, in their units.

use plimsoll_record::{Published, PublishedLevel, PublishedVariant};

use crate::{
    littles_law,
    results::{
        Figure, LevelResults, PublishedFigure, PublishedLevelResults, PublishedResults, PublishedVariantResults,
        Results, TimeFigures, VariantResults,
    },
};

pub(crate) fn beside(published: &Published, results: &Results) -> PublishedResults {
    PublishedResults {
        source: published.source.clone(),
        levels: published.levels.iter().map(|row| level(row, results)).collect(),
        variants: published.variants.iter().map(|row| variant(row, results)).collect(),
    }
}

fn ours<'a>(results: &'a Results, name: Option<&String>) -> Option<&'a VariantResults> {
    results.variants.iter().find(|it| Some(&it.name) == name)
}

fn level(row: &PublishedLevel, results: &Results) -> PublishedLevelResults {
    let levels = ours(results, row.ours.as_ref()).map(|it| it.levels.as_slice()).unwrap_or_default();
    let ours = levels.iter().flatten().find(|it| it.label == row.level);
    let median = |figure: fn(&LevelResults) -> &Figure| ours.map(|it| figure(it).median);
    let mut figures = Vec::new();
    push(&mut figures, "total", "s", row.total_s, median(|it| &it.duration_s));
    push(&mut figures, "throughput", "/s", row.throughput, median(|it| &it.throughput_per_s));
    for (name, of) in TIMES {
        let ours = ours.map(|it| of(&it.response)).filter(|it| !it.rounds.is_empty()).map(|it| it.median);
        push(&mut figures, name, "ms", row.times_ms.get(*name).copied(), ours);
    }
    let errors_percent = ours.map(|it| 100.0 - it.success_percent.median);
    push(&mut figures, "errors", "%", row.errors_percent, errors_percent);
    push(&mut figures, "received", "kB/s", row.received_kb_per_s, median(|it| &it.received_kb_per_s));
    push(&mut figures, "sent", "kB/s", row.sent_kb_per_s, median(|it| &it.sent_kb_per_s));
    PublishedLevelResults {
        variant: row.variant.clone(),
        ours: row.ours.clone(),
        level: row.level.clone(),
        figures,
        littles_law: littles_law::published(row),
    }
}

type OfTimes = fn(&TimeFigures) -> &Figure;

const TIMES: &[(&str, OfTimes)] = &[
    ("mean", |it| &it.mean_ms),
    ("median", |it| &it.median_ms),
    ("p90", |it| &it.p90_ms),
    ("p95", |it| &it.p95_ms),
    ("p99", |it| &it.p99_ms),
    ("p999", |it| &it.p999_ms),
    ("p9999", |it| &it.p9999_ms),
    ("min", |it| &it.min_ms),
    ("max", |it| &it.max_ms),
];

fn variant(row: &PublishedVariant, results: &Results) -> PublishedVariantResults {
    let ours = ours(results, row.ours.as_ref());
    let median =
        |figure: fn(&VariantResults) -> &Option<Figure>| ours.and_then(|it| figure(it).as_ref()).map(|it| it.median);
    let mut figures = Vec::new();
    push(&mut figures, "start-up", "s", row.startup_s, median(|it| &it.startup_s));
    push(&mut figures, "peak CPU", "%", row.peak_cpu_percent, median(|it| &it.peak_cpu_percent));
    push(&mut figures, "peak memory", "MB", row.peak_memory_mb, median(|it| &it.peak_rss_mb));
    PublishedVariantResults { variant: row.variant.clone(), ours: row.ours.clone(), figures }
}

/// What was not published is left out.
fn push(figures: &mut Vec<PublishedFigure>, name: &str, unit: &str, published: Option<f64>, ours: Option<f64>) {
    let figure = |published| PublishedFigure { name: name.to_owned(), unit: unit.to_owned(), published, ours };
    figures.extend(published.map(figure));
}

#[cfg(test)]
mod tests {
    use crate::{analyse, testing::greetings};

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
}
