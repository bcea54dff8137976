//! The first requests: a line for each variant, the time on a logarithmic axis.

use maud::{Markup, html};
use plimsoll_analysis::{
    Results,
    results::{FirstCall, FirstRequests},
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
    content::{first, levels},
};

/// A chart for each level that had requests traced.
pub fn section(results: &Results) -> Option<Markup> {
    let traced = |index: &usize| first::of_level(results, *index).next().is_some();
    let traced: Vec<usize> = (0..results.levels.len()).filter(traced).collect();
    if traced.is_empty() {
        return None;
    }
    let panes = traced.iter().enumerate().map(|(place, &index)| {
        let chart = of_level(results, index);
        (place.to_string(), chart::responsive(|width| chart.draw(width), 900.0))
    });
    let options = traced.iter().map(|&index| levels::title(results, index)).collect();
    let lists = [Choice { label: "Level", options, first: 0 }];
    Some(html! {
        p { "Where a call failed in every round the line has a gap." }
        @if results.variants.len() > 1 { (parts::legend(results)) }
        (parts::chooser(&lists, panes))
    })
}

fn of_level<'a>(results: &Results, index: usize) -> LineChart<'a> {
    let ms = |call: &FirstCall| Some((f64::from(call.call), call.response_ms.as_ref()?.median));
    let points = |first: &FirstRequests| first.calls.iter().filter_map(ms).collect::<Vec<_>>();
    let all: Vec<_> = first::of_level(results, index).map(|(variant, first)| (variant, points(first))).collect();
    let unit = TimeUnit::fitting(all.iter().flat_map(|(_, points)| points).map(|point| point.1));
    let (title, tip) = match unit {
        TimeUnit::S => ("seconds, logarithmic", "{} s"),
        TimeUnit::Ms => ("milliseconds, logarithmic", "{} ms"),
        TimeUnit::Us => ("microseconds, logarithmic", "{} µs"),
    };
    let series: Vec<Series> = all
        .into_iter()
        .map(|(variant, points)| {
            let points = points.into_iter().map(|(call, ms)| (call, unit.of_ms(ms))).collect();
            Series { max_gap: 1.0, ..Series::of_variant(variant, &results.variants[variant].name, points) }
        })
        .collect();
    let points = || series.iter().flat_map(|series| &series.points);
    let last = points().map(|point| point.0).fold(1.0, f64::max);
    let y = Scale::over(Spacing::Log, points().map(|point| point.1));
    LineChart {
        label: format!(
            "Response time of the first requests at level {}",
            label_for_people(&results.levels[index].label)
        ),
        x: Axis { scale: Scale::between(1.0, last), title: "call, in the order of sending", tip: "call {}" },
        y: Axis { scale: y, title, tip },
        series,
        spans: Vec::new(),
        height: 340.0,
    }
}
