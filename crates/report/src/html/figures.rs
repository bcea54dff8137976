//! Figures as rows of marks: throughput and response time per level, start-up and peaks per variant.

use maud::{Markup, html};
use plimsoll_analysis::{
    Results,
    results::{Figure, LineResults, SearchResults, VariantResults},
};
use plimsoll_record::label_for_people;
use plimsoll_text::{
    joined,
    number::{NONE, TimeUnit, sig3, with_unit},
};

use super::parts;
use crate::{
    chart::{
        COLOURS,
        rows::{Mark, Row, RowChart},
        scale::{Scale, Spacing},
        series_class,
    },
    content::{
        self, levels,
        line::{interval, known},
        load, resources,
    },
};

/// The greatest value, as a multiple of the least, beyond which an axis is logarithmic.
const FAR_APART: f64 = 30.0;

/// Medians over rounds with their ranges, a chart per level.
pub fn throughput(results: &Results) -> Option<Markup> {
    let facets: Vec<_> = each_level(results, throughput_chart);
    (load::single(results).is_none() && !facets.is_empty()).then(|| {
        html! {
            p { "Successful requests per second. Each level has its own axis." }
            (parts::legend(results))
            (parts::key(&[
                ("bar", "median over rounds"),
                ("span", "95 % interval over rounds"),
                ("round", "a round"),
                ("ceiling", "the most that settings or users allow"),
            ]))
            (parts::facets(facets))
        }
    })
}

/// Median, 90th and 99th percentile and maximum, a chart per level.
pub fn response(results: &Results) -> Option<Markup> {
    let facets: Vec<_> = each_level(results, response_chart);
    (load::single(results).is_none() && !facets.is_empty()).then(|| {
        html! {
            p { "From the instant a request was due to the last byte of its answer. Each level has its own axis." }
            (parts::key(&[("dot", "median"), ("ring", "90th percentile"), ("tick", "99th percentile"), ("span", "up to the slowest")]))
            (parts::facets(facets))
        }
    })
}

/// Load lines, a chart for each name that they have.
pub fn lines(results: &Results) -> Option<Markup> {
    let mut names: Vec<&str> = Vec::new();
    for line in &results.lines {
        if !names.contains(&line.name.as_str()) {
            names.push(&line.name);
        }
    }
    let facets: Vec<_> = names.iter().filter_map(|name| lines_chart(results, name)).collect();
    let has_rounds = results.lines.iter().any(|line| line.line.middle().is_some() && line.searches.len() > 1);
    let mut key = vec![("span", "95 % interval"), ("tick", "bound of an interval with an open side")];
    if has_rounds {
        key.extend([("dot", "estimate over rounds"), ("round", "a round: the middle of its search’s interval")]);
    }
    (!facets.is_empty()).then(|| html! { (parts::key(&key)) (parts::facets(facets)) })
}

fn lines_chart<'a>(results: &'a Results, name: &str) -> Option<(String, RowChart<'a>)> {
    let of_name: Vec<&LineResults> = results.lines.iter().filter(|line| line.name == name).collect();
    let rows: Vec<Row> = of_name.iter().filter_map(|line| line_row(results, line)).collect();
    let first = of_name.first().filter(|_| !rows.is_empty())?;
    let unit = if first.think_ms.is_some() { "virtual users" } else { "requests per second" };
    let title =
        [name, &joined(&first.objectives)].into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join(": ");
    Some((title.clone(), chart(format!("Load lines of {title}"), unit, Spacing::of(values(&rows), FAR_APART), rows)))
}

fn line_row(results: &Results, line: &LineResults) -> Option<Row> {
    let series = results.variants.iter().position(|variant| variant.name == line.variant)?;
    let mut marks = match (line.line.low(), line.line.high()) {
        (Some(low), Some(high)) => vec![Mark::Line(low, high)],
        (low, high) => low.or(high).into_iter().map(Mark::Tick).collect(),
    };
    let rounds: Vec<f64> = line.searches.iter().filter_map(SearchResults::middle).collect();
    if line.searches.len() > 1 {
        marks.extend(line.line.middle().map(Mark::Dot));
        marks.extend(rounds.iter().map(|&middle| Mark::Round(middle)));
    }
    let shown = rounds.iter().map(|&middle| content::line::load(line, middle)).collect::<Vec<_>>();
    let of_rounds = if rounds.len() > 1 { format!("; rounds {}", joined(&shown)) } else { String::new() };
    let tip = format!("{}: {}{of_rounds}", content::line::name(line), interval(line));
    let value = known(line);
    (!marks.is_empty()).then(|| Row {
        name: line.variant.clone(),
        series,
        class: class(results, series),
        marks,
        value,
        tip,
    })
}

/// Start-up, CPU and memory at their peaks, a chart each.
pub fn resources(results: &Results) -> Option<Markup> {
    resources::table(results)?;
    let startup = |variant: &VariantResults| variant.startup_s.clone();
    let charts: [(&str, &str, &str, Pick); 3] = [
        ("Start-up, from spawn to the first answer", "s", "seconds", startup),
        ("Peak CPU", "%", "% of one core", |variant| variant.peak_cpu_percent.clone()),
        ("Peak memory", "MB", "MB resident", |variant| variant.peak_rss_mb.clone()),
    ];
    let facets = charts.into_iter().filter_map(|(title, unit, axis, pick)| {
        let rows: Vec<_> = rows_of(results, unit, pick);
        (!rows.is_empty()).then(|| (title.to_owned(), chart(title.to_owned(), axis, Spacing::Linear, rows)))
    });
    Some(html! {
        (parts::key(&[("bar", "median over rounds"), ("span", "95 % interval over rounds"), ("round", "a round")]))
        (parts::facets(facets.collect()))
    })
}

type Pick = fn(&VariantResults) -> Option<Figure>;

fn each_level<'a>(results: &'a Results, draw: fn(&'a Results, usize) -> RowChart<'a>) -> Vec<(String, RowChart<'a>)> {
    (0..results.levels.len())
        .filter(|&index| levels::of_level(results, index).next().is_some())
        .map(|index| (levels::title(results, index), draw(results, index)))
        .collect()
}

fn throughput_chart(results: &Results, index: usize) -> RowChart<'_> {
    let rows = levels::of_level(results, index).map(|(variant, level)| {
        let mut row = bar(results, variant, &level.throughput_per_s, "/s");
        if let Some(ceiling) = &level.ceiling {
            row.marks.insert(0, Mark::Ceiling(ceiling.per_s));
            row.tip.push_str(&format!("; ceiling {}/s ({})", sig3(ceiling.per_s), ceiling.because));
        }
        row
    });
    let label = format!("Throughput of each variant at level {}", label_for_people(&results.levels[index].label));
    chart(label, "requests per second", Spacing::Linear, rows.collect())
}

fn response_chart(results: &Results, index: usize) -> RowChart<'_> {
    let of_level: Vec<_> =
        levels::of_level(results, index).filter(|(_, level)| level.totals.counts.succeeded > 0).collect();
    let unit = TimeUnit::fitting(of_level.iter().map(|(_, level)| level.response.median_ms.median));
    let rows: Vec<_> = of_level
        .iter()
        .map(|&(variant, level)| {
            let name = &results.variants[variant].name;
            let times = &level.response;
            let [median, max] = [&times.median_ms, &times.max_ms].map(|figure| unit.of_ms(figure.median));
            let [p90, p99] = [&times.p90_ms, &times.p99_ms].map(|it| Some(unit.of_ms(it.as_ref()?.median)));
            let shown = |ms: Option<f64>| ms.map_or(NONE.to_owned(), |ms| format!("{} {}", sig3(ms), unit.symbol()));
            let symbol = unit.symbol();
            let tip = format!(
                "{name}: median {} {symbol}, 90th percentile {}, 99th {}, slowest {} {symbol}, mean {} {symbol}",
                sig3(median),
                shown(p90),
                shown(p99),
                sig3(max),
                unit.show(times.mean_ms.median),
            );
            let tails = p99.map(Mark::Tick).into_iter().chain(p90.map(Mark::Ring));
            let marks = [Mark::Line(median, max)].into_iter().chain(tails).chain([Mark::Dot(median)]).collect();
            Row {
                name: name.clone(),
                series: variant,
                class: class(results, variant),
                marks,
                value: p99.map_or(NONE.to_owned(), sig3),
                tip,
            }
        })
        .collect();
    let title = match unit {
        TimeUnit::S => "seconds; 99th percentile in figures",
        TimeUnit::Ms => "milliseconds; 99th percentile in figures",
        TimeUnit::Us => "microseconds; 99th percentile in figures",
    };
    let label = format!("Response time of each variant at level {}", label_for_people(&results.levels[index].label));
    chart(label, title, Spacing::of(values(&rows), FAR_APART), rows)
}

fn rows_of(results: &Results, unit: &str, pick: Pick) -> Vec<Row> {
    let figures = results.variants.iter().enumerate();
    figures.filter_map(|(index, variant)| Some(bar(results, index, &pick(variant)?, unit))).collect()
}

/// The class with the variant's own colour, if there are enough colours; else names alone tell variants apart.
fn class(results: &Results, series: usize) -> String {
    if results.variants.len() > COLOURS { "c0".to_owned() } else { series_class(series) }
}

fn bar(results: &Results, series: usize, figure: &Figure, unit: &str) -> Row {
    let name = results.variants[series].name.clone();
    let mut marks = vec![Mark::Bar(figure.median)];
    let mut tip = format!("{name}: {}", with_unit(sig3(figure.median), unit));
    if figure.rounds.len() > 1 {
        marks.extend(figure.interval.map(|[low, high]| Mark::Line(low, high)));
        marks.extend(figure.rounds.iter().map(|&round| Mark::Round(round)));
        let range = format!(
            ", {} rounds from {} to {}",
            figure.rounds.len(),
            sig3(figure.min),
            with_unit(sig3(figure.max), unit)
        );
        tip.push_str(&range);
        let interval = figure.interval.filter(|[low, high]| low < high);
        tip.push_str(&interval.map_or_else(String::new, |[low, high]| {
            format!("; 95 % interval {} – {}", sig3(low), with_unit(sig3(high), unit))
        }));
    }
    Row { name, series, class: class(results, series), marks, value: sig3(figure.median), tip }
}

fn chart(label: String, unit: &str, spacing: Spacing, rows: Vec<Row>) -> RowChart<'_> {
    RowChart { label, scale: Scale::over(spacing, values(&rows)), unit, rows }
}

/// Every value that a row shows.
fn values(rows: &[Row]) -> impl Iterator<Item = f64> {
    rows.iter().flat_map(|row| &row.marks).flat_map(|mark| match *mark {
        Mark::Bar(value)
        | Mark::Round(value)
        | Mark::Dot(value)
        | Mark::Ring(value)
        | Mark::Tick(value)
        | Mark::Ceiling(value) => [value, value],
        Mark::Line(low, high) => [low, high],
    })
}
