//! Blocks of the outline in GitHub's Markdown, for documents and pull requests.

use std::fmt::Write;

use plimsoll_analysis::Results;

use crate::{
    Style,
    content::{
        Align, Table, bars, claims,
        outline::{Block, Figure, Item, Judged, SECTIONS, Section},
        packagings, summary,
    },
};

/// Every section that has something to show; of charts those that characters can draw.
pub fn render(results: &Results, _: &Style) -> String {
    let mut page = Page(String::new());
    page.line(&format!("# {}", escape(summary::title(results))));
    page.line(&escape(&summary::line(results)));
    page.line(results.execution.description.trim());
    for section in SECTIONS {
        page.section(section, results);
    }
    page.0
}

struct Page(String);

impl Page {
    /// A block with an empty line before it; nothing if it is empty.
    fn line(&mut self, block: &str) {
        if block.is_empty() {
            return;
        }
        if !self.0.is_empty() {
            self.0.push('\n');
        }
        self.0.push_str(block);
        self.0.push('\n');
    }

    fn section(&mut self, section: &Section, results: &Results) {
        let mut body = Page(String::new());
        (section.blocks)(results).iter().for_each(|block| body.block(block, results));
        if !body.0.is_empty() {
            self.line(&format!("## {}", section.title));
            self.line(body.0.trim_end());
        }
    }

    fn block(&mut self, block: &Block, results: &Results) {
        match block {
            Block::Heading(text) => self.line(&format!("### {}", escape(text))),
            Block::Text(text) => self.line(&escape(text)),
            Block::Aside(text) => self.line(text),
            Block::Table(table) => self.table(table),
            Block::Folded(_, blocks) => blocks.iter().for_each(|block| self.block(block, results)),
            Block::Facts(facts) => self.list(facts.iter().map(|(label, text)| item(label, text))),
            Block::Claims(claims) => self.claims(claims),
            Block::Items(items) => self.list(items.iter().map(|Item { word, text, .. }| item(word, text))),
            Block::Output(..) | Block::Histogram(_) | Block::Characters(_) => {}
            Block::Drawn { label, text, .. } => self.line(&item(label, text)),
            Block::Figure(figure) => self.chart(drawn(*figure, results)),
        }
    }

    fn list(&mut self, items: impl Iterator<Item = String>) {
        self.line(&items.collect::<Vec<_>>().join("\n"));
    }

    /// As it is, in letters of one width.
    fn chart(&mut self, chart: Option<String>) {
        self.line(&chart.map_or_else(String::new, |chart| format!("```text\n{chart}\n```")));
    }

    fn claims(&mut self, claims: &[Judged]) {
        let mut text = "| | claim | figure [95 % interval] | judged by |\n| :-- | :-- | --: | :-- |".to_owned();
        for claim in claims {
            let figure = claim.figure.as_deref().unwrap_or_default();
            let (mark, word) = (claims::mark(claim.verdict), claims::word(claim.verdict));
            let (says, by) = (escape(&claim.says), code(&claim.expression));
            write!(text, "\n| {mark} {word} | {says} | {figure} | {by} |").expect("writing to memory does not fail");
        }
        self.line(&text);
        let explained = claims.iter().filter(|claim| !claim.details.is_empty());
        self.list(
            explained.map(|claim| {
                item(&format!("{} {}", claims::mark(claim.verdict), claim.says), &claim.details.join(". "))
            }),
        );
    }

    fn table(&mut self, table: &Table) {
        if !table.title.is_empty() {
            self.line(&format!("### {}", escape(&table.title)));
        }
        let row = |cells: &mut dyn Iterator<Item = String>| format!("| {} |", cells.collect::<Vec<_>>().join(" | "));
        let mut lines = vec![row(&mut table.columns.iter().map(|column| escape(&column.head)))];
        lines.push(row(&mut table.columns.iter().map(|column| match column.align {
            Align::Left => ":--".to_owned(),
            Align::Right => "--:".to_owned(),
        })));
        lines.extend(table.rows.iter().map(|cells| row(&mut cells.iter().map(|cell| escape(cell)))));
        self.line(&lines.join("\n"));
    }
}

/// A chart of characters; none where there is nothing to draw with them.
fn drawn(figure: Figure, results: &Results) -> Option<String> {
    match figure {
        Figure::LevelBars(index) => bars::of_level(results, index),
        Figure::FirstBars(index) => bars::of_first_requests(results, index),
        Figure::PackagingBars => packagings::bars(results),
        Figure::TimeWait => bars::of_time_wait(results),
        _ => None,
    }
}

fn item(label: &str, text: &str) -> String {
    // Sentences of ours set names of settings between backticks, which is Markdown's way too.
    format!("- **{}**: {}", escape(label), escape(text).replace("\\`", "`"))
}

/// Text that Markdown shows as it is, on one line.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => out.push(' '),
            '\\' | '`' | '*' | '_' | '<' | '>' | '|' => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out.replace("](", "]\\(")
}

/// Text as code within a table's cell.
fn code(text: &str) -> String {
    format!("`` {} ``", text.replace(['\n', '\r'], " ").replace('|', "\\|"))
}
