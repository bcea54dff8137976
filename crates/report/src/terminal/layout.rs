//! A page of text of limited width: headings, paragraphs, tables, labelled facts.
//!
//! Every text that comes in is made printable before it is laid out and coloured: neither a target nor a record of
//! others can send control characters to the terminal.

use anstyle::{AnsiColor, Style as Ansi};
use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table as Grid, TableStyle};
use plimsoll_text::{columns, printable_line};
use unicode_width::UnicodeWidthStr;

use crate::{
    Style,
    content::{Align, Column, Table},
};

/// Meaning of a word's colour.
#[derive(Clone, Copy)]
pub enum Ink {
    /// The terminal's default.
    Plain,
    /// A heading.
    Strong,
    /// An aside.
    Faint,
    /// It holds.
    Good,
    /// It fails.
    Bad,
    /// It needs a look.
    Doubt,
}

impl Ink {
    const fn ansi(self) -> Ansi {
        match self {
            Self::Plain => Ansi::new(),
            Self::Strong => Ansi::new().bold(),
            Self::Faint => Ansi::new().dimmed(),
            Self::Good => AnsiColor::Green.on_default().bold(),
            Self::Bad => AnsiColor::Red.on_default().bold(),
            Self::Doubt => AnsiColor::Yellow.on_default(),
        }
    }
}

/// Text under construction.
pub struct Page {
    width: usize,
    colour: bool,
    text: String,
}

impl Page {
    /// An empty page.
    pub fn new(style: &Style) -> Self {
        Self { width: style.width.max(40), colour: style.colour, text: String::new() }
    }

    /// Columns that a line may take.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// The page.
    pub fn finish(self) -> String {
        self.text
    }

    /// A line that stands out, after an empty one.
    pub fn heading(&mut self, text: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.paragraph(text, 0, Ink::Strong);
    }

    /// A paragraph; its lines after the first are indented.
    pub fn text(&mut self, text: &str, hang: usize) {
        self.paragraph(text, hang, Ink::Plain);
    }

    /// An aside.
    pub fn note(&mut self, text: &str) {
        self.paragraph(text, 0, Ink::Faint);
    }

    /// A paragraph after a word that stands out.
    pub fn marked(&mut self, word: &str, ink: Ink, text: &str) {
        let word = printable_line(word);
        let wrapped = self.wrap(&format!("{word}  {}", printable_line(text)), 4);
        let coloured = self.inked(&word, ink);
        self.line(&wrapped.replacen(&*word, &coloured, 1));
    }

    /// Lines so far.
    pub fn lines(&self) -> usize {
        self.text.lines().count()
    }

    /// An empty line.
    pub fn empty_line(&mut self) {
        self.line("");
    }

    /// Adds as much of a text as fits on a line.
    pub fn line_of(&mut self, text: &str) {
        let cut = columns::cut(&printable_line(text), self.width);
        self.line(&cut);
    }

    /// A line of a word that stands out, as much of a text as fits, and an end that is never cut.
    pub fn marked_line(&mut self, word: &str, ink: Ink, text: &str, end: &str) {
        let (word, end) = (printable_line(word), printable_line(end));
        let room = self.width.saturating_sub(word.width() + 2 + end.width()).max(10);
        let text = columns::cut(&printable_line(text), room);
        let coloured = self.inked(&word, ink);
        self.line(&format!("{coloured}  {text}{end}"));
    }

    /// Labels with texts beside them.
    pub fn facts(&mut self, title: &str, facts: &[(&str, String)]) {
        if facts.is_empty() {
            return;
        }
        self.heading(title);
        self.labelled(facts);
    }

    /// The same without a title.
    pub fn labelled(&mut self, facts: &[(impl AsRef<str>, String)]) {
        let facts: Vec<_> =
            facts.iter().map(|(label, text)| (printable_line(label.as_ref()), printable_line(text))).collect();
        let label_width = columns::widest(facts.iter().map(|(label, _)| &**label)) + 2;
        for (label, text) in facts {
            let padded = columns::padded(&label, label_width);
            let wrapped = textwrap::fill(
                &text,
                self.wrapping().initial_indent(&padded).subsequent_indent(&" ".repeat(label_width)),
            );
            self.line(&wrapped);
        }
    }

    /// A table. Words are shortened until it fits; if that is not enough, it is continued below.
    pub fn table(&mut self, table: &Table) {
        if !table.title.is_empty() {
            self.heading(&table.title);
        }
        for part in fit(&printable_table(table), self.width) {
            let grid = grid(&part);
            self.line(&grid);
        }
    }

    fn paragraph(&mut self, text: &str, hang: usize, ink: Ink) {
        let wrapped = self.wrap(&printable_line(text), hang);
        for line in wrapped.lines() {
            let coloured = self.inked(line, ink);
            self.line(&coloured);
        }
    }

    fn wrap(&self, text: &str, hang: usize) -> String {
        let own_indent = text.len() - text.trim_start_matches(' ').len();
        let (first, others) = (" ".repeat(own_indent), " ".repeat(hang));
        let options = self.wrapping().initial_indent(&first).subsequent_indent(&others);
        textwrap::fill(text.trim_start_matches(' '), options)
    }

    /// Lines break only at spaces: `97.2/s` and `web-jar` stay whole. Each takes what fits, since an optimal fit lets a
    /// long word exceed the margin.
    fn wrapping(&self) -> textwrap::Options<'static> {
        textwrap::Options::new(self.width)
            .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit)
            .word_separator(textwrap::WordSeparator::AsciiSpace)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
    }

    fn inked(&self, text: &str, ink: Ink) -> String {
        if !self.colour {
            return text.to_owned();
        }
        let style = ink.ansi();
        format!("{style}{text}{style:#}")
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }
}

const GAP: usize = 2;
/// Widths to which words are shortened: the first if that makes a table fit, the second if the table must be continued
/// below anyway.
const NARROWEST_WORDS: usize = 10;
const NARROW_WORDS: usize = 26;

/// A table with printable heads and cells, which may come from people and targets.
fn printable_table(table: &Table) -> Table {
    let shown = |text: &String| printable_line(text).into_owned();
    let column = |column: &Column| Column { head: shown(&column.head), ..column.clone() };
    Table {
        title: String::new(),
        columns: table.columns.iter().map(column).collect(),
        rows: table.rows.iter().map(|row| row.iter().map(shown).collect()).collect(),
    }
}

/// The table, shortened, and split into several with the same rows if need be, each within `width`.
fn fit(table: &Table, width: usize) -> Vec<Table> {
    let mut table = table.clone();
    shorten(&mut table, width);
    let widths = widths(&table);
    let mut parts: Vec<Vec<usize>> = vec![vec![0]];
    let mut used = widths.first().copied().unwrap_or(0);
    for (column, column_width) in widths.iter().enumerate().skip(1) {
        if used + GAP + column_width > width && parts.last().is_some_and(|part| part.len() > 1) {
            parts.push(vec![0]);
            used = widths[0];
        }
        parts.last_mut().expect("there is one").push(column);
        used += GAP + column_width;
    }
    parts.into_iter().map(|columns| select(&table, &columns)).collect()
}

fn select(table: &Table, columns: &[usize]) -> Table {
    Table {
        title: String::new(),
        columns: columns.iter().map(|&column| table.columns[column].clone()).collect(),
        rows: table.rows.iter().map(|row| columns.iter().map(|&column| row[column].clone()).collect()).collect(),
    }
}

/// Shortens the widest column of words until the table fits or all words are short.
fn shorten(table: &mut Table, width: usize) {
    let is_words = |table: &Table, column: usize| {
        let Column { align, is_whole, .. } = &table.columns[column];
        *align == Align::Left && !is_whole
    };
    let gaps = GAP * table.columns.len().saturating_sub(1);
    let least: usize = widths(table)
        .into_iter()
        .enumerate()
        .map(|(column, width)| if is_words(table, column) { width.min(NARROWEST_WORDS) } else { width })
        .sum();
    let narrowest = if least + gaps > width { NARROW_WORDS } else { NARROWEST_WORDS };
    loop {
        let widths = widths(table);
        let total = widths.iter().sum::<usize>() + gaps;
        let can_shrink = |&column: &usize| {
            is_words(table, column) && widths[column] > narrowest.max(table.columns[column].head.width())
        };
        let widest = (0..widths.len()).filter(can_shrink).max_by_key(|&column| widths[column]);
        let Some(column) = widest.filter(|_| total > width) else { return };
        let target = widths[column].saturating_sub(total - width).max(widths[column] * 2 / 3).max(narrowest);
        for row in &mut table.rows {
            row[column] = cut_middle(&row[column], target.min(widths[column] - 1));
        }
    }
}

fn widths(table: &Table) -> Vec<usize> {
    let cells = |column: usize| table.rows.iter().map(move |row| row[column].width());
    let heads = table.columns.iter().map(|Column { head, .. }| head.width());
    heads.enumerate().map(|(column, head)| cells(column).chain([head]).max().unwrap_or(0)).collect()
}

fn grid(table: &Table) -> String {
    let mut grid = Grid::new();
    grid.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─')))
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(table.columns.iter().map(|column| column.head.clone()))
        .add_rows(table.rows.iter().cloned());
    let last = table.columns.len() - 1;
    for (index, column) in table.columns.iter().enumerate() {
        let cells = grid.column_mut(index).expect("as many columns as heads");
        // The grid itself puts one space between columns.
        cells.set_padding((0, if index == last { 0 } else { GAP as u16 - 1 }));
        if column.align == Align::Right {
            cells.set_cell_alignment(CellAlignment::Right);
        }
    }
    grid.trim_fmt()
}

/// `a-very-long-name` as `a-ve…name`: similar names differ at their ends.
fn cut_middle(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let keep_end = (width - 1) / 2;
    let mut end = String::new();
    for c in text.chars().rev() {
        if format!("{c}{end}").width() > keep_end {
            break;
        }
        end.insert(0, c);
    }
    format!("{}{end}", columns::cut(text, width - end.width()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_in_the_middle_by_display_width() {
        assert_eq!(cut_middle("web-jar", 10), "web-jar");
        assert_eq!(cut_middle("reactive-aot-cache-vt", 11), "react…he-vt");
        assert_eq!(cut_middle("인사말-서비스-가상스레드", 12), "인사말-…레드");
    }

    #[test]
    fn an_answer_is_never_shortened() {
        let columns = vec![Column::words("variant"), Column::whole("load line"), Column::words("limited by")];
        let row = ["a-long-name-of-a-variant", "1,840 – 1,905 users with think time", "connections of a pool"];
        let table = Table { title: String::new(), columns, rows: vec![row.map(str::to_owned).to_vec()] };
        let shown: String = fit(&table, 60).iter().map(grid).collect();
        assert!(shown.contains(row[1]) && !shown.contains(row[0]), "{shown}");
    }

    #[test]
    fn a_table_that_is_too_wide_is_shortened_then_continued() {
        let table = Table {
            title: String::new(),
            columns: std::iter::once(Column::words("variant"))
                .chain((0..12).map(|n| Column::numbers(format!("figure-{n}"))))
                .collect(),
            rows: vec![std::iter::once("x".repeat(90)).chain((0..12).map(|n| n.to_string())).collect()],
        };
        let parts = fit(&table, 60);
        assert!(parts.len() > 1);
        let shown: Vec<_> = parts.iter().flat_map(|part| &part.columns).map(|column| &column.head).collect();
        assert!((0..12).all(|n| shown.contains(&&format!("figure-{n}"))));
        assert!(parts.iter().map(grid).all(|grid| grid.lines().all(|line| line.width() <= 60)));
    }
}
