//! Reports of an experiment over all its executions.

use maud::Markup;
use plimsoll_analysis::trend::{Trend, TrendSeries};
use plimsoll_text::counted;

use crate::{
    Format, Style,
    chart::{
        self,
        lines::{Axis, LineChart, Series},
        scale::{Scale, Spacing},
    },
    content::{block::Block, part::Part, trend as content},
    csv, html, json, markdown,
    terminal::Page,
};

/// Formats of a trend.
pub const TREND_FORMATS: [Format; 5] = [Format::Terminal, Format::Html, Format::Markdown, Format::Json, Format::Csv];

/// Blocks of a row: the newest executions.
const BLOCKS_MAX: usize = 30;

const HOW_TO_READ: &str = "Medians over rounds at the variant’s highest level, each row between its own least and \
    greatest value. The command compare says which change is sure.";

/// Figures of each variant, execution by execution.
pub fn trend(format: Format, trend: &Trend, style: &Style) -> String {
    let title = format!("Trend of {}", trend.name);
    let line = format!("{}, oldest first", counted(trend.executions.len() as u64, "execution"));
    match format {
        Format::Json => json::document(trend),
        Format::Csv | Format::Junit => in_csv(trend),
        Format::Markdown => crate::cleaned(markdown::of_blocks(&title, &line, &parts(trend))),
        Format::Html => crate::cleaned(html::of_blocks(&title, &line, HOW_TO_READ, &parts(trend))),
        Format::Terminal => {
            let mut page = Page::new(style);
            page.heading(&title);
            page.text(&line, 0);
            page.table(&content::series(trend, BLOCKS_MAX));
            if !style.is_brief {
                page.heading("Executions");
                page.table(&content::executions(trend));
            }
            page.note(HOW_TO_READ);
            page.finish()
        }
    }
}

fn parts(trend: &Trend) -> Vec<Part> {
    let series = vec![Block::Table(content::series(trend, BLOCKS_MAX))];
    let executions = vec![Block::Table(content::executions(trend))];
    vec![
        Part { id: "figures", title: "Figures", blocks: series, charts: charts(trend) },
        Part { id: "executions", title: "Executions", blocks: executions, charts: Vec::new() },
    ]
}

/// A chart for each figure, with a line for each variant.
fn charts(trend: &Trend) -> Vec<Markup> {
    let mut metrics: Vec<&TrendSeries> = Vec::new();
    for series in &trend.series {
        if !metrics.iter().any(|it| it.metric == series.metric) {
            metrics.push(series);
        }
    }
    metrics.iter().filter_map(|it| chart(trend, it)).collect()
}

fn chart(trend: &Trend, metric: &TrendSeries) -> Option<Markup> {
    let of_metric: Vec<&TrendSeries> = trend.series.iter().filter(|it| it.metric == metric.metric).collect();
    let lines: Vec<Series> = of_metric
        .iter()
        .enumerate()
        .map(|(index, it)| line(trend, index, it))
        .filter(|it| !it.points.is_empty())
        .collect();
    let values: Vec<f64> = lines.iter().flat_map(|it| &it.points).map(|point| point.1).collect();
    let (first, last) = (trend.executions.first()?.id as f64, trend.executions.last()?.id as f64);
    if values.is_empty() || first >= last {
        return None;
    }
    let title = format!("{} {}", metric.metric.replace("cpu", "CPU").replace('_', " "), metric.unit);
    let tip = format!("{{}} {}", metric.unit);
    let drawn = LineChart {
        label: format!("{title} by execution"),
        x: Axis { scale: Scale::whole(first, last), title: "execution", tip: "execution {}" },
        y: Axis { scale: Scale::over(Spacing::Linear, values.into_iter().chain([0.0])), title: &title, tip: &tip },
        series: lines,
        spans: Vec::new(),
        height: 240.0,
    };
    let names: Vec<(&str, usize)> =
        of_metric.iter().enumerate().map(|(index, it)| (it.variant.as_str(), index)).collect();
    let shown = if names.len() > 1 { names.as_slice() } else { &[] };
    Some(html::with_legend(shown, &chart::responsive(|width| drawn.draw(width), 900.0)))
}

/// The line of a series; its points are as far apart as the numbers of executions.
fn line(trend: &Trend, index: usize, series: &TrendSeries) -> Series {
    let points = trend.executions.iter().zip(&series.values);
    Series {
        name: series.variant.clone(),
        class: chart::series_class(index),
        variant: None,
        points: points.filter_map(|(it, value)| Some((it.id as f64, value.as_ref()?.value))).collect(),
        max_gap: f64::INFINITY,
        below: Vec::new(),
    }
}

const HEAD: [&str; 10] =
    ["execution", "started_at", "commit", "variant", "level", "statistic", "unit", "median", "low", "high"];

fn in_csv(trend: &Trend) -> String {
    let rows = trend.series.iter().flat_map(|series| {
        let measured = trend.executions.iter().zip(&series.values);
        measured.filter_map(move |(execution, value)| {
            let value = value.as_ref()?;
            let end = |index: usize| value.interval.map_or_else(String::new, |ends| ends[index].to_string());
            Some([
                execution.id.to_string(),
                csv::cell(&execution.started_at).into_owned(),
                csv::cell(execution.commit.as_deref().unwrap_or_default()).into_owned(),
                csv::cell(&series.variant).into_owned(),
                csv::cell(series.level.as_deref().unwrap_or_default()).into_owned(),
                csv::cell(&series.metric).into_owned(),
                csv::cell(&series.unit).into_owned(),
                value.value.to_string(),
                end(0),
                end(1),
            ])
        })
    });
    csv::table(HEAD, rows)
}
