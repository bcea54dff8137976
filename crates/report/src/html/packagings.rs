//! The gain of each packaging: a panel for each of its figures, a row for each packaging.

use maud::{Markup, html};
use plimsoll_analysis::Results;

use super::parts;
use crate::{
    chart::{
        self,
        panels::{Dot, Panel, PanelChart},
        scale::{Scale, Spacing},
    },
    content::packagings::{self, Measure, Packagings},
};

/// The greatest value, as a multiple of the least, beyond which an axis is logarithmic.
const FAR_APART: f64 = 8.0;

/// The chart, if there are packagings to compare.
pub fn section(results: &Results) -> Option<Markup> {
    let all = packagings::of(results)?;
    let chart = PanelChart {
        label: "Packagings compared".to_owned(),
        rows: all.packagings.clone(),
        series: all.series.len(),
        panels: all.measures.iter().map(|measure| panel(&all, measure)).collect(),
    };
    let series: Vec<(&str, usize)> = (0..).zip(&all.series).map(|(index, name)| (name.as_str(), index)).collect();
    Some(html! {
        @if series.len() > 1 { (parts::lines_legend(&series)) }
        (parts::key(&[("dot", "median over rounds"), ("span", "least to greatest round")]))
        figure { (chart::responsive(|width| chart.draw(width), 1040.0)) }
    })
}

fn panel(all: &Packagings, measure: &Measure) -> Panel {
    let values =
        || measure.points.iter().flat_map(|it| [Some(it.value), it.range.map(|it| it.0), it.range.map(|it| it.1)]);
    let spacing = Spacing::of(values().flatten(), FAR_APART);
    let dots = measure.points.iter().map(|point| Dot {
        row: point.packaging,
        series: point.series,
        value: point.value,
        range: point.range,
        tip: format!(
            "{}, {}: {} {} {}",
            point.variant,
            all.packagings[point.packaging],
            measure.title,
            packagings::shown(measure, point.value),
            measure.unit
        ),
    });
    let unit = match spacing {
        Spacing::Log => format!("{}, logarithmic", measure.unit),
        _ => measure.unit.to_owned(),
    };
    Panel { title: measure.title.clone(), unit, scale: Scale::over(spacing, values().flatten()), dots: dots.collect() }
}
