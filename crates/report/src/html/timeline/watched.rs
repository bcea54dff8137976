//! Panels of a target's sampled metrics: connections by state, the accept queue and its overflows, the JVM.

use plimsoll_analysis::results::{RunResults, SamplePoint};
use plimsoll_record::metric::{self, Metric, jvm, tcp};

use super::{Kind, Line, Panel};

/// Panels that have something to show.
pub fn panels(run: &RunResults) -> Vec<Panel> {
    let mut panels = vec![
        states(run, "inbound connections by state", tcp::INBOUND),
        states(run, "outbound connections by state", tcp::OUTBOUND),
    ];
    panels.push(Panel {
        title: "accept queue, connections that wait".to_owned(),
        tip: "{}",
        kind: Kind::Sparse,
        lines: vec![
            line(run, 0, "waiting", tcp::ACCEPT_QUEUE),
            line(run, 1, "limit (listen backlog)", tcp::ACCEPT_QUEUE_MAX),
        ],
    });
    panels.push(Panel {
        title: "accept queue overflows and retransmits since the start".to_owned(),
        tip: "{}",
        kind: Kind::Sparse,
        lines: vec![
            line(run, 1, "overflows", tcp::LISTEN_OVERFLOWS),
            line(run, 2, "segments sent again", tcp::RETRANSMITS),
        ],
    });
    panels.push(Panel {
        title: "what the JVM spent since its start, ms".to_owned(),
        tip: "{} ms",
        kind: Kind::Sparse,
        lines: vec![
            line(run, 0, "class loading", jvm::CLASS_LOAD_MS),
            line(run, 1, "class initialisation", jvm::CLASS_INIT_MS),
            line(run, 2, "JIT compilation", jvm::COMPILE_MS),
            line(run, 3, "garbage collection", jvm::GC_MS),
        ],
    });
    for panel in &mut panels {
        panel.lines.retain(|line| line.points.iter().any(|point| point.1 > 0.0));
    }
    // The backlog's limit alone is no chart.
    panels.retain(|panel| panel.lines.iter().any(|line| line.name != "limit (listen backlog)"));
    panels
}

/// A panel for each series of the target's own metrics, as their units differ.
pub fn of_target(run: &RunResults) -> Vec<Panel> {
    let series = run.samples.iter().filter_map(|(name, samples)| Some((metric::target_series(name)?, samples)));
    let panel = |(series, samples): (&str, &Vec<SamplePoint>)| Panel {
        title: format!("the target's {series}"),
        tip: "{}",
        kind: Kind::Sparse,
        lines: vec![Line {
            name: series.to_owned(),
            colour: 0,
            points: samples.iter().map(|sample| (sample.at_s, sample.value)).collect(),
        }],
    };
    series.map(panel).collect()
}

/// Every state keeps its colour, whichever others there are.
fn states(run: &RunResults, title: &'static str, metrics: &[Metric]) -> Panel {
    let lines = metrics.iter().enumerate().map(|(index, metric)| line(run, index, metric.title, *metric)).collect();
    Panel { title: title.to_owned(), tip: "{}", kind: Kind::Stacked, lines }
}

fn line(run: &RunResults, colour: usize, name: &'static str, metric: Metric) -> Line {
    let samples: &[SamplePoint] = run.samples.get(metric.name).map_or(&[], Vec::as_slice);
    Line { name: name.to_owned(), colour, points: samples.iter().map(|sample| (sample.at_s, sample.value)).collect() }
}
