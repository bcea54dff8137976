//! A run over time: throughput and response time, and below them CPU, memory, sockets and the JVM, with the levels
//! shaded.

mod watched;

use maud::{Markup, html};
use plimsoll_analysis::{
    Results,
    results::{LoadPoint, RunResults, SamplePoint},
};
use plimsoll_record::{Phase, label_for_people, metric};
use plimsoll_text::number::TimeUnit;

use super::parts::{self, Choice};
use crate::chart::{
    self,
    lines::{Axis, LineChart, Series, SpanMark},
    scale::{Scale, Spacing},
    stack,
};

/// A pane for the first measured run of each variant.
pub fn section(results: &Results) -> Option<Markup> {
    let runs: Vec<_> = results
        .variants
        .iter()
        .filter_map(|variant| results.runs.iter().find(|run| run.variant == variant.name && !run.load.is_empty()))
        .collect();
    if runs.is_empty() {
        return None;
    }
    let panes = runs.iter().enumerate().map(|(index, run)| (index.to_string(), pane(run, 0.0)));
    let names = runs.iter().map(|run| format!("{}, round {}", run.variant, run.round + 1)).collect();
    Some(html! {
        p { "Second by second from the start of the process. Shaded: the levels; fainter: the warm-up." }
        (parts::chooser(&[Choice { label: "Run", options: names, first: 0 }], panes))
    })
}

/// Points up to this far apart are joined; a missing second between two levels makes a gap.
const JOINED_S: f64 = 1.5;

/// Distance of the places along a stack.
const STACK_STEP_PX: f64 = 12.0;

/// A panel: its title with the unit, the text of its hover values, and its lines.
struct Panel {
    title: String,
    tip: &'static str,
    kind: Kind,
    lines: Vec<Line>,
}

/// How the lines of a panel are drawn.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Each second has its value.
    Dense,
    /// A value holds until the next.
    Sparse,
    /// The same, as areas upon each other.
    Stacked,
}

/// A line of a panel.
struct Line {
    name: String,
    /// Index into the palette.
    colour: usize,
    points: Vec<(f64, f64)>,
}

impl Panel {
    /// Lines in the order of the palette.
    fn dense(title: &'static str, tip: &'static str, lines: Vec<(&'static str, Vec<(f64, f64)>)>) -> Self {
        let line = |(colour, (name, points)): (usize, (&str, _))| Line { name: name.to_owned(), colour, points };
        Self {
            title: title.to_owned(),
            tip,
            kind: Kind::Dense,
            lines: lines.into_iter().enumerate().map(line).collect(),
        }
    }

    fn legend(&self) -> Markup {
        let lines: Vec<_> = self.lines.iter().map(|line| (line.name.as_str(), line.colour)).collect();
        parts::lines_legend(&lines)
    }

    fn series(&self, width: f64) -> Vec<Series> {
        let series = |line: &Line, points: Vec<(f64, f64)>, below: Vec<f64>| Series {
            name: line.name.clone(),
            class: chart::series_class(line.colour),
            variant: None,
            points,
            max_gap: if self.kind == Kind::Dense { JOINED_S } else { f64::INFINITY },
            below,
        };
        if self.kind == Kind::Stacked {
            let lines: Vec<_> = self.lines.iter().map(|line| line.points.as_slice()).collect();
            let layers = stack::stacked(&lines, (width / STACK_STEP_PX) as usize);
            return self
                .lines
                .iter()
                .zip(layers)
                .map(|(line, layer)| series(line, layer.points, layer.below))
                .collect();
        }
        self.lines.iter().map(|line| series(line, line.points.clone(), Vec::new())).collect()
    }
}

/// The panels from `from_s` on, in seconds from the spawn.
pub fn pane(run: &RunResults, from_s: f64) -> Markup {
    let end = (run.spans.iter().map(|span| span.end_s))
        .chain(run.load.iter().map(|point| point.at_s))
        .chain(run.samples.values().flatten().map(|sample| sample.at_s))
        .fold(0.0, f64::max);
    html! {
        @let panels = panels(run);
        @for (index, panel) in panels.iter().enumerate() {
            figure.panel {
                @let x_title = if index + 1 == panels.len() { "seconds since the process was started" } else { "" };
                @if panel.lines.len() > 1 { (panel.legend()) }
                (chart::responsive(|width| draw(run, panel, x_title, [from_s, end], width).draw(width), 900.0))
            }
        }
    }
}

fn panels(run: &RunResults) -> Vec<Panel> {
    let mut panels = vec![throughput(run), times(run)];
    let sampled = |metric: metric::Metric, scale: f64| {
        let samples: &[SamplePoint] = run.samples.get(metric.name).map_or(&[], Vec::as_slice);
        samples.iter().map(|sample| (sample.at_s, sample.value * scale)).collect::<Vec<_>>()
    };
    let cpu = vec![
        ("target", sampled(metric::CPU_PERCENT, 1.0)),
        ("whole machine", sampled(metric::MACHINE_CPU_PERCENT, 1.0)),
    ];
    panels.push(Panel::dense("CPU, % (100 = one core)", "{} %", cpu));
    let memory = vec![("resident", sampled(metric::RSS_BYTES, 1e-6)), ("cgroup", sampled(metric::CGROUP_BYTES, 1e-6))];
    panels.push(Panel::dense("memory, MB", "{} MB", memory));
    panels.extend(watched::panels(run));
    panels.extend(watched::of_target(run));
    for panel in &mut panels {
        panel.lines.retain(|line| !line.points.is_empty());
    }
    panels.retain(|panel| !panel.lines.is_empty());
    panels
}

fn throughput(run: &RunResults) -> Panel {
    let of = |value: fn(&LoadPoint) -> f64| run.load.iter().map(|point| (point.at_s, value(point))).collect::<Vec<_>>();
    let mut lines = vec![("succeeded", of(|point| point.throughput_per_s))];
    if run.load.iter().any(|point| point.failed_per_s > 0.0) {
        lines.push(("failed", of(|point| point.failed_per_s)));
    }
    Panel::dense("requests per second", "{}/s", lines)
}

fn times(run: &RunResults) -> Panel {
    let of = |value: fn(&LoadPoint) -> Option<f64>| {
        run.load.iter().filter_map(|point| Some((point.at_s, value(point)?))).collect::<Vec<_>>()
    };
    let mut lines = vec![("median", of(|point| point.median_ms)), ("99th percentile", of(|point| point.p99_ms))];
    let unit = TimeUnit::fitting(lines.iter().flat_map(|(_, points)| points).map(|point| point.1));
    for point in lines.iter_mut().flat_map(|(_, points)| points) {
        point.1 = unit.of_ms(point.1);
    }
    let (title, tip) = match unit {
        TimeUnit::S => ("response time, s", "{} s"),
        TimeUnit::Ms => ("response time, ms", "{} ms"),
        TimeUnit::Us => ("response time, µs", "{} µs"),
    };
    Panel::dense(title, tip, lines)
}

fn draw<'a>(run: &RunResults, panel: &'a Panel, x_title: &'a str, from_to: [f64; 2], width: f64) -> LineChart<'a> {
    let [from_s, end_s] = from_to;
    let series = panel.series(width);
    let values = series.iter().flat_map(|series| &series.points).map(|point| point.1);
    let spans = run.spans.iter().filter(|span| span.end_s > from_s).map(|span| SpanMark {
        label: match span.phase {
            Phase::WarmUp => "warm-up".to_owned(),
            Phase::Explanation | Phase::Census => "explained".to_owned(),
            _ => label_for_people(&span.label),
        },
        from_to: (span.start_s.max(from_s), span.end_s),
        faint: matches!(span.phase, Phase::WarmUp | Phase::Explanation | Phase::Census),
    });
    LineChart {
        label: format!("{} of {} in round {}", panel.title, run.variant, run.round + 1),
        x: Axis { scale: Scale::between(from_s, end_s), title: x_title, tip: "at {} s" },
        y: Axis { scale: Scale::over(Spacing::Linear, values), title: &panel.title, tip: panel.tip },
        series,
        spans: spans.collect(),
        height: 172.0,
    }
}
