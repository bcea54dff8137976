//! Somebody else's table beside ours.

use plimsoll_analysis::results::{PublishedFigure, PublishedResults};

use super::{Column, Table, limits};
use crate::number::{NONE, TimeUnit, sig3};

/// One table per published level, then one of variants as a whole.
pub fn tables(published: &PublishedResults) -> Vec<Table> {
    let mut labels: Vec<&str> = Vec::new();
    for row in &published.levels {
        if !labels.contains(&row.level.as_str()) {
            labels.push(&row.level);
        }
    }
    let levels = labels.iter().map(|&label| {
        let rows = published.levels.iter().filter(|row| row.level == label);
        table(format!("Level {label}"), rows.map(|row| (&row.variant, &row.ours, &row.figures)))
    });
    let whole = table(
        "Start-up and peaks".to_owned(),
        published.variants.iter().map(|row| (&row.variant, &row.ours, &row.figures)),
    );
    levels.chain(std::iter::once(whole)).filter(|table| !table.rows.is_empty()).collect()
}

/// What Little's law says of the published figures, where it contradicts them.
pub fn contradictions(published: &PublishedResults) -> Vec<String> {
    let rows = published.levels.iter().filter_map(|row| Some((row, row.littles_law.as_ref()?)));
    rows.filter(|(_, law)| !law.consistent)
        .map(|(row, law)| {
            let needs = limits::contradiction(law);
            format!("Little’s law contradicts the published figures of {} at {}: it {needs}.", row.variant, row.level)
        })
        .collect()
}

type Row<'a> = (&'a String, &'a Option<String>, &'a Vec<PublishedFigure>);

fn table<'a>(title: String, rows: impl Iterator<Item = Row<'a>>) -> Table {
    let rows: Vec<_> = rows.collect();
    let pairs = Pair::all(&rows);
    let mut columns = vec![Column::words("published"), Column::words("ours")];
    for pair in &pairs {
        columns.push(Column::numbers(pair.head()));
        columns.push(Column::numbers("ours"));
    }
    let cells = rows.iter().map(|(variant, ours, figures)| {
        let mut cells = vec![(*variant).clone(), ours.as_deref().unwrap_or(NONE).to_owned()];
        cells.extend(pairs.iter().flat_map(|pair| pair.cells(figures)));
        cells
    });
    Table { title, rows: cells.collect(), columns }
}

/// A figure's two columns: theirs and ours, in one unit.
struct Pair<'a> {
    name: &'a str,
    unit: &'a str,
    time: Option<TimeUnit>,
}

impl<'a> Pair<'a> {
    fn all(rows: &[Row<'a>]) -> Vec<Self> {
        let mut pairs: Vec<Self> = Vec::new();
        let figures = || rows.iter().flat_map(|(_, _, figures)| figures.iter());
        for figure in figures() {
            if pairs.iter().any(|pair| pair.name == figure.name) {
                continue;
            }
            let values = figures().filter(|other| other.name == figure.name).map(|other| other.published);
            let time = (figure.unit == "ms").then(|| TimeUnit::fitting(values));
            pairs.push(Self { name: &figure.name, unit: &figure.unit, time });
        }
        pairs
    }

    fn head(&self) -> String {
        let unit = self.time.map_or(self.unit, |time| time.symbol());
        format!("{} {unit}", self.name).trim_end().to_owned()
    }

    fn cells(&self, figures: &[PublishedFigure]) -> [String; 2] {
        let show = |value: f64| self.time.map_or_else(|| sig3(value), |unit| unit.show(value));
        match figures.iter().find(|figure| figure.name == self.name) {
            Some(figure) => [show(figure.published), figure.ours.map_or(NONE.to_owned(), show)],
            None => [NONE.to_owned(), NONE.to_owned()],
        }
    }
}
