//! A run as it went: throughput and response time, and beside them CPU and memory, with the levels shaded.

use maud::{Markup, html};
use plimsoll_analysis::{
    Results,
    results::{LoadPoint, RunResults, SamplePoint},
};
use plimsoll_record::{Phase, metric};

use super::parts::{self, Choice};
use crate::{
    chart::{
        self,
        lines::{Axis, LineChart, Series, SpanMark},
        scale::{Scale, Spacing},
    },
    number::TimeUnit,
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
    let panes = runs.iter().enumerate().map(|(index, run)| (index.to_string(), pane(run)));
    let names = runs.iter().map(|run| format!("{}, round {}", run.variant, run.round + 1)).collect();
    Some(html! {
        p { "Second by second from the start of the process. Shaded: the levels; fainter: the warm-up." }
        (parts::chooser(&[Choice { label: "Run", options: names, first: 0 }], panes))
    })
}

/// Points this far apart are joined: a second that is missing between two levels is not.
const JOINED_S: f64 = 1.5;

/// A panel: its title with the unit, how its hover values read, and its lines.
struct Panel {
    title: &'static str,
    tip: &'static str,
    lines: Vec<(&'static str, Vec<(f64, f64)>)>,
}

impl Panel {
    fn names(&self) -> Vec<&str> {
        self.lines.iter().map(|(name, _)| *name).collect()
    }
}

fn pane(run: &RunResults) -> Markup {
    let end = (run.spans.iter().map(|span| span.end_s))
        .chain(run.load.iter().map(|point| point.at_s))
        .chain(run.samples.values().flatten().map(|sample| sample.at_s))
        .fold(0.0, f64::max);
    html! {
        @let panels = panels(run);
        @for (index, panel) in panels.iter().enumerate() {
            figure.panel {
                @let x_title = if index + 1 == panels.len() { "seconds since the process was started" } else { "" };
                @let chart = draw(run, panel, x_title, end);
                @if panel.lines.len() > 1 { (parts::lines_legend(&panel.names())) }
                (chart::responsive(|width| chart.draw(width), 900.0))
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
    panels.push(Panel {
        title: "CPU, % (100 = one core)",
        tip: "{} %",
        lines: vec![
            ("target", sampled(metric::CPU_PERCENT, 1.0)),
            ("whole machine", sampled(metric::MACHINE_CPU_PERCENT, 1.0)),
        ],
    });
    panels.push(Panel {
        title: "memory, MB",
        tip: "{} MB",
        lines: vec![("resident", sampled(metric::RSS_BYTES, 1e-6)), ("cgroup", sampled(metric::CGROUP_BYTES, 1e-6))],
    });
    for panel in &mut panels {
        panel.lines.retain(|(_, points)| !points.is_empty());
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
    Panel { title: "requests per second", tip: "{}/s", lines }
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
    Panel { title, tip, lines }
}

fn draw<'a>(run: &RunResults, panel: &'a Panel, x_title: &'a str, end_s: f64) -> LineChart<'a> {
    let values = panel.lines.iter().flat_map(|(_, points)| points).map(|point| point.1);
    let spans = run.spans.iter().map(|span| SpanMark {
        label: if span.phase == Phase::WarmUp { "warm-up".to_owned() } else { span.label.clone() },
        from_to: (span.start_s, span.end_s),
        faint: span.phase == Phase::WarmUp,
    });
    LineChart {
        label: format!("{} of {} in round {}", panel.title, run.variant, run.round + 1),
        x: Axis { scale: Scale::between(0.0, end_s), title: x_title, tip: "at {} s" },
        y: Axis { scale: Scale::over(Spacing::Linear, values), title: panel.title, tip: panel.tip },
        series: (panel.lines.iter().enumerate())
            .map(|(index, (name, points))| Series {
                name: (*name).to_owned(),
                class: chart::series_class(index),
                variant: None,
                points: points.clone(),
                max_gap: JOINED_S,
            })
            .collect(),
        spans: spans.collect(),
        height: 172.0,
    }
}
