//! Exports: the record in the formats of other tools. Unlike a report an export is made from the record itself, since
//! it hands on whole histograms or single seconds. To add one, write its module and add it to [`EXPORTS`].

mod hlog;
mod prom;
mod series;

use plimsoll_record::{ExecutionData, Interval, LevelData, Phase, RunData};

/// An export: name, use and renderer.
#[derive(Clone, Copy)]
pub struct ExportInfo {
    /// The name in `--output NAME`.
    pub name: &'static str,
    /// Extension of its files, without the dot.
    pub extension: &'static str,
    /// Its use, in a few words.
    pub about: &'static str,
    render: fn(&ExecutionData) -> String,
}

/// Every export, in the order in which help lists them.
pub const EXPORTS: &[ExportInfo] = &[
    ExportInfo {
        name: "series",
        extension: "csv",
        about: "CSV with one row per second and request",
        render: series::render,
    },
    ExportInfo {
        name: "hlog",
        extension: "hlog",
        about: "HdrHistogram's interval log (1.3), one histogram per second",
        render: hlog::render,
    },
    ExportInfo {
        name: "prom",
        extension: "prom",
        about: "totals as Prometheus reads them, in k6's metric names",
        render: prom::render,
    },
];

impl ExportInfo {
    /// The export of one execution.
    pub fn render(&self, data: &ExecutionData) -> String {
        (self.render)(data)
    }
}

/// The variant, run and level in which intervals were measured.
struct Place<'a> {
    variant: &'a str,
    run: &'a RunData,
    level: &'a LevelData,
}

impl<'a> Place<'a> {
    /// The stage's label, if the load ramps, else the level's.
    fn label(&self, interval: &Interval) -> &'a str {
        let labels = self.level.plan.labels();
        labels.get(interval.stage as usize).unwrap_or(&self.level.plan.label)
    }

    /// The request's name; empty if all requests of the level are alike.
    fn request(&self, interval: &Interval) -> &'a str {
        self.level.plan.requests.get(interval.request as usize).map_or("", String::as_str)
    }
}

/// Every measured level of every run.
fn places(data: &ExecutionData) -> impl Iterator<Item = Place<'_>> {
    data.runs.iter().flat_map(|run| {
        let variant = data.execution.plan.variants.get(run.run.variant).map_or("", |it| it.name.as_str());
        let measured = run.levels.iter().filter(|level| level.plan.phase == Phase::Measured);
        measured.map(move |level| Place { variant, run, level })
    })
}
