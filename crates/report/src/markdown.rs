//! Blocks of the outline in GitHub's Markdown, for documents and pull requests.

use std::fmt::Write;

use plimsoll_analysis::{Results, results::Comparison};

use crate::{
    Style,
    content::{
        Align, Table, bars,
        block::{Block, Figure, Item, Judged},
        claims, comparison,
        outline::{SECTIONS, Section},
        packagings,
        part::Part,
        summary,
    },
    prose,
};

/// Every section that has something to show, with charts that can be drawn in characters.
pub fn render(results: &Results, _: &Style) -> String {
    page(results, None)
}

/// The same, with a comparison before all sections.
pub fn against(results: &Results, compared: &Comparison) -> String {
    page(results, Some(compared))
}

fn page(results: &Results, compared: Option<&Comparison>) -> String {
    let mut page = Page(String::new());
    page.line(&format!("# {}", escape(summary::title(results))));
    page.line(&escape(&summary::line(results)));
    page.line(&prose::markdown(&results.execution.description));
    if let Some(compared) = compared {
        page.line(&format!("## {}", comparison::SECTION));
        page.line(&escape(&format!("{} {}", comparison::verdict(compared), comparison::line(compared))));
        page.parts(&comparison::parts(compared), "###");
    }
    for section in SECTIONS {
        page.section(section, results);
    }
    page.0
}

/// Sections that are made of blocks alone.
pub fn of_blocks(title: &str, line: &str, sections: &[Part]) -> String {
    let mut page = Page(String::new());
    page.line(&format!("# {}", escape(title)));
    page.line(&escape(line));
    page.parts(sections, "##");
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

    /// Adds each part below a heading, unless it is empty.
    fn parts(&mut self, parts: &[Part], heading: &str) {
        for part in parts {
            let mut body = Page(String::new());
            part.blocks.iter().for_each(|block| body.block(block, None));
            if !body.0.is_empty() {
                self.line(&format!("{heading} {}", part.title));
                self.line(body.0.trim_end());
            }
        }
    }

    fn section(&mut self, section: &Section, results: &Results) {
        let mut body = Page(String::new());
        (section.blocks)(results).iter().for_each(|block| body.block(block, Some(results)));
        if !body.0.is_empty() {
            self.line(&format!("## {}", section.title));
            self.line(body.0.trim_end());
        }
    }

    fn block(&mut self, block: &Block, results: Option<&Results>) {
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
            Block::Figure(figure) => self.chart(results.and_then(|results| drawn(*figure, results))),
        }
    }

    fn list(&mut self, items: impl Iterator<Item = String>) {
        self.line(&items.collect::<Vec<_>>().join("\n"));
    }

    /// Adds a chart, in monospaced type.
    fn chart(&mut self, chart: Option<String>) {
        self.line(&chart.map_or_else(String::new, |chart| fenced("text", &chart)));
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

/// A label and a sentence, in a list.
pub fn item(label: &str, text: &str) -> String {
    format!("- **{}**: {}", escape(label), sentence(text))
}

/// Text on one line in which names between backticks become code, as in Markdown; all else is shown as it is.
fn sentence(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return escape(text);
    }
    let of = |(index, part): (usize, &&str)| match index % 2 {
        0 => escape(part),
        _ if part.trim().is_empty() => escape(&format!("`{part}`")),
        _ => format!("`{}`", on_one_line(part)),
    };
    parts.iter().enumerate().map(of).collect()
}

/// Text that Markdown shows as it is, on one line: no link, no picture, no mention of people or issues, no HTML.
/// Characters that are no markup where they stand, such as brackets of intervals, stay readable in the source.
pub fn escape(text: &str) -> String {
    let text = on_one_line(text);
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied().unwrap_or(' ');
        if is_markup(c, next, &out) {
            out.push('\\');
        }
        out.push(c);
        // Hosts look for mentions after they have removed escapes, but not across a comment.
        if matches!(c, '#' | '@') && next.is_alphanumeric() {
            out.push_str("<!-- -->");
        }
    }
    out
}

/// Whether a character between `before` and `next` is markup: the end of a link's text, an entity, an address that
/// becomes a link.
fn is_markup(c: char, next: char, before: &str) -> bool {
    match c {
        '\\' | '`' | '*' | '_' | '<' | '>' | '|' | '~' => true,
        ']' => matches!(next, '(' | '[' | ':'),
        '&' => next.is_ascii_alphanumeric() || next == '#',
        '#' => before.is_empty(),
        ':' => next == '/',
        '.' => ends_in_www(before),
        _ => false,
    }
}

pub fn ends_in_www(text: &str) -> bool {
    text.as_bytes().last_chunk::<3>().is_some_and(|end| end.eq_ignore_ascii_case(b"www"))
}

/// Text as code within a table's cell.
fn code(text: &str) -> String {
    let text = on_one_line(text).replace('|', "\\|");
    let fence = "`".repeat((longest_run(&text) + 1).max(2));
    format!("{fence} {text} {fence}")
}

/// Text as it is, in a fenced block that nothing in it can end.
pub fn fenced(language: &str, text: &str) -> String {
    let fence = "`".repeat((longest_run(text) + 1).max(3));
    format!("{fence}{language}\n{text}\n{fence}")
}

/// The length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

fn on_one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_between_backticks_are_code_and_all_else_is_text() {
        assert_eq!(sentence("raise `pool_size` to 2*2"), "raise `pool_size` to 2\\*2");
        assert_eq!(sentence("a ` alone_"), "a \\` alone\\_");
        assert_eq!(sentence("`` <b>"), "\\`\\` \\<b\\>");
    }

    #[test]
    fn nothing_becomes_a_link_a_mention_or_html() {
        assert_eq!(escape("[1.5 – 2] [x]: y"), "[1.5 – 2] [x\\]: y");
        assert_eq!(escape("[a](b) ![c](d)"), "[a\\](b) ![c\\](d)");
        assert_eq!(escape("http://a www.b.c"), "http\\://a www\\.b.c");
        assert_eq!(escape("@me #1 a@b &lt; ~~x~~"), "@<!-- -->me #<!-- -->1 a@<!-- -->b \\&lt; \\~\\~x\\~\\~");
        assert_eq!(escape("# <img>\n# b"), "\\# \\<img\\> # b");
    }

    #[test]
    fn backticks_do_not_end_code() {
        assert_eq!(code("a ``` b | c"), "```` a ``` b \\| c ````");
        assert_eq!(fenced("text", "a\n````\n# b"), "`````text\na\n````\n# b\n`````");
    }
}
