//! Percentile curves: the quantile below, spaced by its distance from 1, and the time on a logarithmic axis.

use maud::{Markup, html};
use plimsoll_analysis::{
    Results,
    results::{CurvePoint, LevelResults},
};

use super::parts;
use crate::{
    chart::{
        self,
        lines::{Axis, LineChart, Series},
        scale::{Scale, Spacing},
    },
    content::levels,
    number::TimeUnit,
};

type Pick = fn(&LevelResults) -> &[CurvePoint];

const KINDS: [(&str, Pick); 2] =
    [("response time", |level| &level.response_curve), ("service time", |level| &level.service_curve)];

/// A pane for each level and kind of time.
pub fn section(results: &Results) -> Option<Markup> {
    let measured: Vec<_> = (0..results.levels.len())
        .filter(|&index| levels::of_level(results, index).any(|(_, level)| !level.response_curve.is_empty()))
        .collect();
    if measured.is_empty() {
        return None;
    }
    let panes = measured.iter().enumerate().flat_map(|(place, &index)| {
        KINDS.iter().enumerate().map(move |(kind, &(name, pick))| {
            let chart = chart(results, index, name, pick);
            (format!("{place}|{kind}"), chart::responsive(|width| chart.draw(width), 900.0))
        })
    });
    let labels = measured.iter().map(|&index| levels::title(results, index)).collect();
    let kinds = KINDS.iter().map(|(name, _)| (*name).to_owned()).collect();
    Some(html! {
        p { "How many requests were answered within a time: all rounds together. Right is rarer, down is faster." }
        (parts::legend(results))
        (parts::chooser(&[("Level", labels), ("Time", kinds)], panes.collect()))
    })
}

fn chart<'a>(results: &'a Results, index: usize, kind: &str, pick: Pick) -> LineChart<'a> {
    let curves: Vec<_> = levels::of_level(results, index).map(|(variant, level)| (variant, below_one(pick(level)))).collect();
    let points = || curves.iter().flat_map(|(_, curve)| curve.iter());
    let unit = TimeUnit::fitting(points().map(|point| point.ms));
    let rarest = points().map(|point| point.quantile).filter(|&quantile| quantile < 1.0).fold(0.99, f64::max);
    let series = curves.iter().map(|(variant, curve)| {
        let points = curve.iter().map(|point| (point.quantile, unit.of_ms(point.ms))).collect();
        Series::of_variant(*variant, &results.variants[*variant].name, points)
    });
    let (title, tip) = match unit {
        TimeUnit::S => ("seconds, logarithmic", "{} s"),
        TimeUnit::Ms => ("milliseconds, logarithmic", "{} ms"),
        TimeUnit::Us => ("microseconds, logarithmic", "{} µs"),
    };
    LineChart {
        label: format!("Percentile curves of {kind} at level {}", results.levels[index].label),
        x: Axis { scale: Scale::quantiles(rarest.min(0.999_99)), title: "share of requests, %", tip: "{%} answered within" },
        y: Axis { scale: Scale::over(Spacing::Log, points().map(|point| unit.of_ms(point.ms))), title, tip },
        series: series.collect(),
        spans: Vec::new(),
        height: 400.0,
    }
}

/// Without the maximum, which has no place on an axis that never reaches 100 %.
fn below_one(curve: &[CurvePoint]) -> &[CurvePoint] {
    match curve {
        [rest @ .., last] if last.quantile >= 1.0 && !rest.is_empty() => below_one(rest),
        all => all,
    }
}
