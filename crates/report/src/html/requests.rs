//! Where requests are, drawn: under each load, over time, and over the load where a variant was explained at several.

use maud::{Markup, html};
use plimsoll_analysis::{
    Results,
    results::{Explanation, RequestsAt, WhereRequestsAre},
};
use plimsoll_record::Window;
use plimsoll_text::{
    counted,
    number::{in_full, time},
};

use super::parts;
use crate::{
    chart::{
        self,
        lines::{Axis, LineChart, Series},
        scale::{Scale, Spacing},
        shares::{ShareBar, ShareChart, SharePart},
        stack,
    },
    content::by_load::{self, ByLoad},
};

/// The least share that can be seen.
const LEAST: f64 = 0.002;

/// Where requests are under each load, and look by look under full load.
pub fn draw(results: &Results, index: usize) -> Option<Markup> {
    let explanation = results.explanations.get(index)?;
    let requests = &explanation.requests;
    if requests.loads.is_empty() {
        return None;
    }
    let names: Vec<(&str, usize)> =
        requests.parts.iter().enumerate().map(|(part, name)| (name.as_str(), colour(requests, part))).collect();
    let bars = ShareChart {
        label: format!("Where requests are, by load: {}", explanation.variant),
        bars: requests.loads.iter().map(|at| bar(explanation, at)).collect(),
    };
    Some(html! {
        figure.panel {
            figcaption { "Where requests are" }
            (parts::lines_legend(&names))
            (chart::responsive(|width| bars.draw(width), 900.0))
        }
        @if let Some(chart) = over_time(explanation) { figure.panel { (chart) } }
    })
}

/// Requests that were not located are always of the same colour.
const fn colour(requests: &WhereRequestsAre, part: usize) -> usize {
    colour_of(part, requests.parts.len() - 1)
}

const fn colour_of(part: usize, last: usize) -> usize {
    if part == last { chart::COLOURS - 1 } else { part }
}

/// `64 users: 0.76 s`; of requests that did not succeed no time is known.
fn with_time(load: &str, ms: f64) -> String {
    if ms > 0.0 { format!("{load}: {}", time(ms)) } else { load.to_owned() }
}

fn bar(explanation: &Explanation, at: &RequestsAt) -> ShareBar {
    let name = match at.load {
        Window::Full => {
            let load = match (explanation.users, explanation.rate_per_s) {
                (Some(users), _) => counted(users.into(), "user"),
                (None, rate) => format!("{}/s", in_full(rate.unwrap_or(0.0), 3)),
            };
            with_time(&load, explanation.response_ms)
        }
        _ => with_time("One request at a time", explanation.light_ms),
    };
    let all: f64 = at.requests.iter().sum();
    let part = |(part, (name, count)): (usize, (&String, &f64))| {
        let share = count / all.max(1e-9);
        let percent = format!("{} %", in_full(share * 100.0, 2));
        SharePart {
            colour: colour(&explanation.requests, part),
            share,
            tip: format!("{name}: {percent}, {} of {} requests", in_full(*count, 3), in_full(all, 3)),
            words: [format!("{name} {percent}"), percent],
        }
    };
    let parts = explanation.requests.parts.iter().zip(&at.requests).enumerate().map(part);
    ShareBar { name, parts: parts.filter(|part| part.share >= LEAST).collect() }
}

/// Requests of each look under full load, stacked; none with a single look.
fn over_time(explanation: &Explanation) -> Option<Markup> {
    let requests = &explanation.requests;
    let is_full = |at: &&RequestsAt| at.load == Window::Full;
    let looks: Vec<(f64, &RequestsAt)> =
        requests.looks.iter().filter(is_full).filter_map(|at| Some((at.at_s?, at))).collect();
    let ((first, _), (last, _)) = (looks.first()?, looks.last()?);
    if looks.len() < 2 {
        return None;
    }
    let points = looks.iter().map(|(at_s, at)| (*at_s, at.requests.as_slice())).collect();
    let chart = Areas {
        label: format!("Where requests are, over time: {}", explanation.variant),
        parts: &requests.parts,
        points,
        scale: Scale::between(*first, *last),
        x: ["seconds since the start", "at {} s"],
        title: "requests in flight, look by look under full load",
    };
    Some(chart.draw())
}

/// Where requests are over the load, of a variant that was explained at several levels: after the last of them.
pub fn draw_by_load(results: &Results, index: usize) -> Option<Markup> {
    let ByLoad { parts: names, points, is_of_users } = by_load::of(results, index)?;
    let variant = &results.explanations.get(index)?.variant;
    let last = names.len().saturating_sub(1);
    let legend: Vec<(&str, usize)> = names.iter().map(String::as_str).zip(0..).collect();
    let legend: Vec<(&str, usize)> = legend.into_iter().map(|(name, part)| (name, colour_of(part, last))).collect();
    let x = match is_of_users {
        true => ["users", "with {} users"],
        false => ["requests offered per second", "at {}/s"],
    };
    let chart = Areas {
        label: format!("Where requests are, over the load: {variant}"),
        parts: &names,
        scale: Scale::between(points.first()?.0, points.last()?.0),
        points: points.iter().map(|(load, requests)| (*load, requests.as_slice())).collect(),
        x,
        title: "requests in flight, fully loaded",
    };
    Some(html! {
        figure.panel {
            figcaption { "Where requests are, over the load: " (variant) }
            (parts::lines_legend(&legend))
            (chart.draw())
            p.aside { "Seen at " (counted(points.len() as u64, "load")) "; straight between them." }
        }
    })
}

/// Stacked parts.
struct Areas<'a> {
    label: String,
    parts: &'a [String],
    /// Points, ascending: the place on the lower axis, and the requests of each part.
    points: Vec<(f64, &'a [f64])>,
    scale: Scale,
    /// Title of the lower axis, and the text of its hover values.
    x: [&'static str; 2],
    /// Title of the left axis.
    title: &'static str,
}

impl Areas<'_> {
    fn draw(&self) -> Markup {
        let line = |part: usize| self.points.iter().map(|(at, requests)| (*at, requests[part])).collect();
        let lines: Vec<Vec<(f64, f64)>> = (0..self.parts.len()).map(line).collect();
        let lines: Vec<&[(f64, f64)]> = lines.iter().map(Vec::as_slice).collect();
        let last = self.parts.len().saturating_sub(1);
        let draw = |width: f64| {
            let layers = stack::stacked(&lines, usize::MAX);
            let series = layers.into_iter().enumerate().map(|(part, layer)| Series {
                name: self.parts[part].clone(),
                class: chart::series_class(colour_of(part, last)),
                variant: None,
                points: layer.points,
                max_gap: f64::INFINITY,
                below: layer.below,
            });
            let series: Vec<Series> = series.collect();
            let values = series.iter().flat_map(|series| &series.points).map(|point| point.1);
            let y = Axis { scale: Scale::over(Spacing::Linear, values), title: self.title, tip: "{} requests" };
            let x = Axis { scale: self.scale, title: self.x[0], tip: self.x[1] };
            let chart = LineChart { label: self.label.clone(), x, y, series, spans: Vec::new(), height: 240.0 };
            chart.draw(width)
        };
        chart::responsive(draw, 900.0)
    }
}
