//! The curve of a search: percentiles against the offered rate with every trial as a dot, and the target's usage.

use maud::{Markup, html};
use plimsoll_analysis::{
    Results,
    results::{LineEnd, LineResults, RatePoint, SearchResults, TrialResults, Usage},
};
use plimsoll_text::number::{TimeUnit, in_full, time};

use super::parts::{self, Choice};
use crate::{
    chart::{
        self,
        lines::{Axis, LineChart, Series, SpanMark},
        scale::{Scale, Spacing},
    },
    content::line::{Percentile, between, interval, name, percentiles},
};

/// A pane for each search of each line.
pub fn section(results: &Results) -> Option<Markup> {
    let searches = || results.lines.iter().flat_map(|line| line.searches.iter().map(move |search| (line, search)));
    let drawn: Vec<_> = searches().filter(|(_, search)| !search.curve.is_empty()).collect();
    if drawn.is_empty() {
        return None;
    }
    let title = |&(line, search): &(&LineResults, &SearchResults)| match line.searches.len() {
        1 => name(line),
        _ => format!("{}, round {}", name(line), search.round + 1),
    };
    let lists = [Choice { label: "Search", options: drawn.iter().map(title).collect(), first: 0 }];
    let panes = drawn.iter().enumerate().map(|(index, (line, search))| (index.to_string(), pane(line, search)));
    Some(html! {
        p { "Every dot is a trial; lines join the trials at about one rate, their requests taken together. "
            "Shaded: where the line lies. Dashed: the objective, and the cores that there are." }
        (parts::chooser(&lists, panes))
    })
}

fn is_of_users(line: &LineResults) -> bool {
    line.think_ms.is_some()
}

fn offered(line: &LineResults) -> &'static str {
    if is_of_users(line) { "virtual users" } else { "requests per second, offered" }
}

fn what(line: &LineResults) -> &'static str {
    if is_of_users(line) { "number of users" } else { "offered rate" }
}

/// A panel of the curve.
struct Panel {
    title: String,
    tip: String,
    spacing: Spacing,
    quantities: Vec<Quantity>,
    /// A bound, as a dashed line, with its name.
    bound: Option<(String, f64)>,
}

/// A figure, as points over the rate.
struct Quantity {
    name: String,
    /// Values of the trials at about one rate.
    rates: Vec<(f64, f64)>,
    /// Values of each trial.
    trials: Vec<(f64, f64)>,
}

impl Quantity {
    fn of(
        name: String,
        search: &SearchResults,
        of_rate: impl Fn(&RatePoint) -> Option<f64>,
        of_trial: impl Fn(&TrialResults) -> Option<f64>,
    ) -> Self {
        let rates = search.curve.iter().filter_map(|it| Some((it.load(), of_rate(it)?))).collect();
        let trials = search.trials.iter().filter_map(|it| Some((it.load(), of_trial(it)?)));
        let mut trials: Vec<(f64, f64)> = trials.collect();
        trials.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self { name, rates, trials }
    }
}

fn pane(line: &LineResults, search: &SearchResults) -> Markup {
    let mut panels = vec![times(line, search)];
    panels.extend(costs(search));
    let last = panels.len() - 1;
    html! {
        @for (index, panel) in panels.iter().enumerate() {
            figure.panel {
                (panel.legend())
                @let x_title = if index == last { offered(line) } else { "" };
                @let height = if index == 0 { 300.0 } else { 160.0 };
                (chart::responsive(|width| panel.chart(line, search, x_title, height).draw(width), 900.0))
            }
        }
    }
}

/// Percentiles of the response time, the objective's last.
fn times(line: &LineResults, search: &SearchResults) -> Panel {
    let all = percentiles(line);
    let of_trials = search.trials.iter().flat_map(|trial| all.iter().filter_map(|it| (it.of_trial)(trial)));
    let unit = TimeUnit::fitting(of_trials.chain(line.limit_ms));
    let symbol = unit.symbol();
    let quantity = |it: &Percentile| {
        let of_rate = |point: &RatePoint| (it.of_rate)(point).map(|ms| unit.of_ms(ms));
        Quantity::of(it.name.clone(), search, of_rate, |trial| (it.of_trial)(trial).map(|ms| unit.of_ms(ms)))
    };
    let limit = line
        .percentile
        .zip(line.limit_ms)
        .map(|(percentile, ms)| (format!("limit of p{percentile}, {}", time(ms)), unit.of_ms(ms)));
    Panel {
        title: format!("response time, {symbol}, logarithmic"),
        tip: format!("{{}} {symbol}"),
        spacing: Spacing::Log,
        quantities: all.iter().map(quantity).collect(),
        bound: limit,
    }
}

/// CPU, memory and threads, as far as they were sampled.
fn costs(search: &SearchResults) -> Vec<Panel> {
    type Pick = fn(&Usage) -> Option<f64>;
    let cores = search.trials.iter().filter_map(|trial| trial.usage.cores).reduce(f64::max);
    let bound = cores.map(|cores| (format!("cores that it may use: {}", in_full(cores, 3)), cores * 100.0));
    let kinds: [(&str, &str, Pick, _); 3] = [
        ("CPU, % (100 = one core)", "{} %", |usage| usage.cpu_percent, bound),
        ("memory, MB", "{} MB", |usage| usage.memory_mb, None),
        ("threads", "{} threads", |usage| usage.threads, None),
    ];
    let panel = |(title, tip, pick, bound): (&str, &str, Pick, _)| {
        let name = title.split(',').next().unwrap_or(title).to_owned();
        let quantity = Quantity::of(name, search, |point| pick(&point.usage), |trial| pick(&trial.usage));
        let (title, tip) = (title.to_owned(), tip.to_owned());
        Panel { title, tip, spacing: Spacing::Linear, quantities: vec![quantity], bound }
    };
    kinds.into_iter().map(panel).filter(|panel| !panel.quantities[0].trials.is_empty()).collect()
}

impl Panel {
    fn legend(&self) -> Markup {
        let names: Vec<_> = self.quantities.iter().enumerate().map(|(index, it)| (it.name.as_str(), index)).collect();
        html! { @if names.len() > 1 { (parts::lines_legend(&names)) } }
    }

    fn chart<'a>(&'a self, line: &LineResults, search: &SearchResults, x_title: &'a str, height: f64) -> LineChart<'a> {
        let end = search.trials.iter().map(TrialResults::load).fold(0.0, f64::max) * 1.04;
        let mut series: Vec<Series> = Vec::new();
        for (index, quantity) in self.quantities.iter().enumerate() {
            let (class, name) = (chart::series_class(index), &quantity.name);
            series.push(one(name, class.clone(), f64::INFINITY, quantity.rates.clone()));
            let dots = format!("{class} dots");
            series.push(one(&format!("{name}, a trial"), dots, f64::NEG_INFINITY, quantity.trials.clone()));
        }
        if let Some((name, value)) = &self.bound {
            let ends = vec![(0.0, *value), (end, *value)];
            series.push(one(name, "bound".to_owned(), f64::INFINITY, ends));
        }
        let values: Vec<f64> = series.iter().flat_map(|series| &series.points).map(|point| point.1).collect();
        LineChart {
            label: format!("{} of {} against the {}", self.title, name(line), what(line)),
            x: Axis {
                scale: Scale::between(0.0, end),
                title: x_title,
                tip: if is_of_users(line) { "at {} users" } else { "at {}/s" },
            },
            y: Axis { scale: Scale::over(self.spacing, values), title: &self.title, tip: &self.tip },
            series,
            spans: span(line, search, end).into_iter().collect(),
            height,
        }
    }
}

fn one(name: &str, class: String, max_gap: f64, points: Vec<(f64, f64)>) -> Series {
    Series { name: name.to_owned(), class, variant: None, points, max_gap, below: Vec::new() }
}

/// The interval of this search; an open side reaches to the edge.
fn span(line: &LineResults, search: &SearchResults, end: f64) -> Option<SpanMark> {
    let load = |end: &Option<LineEnd>| end.as_ref().map(LineEnd::load);
    let (low, high) = (load(&search.lower), load(&search.upper));
    low.or(high)?;
    let label = match (low, high) {
        (Some(low), Some(high)) => between(line, low, high),
        _ => interval(line),
    };
    Some(SpanMark { label, from_to: (low.unwrap_or(0.0), high.unwrap_or(end)), faint: false })
}
