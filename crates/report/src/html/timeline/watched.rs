//! Panels of what is watched of a run's target: connections by state, the accept queue and its overflows, the JVM.

use plimsoll_analysis::results::{RunResults, SamplePoint};
use plimsoll_record::metric::{Metric, jvm, tcp};

use super::{Kind, Line, Panel};

/// Those that have something to show.
pub fn panels(run: &RunResults) -> Vec<Panel> {
    let mut panels = vec![
        states(run, "inbound connections by state", tcp::INBOUND),
        states(run, "outbound connections by state", tcp::OUTBOUND),
    ];
    panels.push(Panel {
        title: "accept queue, connections that wait",
        tip: "{}",
        kind: Kind::Sparse,
        lines: vec![
            line(run, 0, "waiting", tcp::ACCEPT_QUEUE),
            line(run, 1, "limit (listen backlog)", tcp::ACCEPT_QUEUE_MAX),
        ],
    });
    panels.push(Panel {
        title: "accept queue overflows and retransmits since the start",
        tip: "{}",
        kind: Kind::Sparse,
        lines: vec![
            line(run, 1, "overflows", tcp::LISTEN_OVERFLOWS),
            line(run, 2, "segments sent again", tcp::RETRANSMITS),
        ],
    });
    panels.push(Panel {
        title: "what the JVM spent since its start, ms",
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
    // A limit that nothing came near to is no chart.
    panels.retain(|panel| panel.lines.iter().any(|line| line.name != "limit (listen backlog)"));
    panels
}

/// Every state keeps its colour, whichever others there are.
fn states(run: &RunResults, title: &'static str, metrics: &[Metric]) -> Panel {
    let lines = metrics.iter().enumerate().map(|(index, metric)| line(run, index, metric.title, *metric)).collect();
    Panel { title, tip: "{}", kind: Kind::Stacked, lines }
}

fn line(run: &RunResults, colour: usize, name: &'static str, metric: Metric) -> Line {
    let samples: &[SamplePoint] = run.samples.get(metric.name).map_or(&[], Vec::as_slice);
    Line { name, colour, points: samples.iter().map(|sample| (sample.at_s, sample.value)).collect() }
}
