//! Somebody else's table beside ours, in its own shape: below each of their rows is ours with the same columns, and the
//! audit of both.

use plimsoll_analysis::results::{
    Audit, AuditVerdict, Finding, PublishedFigure, PublishedLevelResults, PublishedResults, PublishedVariantResults,
};
use plimsoll_record::label_for_people;
use plimsoll_text::{
    counted,
    number::{self, NONE, TimeUnit, sig3},
};

use super::{Column, Table, findings::mark};

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
        table(format!("Level {}", label_for_people(label)), &rows.flat_map(of_level).collect::<Vec<_>>(), true)
    });
    let whole: Vec<Row> = published.variants.iter().flat_map(of_variant).collect();
    let whole = table("Start-up and peaks".to_owned(), &whole, false);
    levels.chain(std::iter::once(whole)).filter(|table| !table.rows.is_empty()).collect()
}

/// Explanations of the rows' marks, by kind of finding, the gravest first.
pub fn explanations(published: &PublishedResults) -> Vec<Explanation> {
    let mut found: Vec<Explanation> = Vec::new();
    for row in &published.levels {
        let ours = row.ours.iter().zip(&row.our_audit).map(|(ours, audit)| (our_name(ours), audit));
        for (name, audit) in std::iter::once((row.variant.clone(), &row.audit)).chain(ours) {
            for finding in &audit.findings {
                let about = (format!("{name} @ {}", row.level), finding.says.clone());
                match found.iter_mut().find(|it| it.finding.kind == finding.kind) {
                    Some(known) => known.rows.push(about),
                    None => found.push(Explanation { finding: finding.clone(), rows: vec![about] }),
                }
            }
        }
    }
    found.sort_by_key(|it| std::cmp::Reverse(it.finding.weight));
    found
}

/// A kind of finding with the rows that show it.
pub struct Explanation {
    /// The first of its kind, with the advice for all.
    pub finding: Finding,
    /// Names of rows, with a sentence about each.
    pub rows: Vec<(String, String)>,
}

impl Explanation {
    /// The heading, as in the tables' last column.
    pub fn heading(&self) -> String {
        format!("{} {}", mark(self.finding.weight.into()), self.finding.kind.title)
    }
}

/// How to read the tables; none if nothing was audited.
pub fn how_to_read(published: &PublishedResults) -> Option<String> {
    let audits: Vec<&Audit> = published.levels.iter().map(|row| &row.audit).collect();
    let with = |verdict| audits.iter().filter(|audit| audit.verdict == verdict).count();
    let tally = [
        (with(AuditVerdict::Contradiction), "cannot be right (✗)"),
        (with(AuditVerdict::Question), "open to question (?)"),
        (with(AuditVerdict::Limited), "limited by the load or by a setting (=)"),
        (with(AuditVerdict::Consistent), "consistent (✓)"),
        (with(AuditVerdict::Unchecked), "with too few figures to be checked"),
    ];
    let tally = tally.iter().filter(|(count, _)| *count > 0).map(|(count, words)| format!("{count} {words}"));
    let tally: Vec<String> = tally.collect();
    let about = "The same laws are held against published rows and ours. Differences within rounding are no findings.";
    (!audits.is_empty())
        .then(|| format!("{}: {}. {about}", counted(audits.len() as u64, "published row"), tally.join(", ")))
}

/// The gravest finding, and the number of others: all are explained below the tables.
fn verdict(audit: &Audit) -> String {
    let Some((gravest, others)) = audit.findings.split_first() else {
        let word = if audit.verdict == AuditVerdict::Consistent { " consistent" } else { "" };
        return format!("{}{word}", mark(audit.verdict));
    };
    let others = if others.is_empty() { String::new() } else { format!(", {} more", others.len()) };
    format!("{} {}{others}", mark(gravest.weight.into()), gravest.kind.title)
}

fn our_name(ours: &str) -> String {
    format!("ours: {ours}")
}

/// One of their rows, or ours below it.
struct Row<'a> {
    name: String,
    figures: &'a [PublishedFigure],
    is_ours: bool,
    audit: Option<&'a Audit>,
}

fn of_level(row: &PublishedLevelResults) -> Vec<Row<'_>> {
    pair(&row.variant, row.ours.as_ref(), &row.figures, Some(&row.audit), row.our_audit.as_ref())
}

fn of_variant(row: &PublishedVariantResults) -> Vec<Row<'_>> {
    pair(&row.variant, row.ours.as_ref(), &row.figures, None, None)
}

fn pair<'a>(
    theirs: &str,
    ours: Option<&String>,
    figures: &'a [PublishedFigure],
    audit: Option<&'a Audit>,
    our_audit: Option<&'a Audit>,
) -> Vec<Row<'a>> {
    let theirs = Row { name: theirs.to_owned(), figures, is_ours: false, audit };
    let ours = ours.map(|ours| Row { name: our_name(ours), figures, is_ours: true, audit: our_audit });
    std::iter::once(theirs).chain(ours).collect()
}

fn table(title: String, rows: &[Row], is_audited: bool) -> Table {
    let figures = Heads::of(rows);
    let mut columns = vec![Column::words("variant")];
    columns.extend(figures.iter().map(|head| Column::numbers(head.text())));
    columns.extend(is_audited.then(|| Column::words("audit")));
    let cells = rows.iter().map(|row| {
        let mut cells = vec![row.name.clone()];
        cells.extend(figures.iter().map(|head| head.cell(row)));
        cells.extend(is_audited.then(|| row.audit.map_or(NONE.to_owned(), verdict)));
        cells
    });
    Table { title, rows: cells.collect(), columns }
}

/// A column: its figure, and the unit of its times.
struct Heads<'a> {
    name: &'a str,
    unit: &'a str,
    time: Option<TimeUnit>,
}

impl<'a> Heads<'a> {
    /// The columns of the rows, in the author's order.
    fn of(rows: &[Row<'a>]) -> Vec<Self> {
        let mut heads: Vec<Self> = Vec::new();
        let figures = || rows.iter().flat_map(|row| row.figures);
        for figure in figures() {
            if heads.iter().any(|head| head.name == figure.name) {
                continue;
            }
            let of_column = figures().filter(|other| other.name == figure.name);
            let time = (figure.unit == "ms").then(|| unit_of(of_column));
            heads.push(Self { name: &figure.name, unit: &figure.unit, time });
        }
        heads
    }

    fn text(&self) -> String {
        let unit = self.time.map_or(self.unit, |time| time.symbol());
        format!("{} {unit}", self.name).trim_end().to_owned()
    }

    /// The cell of a row; published figures keep the digits that were printed.
    fn cell(&self, row: &Row) -> String {
        let Some(figure) = row.figures.iter().find(|figure| figure.name == self.name) else { return NONE.to_owned() };
        let in_unit = |value: f64| self.time.map_or(value, |unit| unit.of_ms(value));
        match (row.is_ours, figure.ours) {
            (false, _) => number::printed(in_unit(figure.published), in_unit(figure.step)),
            (true, Some(ours)) => sig3(in_unit(ours)),
            (true, None) => NONE.to_owned(),
        }
    }
}

/// The unit of a column: seconds if all its times are whole milliseconds and at least a second, as authors write them.
fn unit_of<'a>(figures: impl Iterator<Item = &'a PublishedFigure>) -> TimeUnit {
    let is_long = |figure: &PublishedFigure| figure.published >= 1e3 && figure.step >= 1.0;
    if figures.into_iter().all(is_long) { TimeUnit::S } else { TimeUnit::Ms }
}
