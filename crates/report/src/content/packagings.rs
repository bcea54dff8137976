//! The gain of each packaging, and its price: time until ready, memory, throughput, and the CPU time of its build.

use std::collections::BTreeMap;

use plimsoll_analysis::{
    Results,
    results::{Figure, VariantResults},
};
use plimsoll_record::label_for_people;
use plimsoll_text::{
    columns::{self, padded},
    number::{NONE, TimeUnit, sig3},
};

use super::{Column, Table, bars::bar};

pub const HOW_TO_READ: &str = "Ready: from spawn to the first answer with 2xx; where no health check is known, with any \
     status below 500. Memory: the most that was resident, over all levels. Build: CPU time on all cores of all that \
     made the program (Maven, extraction, training, native-image), once.";

/// Settings that make up the packaging.
const PACKAGING: &str = "packaging";
const SPRING_AOT: &str = "spring-aot";
/// Packagings from the plainest to the most prepared.
const ORDER: [&str; 5] = ["jar", "extracted", "cds", "aot-cache", "native"];
/// Length of a bar of characters.
const BAR: usize = 10;

/// Variants by packaging, and by all other settings in which they differ.
pub struct Packagings {
    /// Rows of a chart, e.g. `cds + Spring AOT`.
    pub packagings: Vec<String>,
    /// Series of a chart, e.g. `greetings-web · virtual`; one, and empty, if nothing but the packaging differs.
    pub series: Vec<String>,
    /// Measures in the order of the chart.
    pub measures: Vec<Measure>,
}

/// One figure of every packaging.
pub struct Measure {
    /// Its name.
    pub title: String,
    /// Unit of the values.
    pub unit: &'static str,
    /// At most one for each packaging and series.
    pub points: Vec<Point>,
}

/// A figure of one variant.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Index into [`Packagings::packagings`].
    pub packaging: usize,
    /// Index into [`Packagings::series`].
    pub series: usize,
    /// Name of the variant.
    pub variant: String,
    /// The median over rounds.
    pub value: f64,
    /// The least and the greatest round, if there are several.
    pub range: Option<(f64, f64)>,
}

/// The packagings; none unless variants of at least two of them got ready.
pub fn of(results: &Results) -> Option<Packagings> {
    let variants: Vec<&VariantResults> =
        results.variants.iter().filter(|it| it.settings.contains_key(PACKAGING) && it.startup_s.is_some()).collect();
    let mut packagings: Vec<(usize, bool, String)> = variants.iter().map(|it| packaging(&it.settings)).collect();
    packagings.sort();
    packagings.dedup();
    if packagings.len() < 2 {
        return None;
    }
    let packagings: Vec<String> = packagings.into_iter().map(|(_, _, label)| label).collect();
    let differing = differing(&variants);
    let mut series: Vec<String> = Vec::new();
    for variant in &variants {
        let label = rest(&variant.settings, &differing);
        if !series.contains(&label) {
            series.push(label);
        }
    }
    let measure = |title: String, unit: &'static str, pick: &dyn Fn(&VariantResults) -> Option<Picked>| {
        let point = |variant: &&VariantResults| {
            let (value, range) = pick(variant)?;
            let (_, _, label) = packaging(&variant.settings);
            Some(Point {
                packaging: packagings.iter().position(|it| *it == label)?,
                series: series.iter().position(|it| *it == rest(&variant.settings, &differing))?,
                variant: variant.name.clone(),
                value,
                range,
            })
        };
        Measure { title, unit, points: variants.iter().filter_map(point).collect() }
    };
    let making = &results.environment.making;
    let build = |variant: &VariantResults| Some((making.get(&variant.name)?.cpu.as_secs_f64(), None));
    let mut measures = vec![
        measure("ready".to_owned(), "s", &|it| it.startup_s.as_ref().map(over_rounds)),
        measure("peak memory".to_owned(), "MB", &|it| it.peak_rss_mb.as_ref().map(over_rounds)),
    ];
    if let Some(top) = results.levels.len().checked_sub(1) {
        let title = format!("throughput @ {}", label_for_people(&results.levels[top].label));
        measures.push(measure(title, "/s", &|it| Some(over_rounds(&it.levels.get(top)?.as_ref()?.throughput_per_s))));
    }
    measures.push(measure("build, CPU time".to_owned(), "s", &build));
    measures.retain(|measure| !measure.points.is_empty());
    Some(Packagings { packagings, series, measures })
}

/// A value with its range.
type Picked = (f64, Option<(f64, f64)>);

fn over_rounds(figure: &Figure) -> Picked {
    (figure.median, (figure.rounds.len() > 1).then_some((figure.min, figure.max)))
}

/// The packaging's place in the order; whether Spring's ahead-of-time processing, if optional, was chosen; its name.
fn packaging(settings: &BTreeMap<String, String>) -> (usize, bool, String) {
    let word = settings.get(PACKAGING).map_or("", String::as_str);
    let place = ORDER.iter().position(|it| *it == word).unwrap_or(ORDER.len());
    let aot = word != "native" && settings.get(SPRING_AOT).is_some_and(|it| it == "yes");
    (place, aot, if aot { format!("{word} + Spring AOT") } else { word.to_owned() })
}

/// The settings beside the packaging in which the variants differ.
fn differing(variants: &[&VariantResults]) -> Vec<String> {
    let mut keys: Vec<&String> = variants.iter().flat_map(|it| it.settings.keys()).collect();
    keys.sort();
    keys.dedup();
    let of_packaging = [PACKAGING, SPRING_AOT, "native-flags"];
    let differs = |key: &String| variants.iter().any(|it| it.settings.get(key) != variants[0].settings.get(key));
    keys.into_iter().filter(|key| !of_packaging.contains(&key.as_str()) && differs(key)).cloned().collect()
}

/// Values of the differing settings, the subject first.
fn rest(settings: &BTreeMap<String, String>, differing: &[String]) -> String {
    let subject = differing.iter().filter(|key| *key == "subject");
    let others = differing.iter().filter(|key| *key != "subject");
    let values = subject.chain(others).filter_map(|key| match settings.get(key)?.as_str() {
        word @ ("platform" | "virtual") => Some(format!("{word} {key}")),
        value => Some(value.to_owned()),
    });
    values.collect::<Vec<_>>().join(", ")
}

impl Packagings {
    /// The points of one variant, one for each measure.
    fn of_variant(&self, packaging: usize, series: usize) -> Option<(&str, Vec<Option<&Point>>)> {
        let find = |measure: &'_ Measure| -> Option<usize> {
            measure.points.iter().position(|it| (it.packaging, it.series) == (packaging, series))
        };
        let points: Vec<Option<&Point>> =
            self.measures.iter().map(|measure| find(measure).map(|at| &measure.points[at])).collect();
        let name = points.iter().flatten().next()?.variant.as_str();
        Some((name, points))
    }
}

/// A value of a measure in words.
pub fn shown(measure: &Measure, value: f64) -> String {
    match measure.unit {
        "s" if value < 1.0 => format!("{:.3}", value),
        _ => sig3(value),
    }
}

/// One row for each variant.
pub fn table(results: &Results) -> Option<Table> {
    let all = of(results)?;
    let making = &results.environment.making;
    let mut rows = Vec::new();
    for (packaging, label) in all.packagings.iter().enumerate() {
        for series in 0..all.series.len() {
            let Some((name, points)) = all.of_variant(packaging, series) else { continue };
            let cells = all.measures.iter().zip(points);
            let cells = cells.map(|(measure, point)| point.map_or(NONE.to_owned(), |it| shown(measure, it.value)));
            let took = making.get(name).map_or(NONE.to_owned(), |it| TimeUnit::S.show(it.took.as_millis_f64()));
            rows.push([label.clone(), name.to_owned()].into_iter().chain(cells).chain([took]).collect::<Vec<_>>());
        }
    }
    let measures = all.measures.iter().map(|it| Column::numbers(format!("{} {}", it.title, it.unit)));
    let mut columns = vec![Column::words("packaging"), Column::words("variant")];
    columns.extend(measures);
    columns.push(Column::numbers("build, by the clock s"));
    if making.is_empty() {
        columns.pop();
        rows.iter_mut().for_each(|row| drop(row.pop()));
    }
    Some(Table { title: String::new(), columns, rows })
}

/// The chart in characters: a block for each series, a line for each packaging, a bar for each measure.
pub fn bars(results: &Results) -> Option<String> {
    let all = of(results)?;
    let label = columns::widest(all.packagings.iter().map(String::as_str));
    let most = |measure: &Measure| measure.points.iter().map(|it| it.value).fold(f64::MIN_POSITIVE, f64::max);
    let width = |measure: &Measure| (BAR + 7).max(heading(measure).chars().count());
    let heads = all.measures.iter().map(|it| format!("{:<1$}", heading(it), width(it)));
    let heads = format!("{:label$}  {}", "", heads.collect::<Vec<_>>().join("  "));
    let block = |series: usize| {
        let lines = all.packagings.iter().enumerate().filter_map(|(packaging, name)| {
            let (_, points) = all.of_variant(packaging, series)?;
            let cell = |(measure, point): (&Measure, Option<&Point>)| {
                let drawn = point.map_or(format!("{:>6}", NONE), |point| {
                    format!("{:>6} {}", shown(measure, point.value), bar(point.value / most(measure), BAR))
                });
                format!("{drawn:<0$}", width(measure))
            };
            let cells: Vec<String> = all.measures.iter().zip(points).map(cell).collect();
            Some(format!("{}  {}", padded(name, label), cells.join("  ")).trim_end().to_owned())
        });
        let lines: Vec<String> = lines.collect();
        let title = (!all.series[series].is_empty()).then(|| all.series[series].clone());
        title.into_iter().chain([heads.trim_end().to_owned()]).chain(lines).collect::<Vec<_>>().join("\n")
    };
    Some((0..all.series.len()).map(block).collect::<Vec<_>>().join("\n\n"))
}

fn heading(measure: &Measure) -> String {
    format!("{}, {}", measure.title, measure.unit)
}
