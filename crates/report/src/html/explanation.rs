//! Drawings of an explanation: the chain of what a request passes, and where requests are.

use maud::{Markup, html};
use plimsoll_analysis::{
    Results,
    results::{Explanation, Link, RequestsAt, WhereRequestsAre},
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
        chain::{ChainBox, ChainChart},
        lines::{Axis, LineChart, Series},
        scale::{Scale, Spacing},
        shares::{ShareBar, ShareChart, SharePart},
        stack,
    },
    content::chain,
};

/// Shares that are too small to be seen.
const LEAST: f64 = 0.002;

/// The chain of an explanation.
pub fn draw_chain(results: &Results, index: usize) -> Option<Markup> {
    let explanation = results.explanations.get(index)?;
    let label = chain::line(&explanation.chain)?;
    let chart = ChainChart { label, boxes: explanation.chain.iter().map(box_of).collect() };
    let dot = chart.per_dot().map(|count| match count {
        1.0 => "A dot is a request that waits.".to_owned(),
        _ => format!("A dot is {} requests that wait.", in_full(count, 3)),
    });
    Some(html! {
        figure.panel {
            figcaption { "What a request passes" }
            (chart::responsive(|width| chart.draw(width), 900.0))
            p.aside { "Filled: what is in use. " @if let Some(dot) = dot { (dot) } }
        }
    })
}

fn box_of(link: &Link) -> ChainBox {
    let queue = chain::waiting(link).map_or_else(String::new, |count| format!("{count} wait"));
    ChainBox {
        name: link.name.clone(),
        figures: chain::figures(link),
        share: chain::share(link),
        waiting: link.waiting,
        queue,
        mark: link.is_limit.then_some("gives way first"),
        tip: chain::sentence(link),
    }
}

/// Where requests are under each load, and look by look under full load.
pub fn draw_requests(results: &Results, index: usize) -> Option<Markup> {
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

/// Those that were not located are always of the same colour.
const fn colour(requests: &WhereRequestsAre, part: usize) -> usize {
    if part + 1 == requests.parts.len() { chart::COLOURS - 1 } else { part }
}

fn bar(explanation: &Explanation, at: &RequestsAt) -> ShareBar {
    let name = match at.load {
        Window::Full => {
            let load = match (explanation.users, explanation.rate_per_s) {
                (Some(users), _) => counted(users.into(), "user"),
                (None, rate) => format!("{}/s", in_full(rate.unwrap_or(0.0), 3)),
            };
            format!("{load}: {}", time(explanation.response_ms))
        }
        _ => format!("One request at a time: {}", time(explanation.light_ms)),
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

/// Requests of each look under full load, upon each other; none with a single look.
fn over_time(explanation: &Explanation) -> Option<Markup> {
    let requests = &explanation.requests;
    let is_full = |at: &&RequestsAt| at.load == Window::Full;
    let looks: Vec<(f64, &RequestsAt)> =
        requests.looks.iter().filter(is_full).filter_map(|at| Some((at.at_s?, at))).collect();
    let ((first, _), (last, _)) = (looks.first()?, looks.last()?);
    if looks.len() < 2 {
        return None;
    }
    let lines: Vec<Vec<(f64, f64)>> = (0..requests.parts.len())
        .map(|part| looks.iter().map(|(at_s, at)| (*at_s, at.requests[part])).collect())
        .collect();
    let lines: Vec<&[(f64, f64)]> = lines.iter().map(Vec::as_slice).collect();
    let draw = |width: f64| {
        let layers = stack::stacked(&lines, usize::MAX);
        let series = layers.into_iter().enumerate().map(|(part, layer)| Series {
            name: requests.parts[part].clone(),
            class: chart::series_class(colour(requests, part)),
            variant: None,
            points: layer.points,
            max_gap: f64::INFINITY,
            below: layer.below,
        });
        let series: Vec<Series> = series.collect();
        let values = series.iter().flat_map(|series| &series.points).map(|point| point.1);
        let chart = LineChart {
            label: format!("Where requests are, over time: {}", explanation.variant),
            x: Axis { scale: Scale::between(*first, *last), title: "seconds since the start", tip: "at {} s" },
            y: Axis {
                scale: Scale::over(Spacing::Linear, values),
                title: "requests in flight, look by look under full load",
                tip: "{} requests",
            },
            series,
            spans: Vec::new(),
            height: 240.0,
        };
        chart.draw(width)
    };
    Some(chart::responsive(draw, 900.0))
}
