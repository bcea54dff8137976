//! Percentile curves: the quantile on the lower axis, spaced by its distance from 1, and the time on a logarithmic one.

use maud::{Markup, html};
use plimsoll_analysis::{
    Results,
    results::{CurvePoint, LevelResults},
};
use plimsoll_record::label_for_people;
use plimsoll_text::number::TimeUnit;

use super::parts::{self, Choice};
use crate::{
    chart::{
        self,
        lines::{Axis, LineChart, Series},
        scale::{Scale, Spacing},
    },
    content::{levels, load},
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
            let chart = of_level(results, index, name, pick);
            (format!("{place}|{kind}"), chart::responsive(|width| chart.draw(width), 900.0))
        })
    });
    let lists = [
        Choice {
            label: "Level",
            options: measured.iter().map(|&index| levels::title(results, index)).collect(),
            first: measured.len() - 1,
        },
        Choice { label: "Time", options: KINDS.iter().map(|(name, _)| (*name).to_owned()).collect(), first: 0 },
    ];
    Some(html! {
        p { "How many requests were answered within a time: all rounds together. Right is rarer, down is faster." }
        @if let Some(level) = load::single(results) { (both(level)) } @else {
            (parts::legend(results))
            (parts::chooser(&lists, panes))
        }
    })
}

/// One chart of both kinds of time.
fn both(level: &LevelResults) -> Markup {
    let series: Vec<_> = (KINDS.iter().enumerate())
        .map(|(index, (name, pick))| Series {
            name: (*name).to_owned(),
            class: chart::series_class(index),
            variant: None,
            points: points(below_one(pick(level))),
            max_gap: f64::INFINITY,
            below: Vec::new(),
        })
        .collect();
    let lines: Vec<_> = KINDS.iter().enumerate().map(|(index, (name, _))| (*name, index)).collect();
    let chart = line_chart("Percentile curves of response and service time".to_owned(), series);
    html! {
        (parts::lines_legend(&lines))
        (chart::responsive(|width| chart.draw(width), 900.0))
    }
}

fn of_level<'a>(results: &Results, index: usize, kind: &str, pick: Pick) -> LineChart<'a> {
    let series = levels::of_level(results, index).map(|(variant, level)| {
        Series::of_variant(variant, &results.variants[variant].name, points(below_one(pick(level))))
    });
    line_chart(
        format!("Percentile curves of {kind} at level {}", label_for_people(&results.levels[index].label)),
        series.collect(),
    )
}

fn points(curve: &[CurvePoint]) -> Vec<(f64, f64)> {
    curve.iter().map(|point| (point.quantile, point.ms)).collect()
}

/// A chart of times in milliseconds, shown in the unit that fits.
fn line_chart<'a>(label: String, mut series: Vec<Series>) -> LineChart<'a> {
    let unit = TimeUnit::fitting(series.iter().flat_map(|series| &series.points).map(|point| point.1));
    for point in series.iter_mut().flat_map(|series| &mut series.points) {
        point.1 = unit.of_ms(point.1);
    }
    let points = || series.iter().flat_map(|series| &series.points);
    let rarest = points().map(|point| point.0).filter(|&quantile| quantile < 1.0).fold(0.99, f64::max);
    let (title, tip) = match unit {
        TimeUnit::S => ("seconds, logarithmic", "{} s"),
        TimeUnit::Ms => ("milliseconds, logarithmic", "{} ms"),
        TimeUnit::Us => ("microseconds, logarithmic", "{} µs"),
    };
    let x = Scale::quantiles(rarest.min(0.999_99));
    let y = Scale::over(Spacing::Log, points().map(|point| point.1));
    LineChart {
        label,
        x: Axis { scale: x, title: "share of requests, %", tip: "{%} answered within" },
        y: Axis { scale: y, title, tip },
        series,
        spans: Vec::new(),
        height: 400.0,
    }
}

/// The curve without its maximum, which has no place on an axis that never reaches 100 %.
fn below_one(curve: &[CurvePoint]) -> &[CurvePoint] {
    match curve {
        [rest @ .., last] if last.quantile >= 1.0 && !rest.is_empty() => below_one(rest),
        all => all,
    }
}
