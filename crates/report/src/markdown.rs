//! Tables in GitHub's Markdown, for documents and pull requests.

use std::fmt::Write;

use plimsoll_analysis::Results;

use crate::{
    Style,
    content::{
        self, Align, Table, bars, benchmarks, claims, environment, findings, first, levels, limits,
        load::{self, LevelOfLoad},
        problems, published, ratios, resources, summary, thresholds,
    },
};

/// Everything but curves, and of the time lines no more than `TIME_WAIT`.
pub fn render(results: &Results, _: &Style) -> String {
    let mut page = Page(String::new());
    page.line(&format!("# {}", escape(summary::title(results))));
    page.line(&escape(&summary::line(results)));
    page.line(results.execution.description.trim());
    claim_section(&mut page, results);
    threshold_section(&mut page, results);
    match load::levels_of(results).as_slice() {
        [] => level_section(&mut page, results),
        levels => levels.iter().for_each(|level| load_section(&mut page, level)),
    }
    first_section(&mut page, results);
    limit_section(&mut page, results);
    published_section(&mut page, results);
    finding_section(&mut page, results);
    list(&mut page, "Variants with fewer figures than planned", problems::variants(results));
    let environment = environment::lines(results);
    list(&mut page, "Environment", environment.iter().map(|(label, text)| (*label, text.as_str())));
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

    /// As it is, in letters of one width.
    fn chart(&mut self, chart: Option<String>) {
        self.line(&chart.map_or_else(String::new, |chart| format!("```text\n{chart}\n```")));
    }

    fn table(&mut self, heading: &str, table: &Table) {
        if !table.title.is_empty() {
            self.line(&format!("{heading} {}", escape(&table.title)));
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

fn claim_section(page: &mut Page, results: &Results) {
    let Some(tally) = claims::tally(&results.claims) else { return };
    page.line(&format!("## Claims: {tally}"));
    let mut text = "| | claim | figure [95 % interval] | judged by |\n| :-- | :-- | --: | :-- |".to_owned();
    for claim in &results.claims {
        let figure = claims::figure(claim).unwrap_or_default();
        let (mark, word) = (claims::mark(claim.verdict), claims::word(claim.verdict));
        let (says, by) = (escape(&claim.says), code(&claim.expression));
        write!(text, "\n| {mark} {word} | {says} | {figure} | {by} |").expect("writing to memory does not fail");
    }
    page.line(&text);
    let explained = results.claims.iter().filter_map(|claim| Some((claim, findings::explanation(claim)?)));
    let lines = explained.map(|(claim, text)| item(&format!("{} {}", claims::mark(claim.verdict), claim.says), &text));
    page.line(&lines.collect::<Vec<_>>().join("\n"));
}

fn threshold_section(page: &mut Page, results: &Results) {
    let Some(tally) = thresholds::tally(&results.thresholds) else { return };
    page.line(&format!("## {tally}"));
    thresholds::table(&results.thresholds).iter().for_each(|table| page.table("##", table));
}

fn load_section(page: &mut Page, LevelOfLoad { heading, offered, level }: &LevelOfLoad<'_>) {
    page.line(&format!("## {}", escape(heading)));
    let facts = load::facts(offered, level);
    page.line(&facts.iter().map(|(label, text)| item(label, text)).collect::<Vec<_>>().join("\n"));
    page.table("##", &load::ladder(level));
    page.line(load::RESPONSE_OR_SERVICE);
    load::tables(level).iter().for_each(|table| page.table("##", table));
}

fn level_section(page: &mut Page, results: &Results) {
    for (index, table) in levels::tables(results).iter().enumerate() {
        page.table("##", table);
        page.chart(bars::of_level(results, index));
    }
    let benchmarks = benchmarks::tables(results);
    if !benchmarks.is_empty() {
        benchmarks.iter().for_each(|table| page.table("##", table));
        page.line(benchmarks::HOW_TO_READ);
    }
    if let Some(table) = resources::table(results) {
        page.table("##", &table);
    }
    if !results.levels.is_empty() {
        page.line("Figures are medians over rounds [least – greatest]; times are response times.");
    }
    for (table, how_to_read) in content::watched(results) {
        page.table("##", &table);
        page.line(how_to_read);
    }
    page.chart(bars::of_time_wait(results));
    let ratios = ratios::tables(results, ratios::ALL);
    if !ratios.is_empty() {
        ratios.iter().for_each(|table| page.table("##", table));
        page.line(ratios::HOW_TO_READ);
    }
}

fn first_section(page: &mut Page, results: &Results) {
    let tables = first::tables(results);
    if tables.is_empty() {
        return;
    }
    tables.iter().for_each(|table| page.table("##", table));
    (0..results.levels.len()).for_each(|index| page.chart(bars::of_first_requests(results, index)));
    page.line(first::HOW_TO_READ);
    let inside = first::inside(results);
    inside.iter().for_each(|table| page.table("##", table));
    if !inside.is_empty() {
        page.line(first::HOW_TO_READ_INSIDE);
    }
}

fn limit_section(page: &mut Page, results: &Results) {
    let limits = limits::of(results);
    let lines = limits.iter().map(|level| {
        let ceilings: String = level.ceilings.iter().map(|text| format!(" {text}")).collect();
        item(&level.level, &format!("{}{ceilings}", level.law))
    });
    let lines: Vec<_> = lines.collect();
    if !lines.is_empty() {
        page.line("## Ceilings and Little’s law");
        page.line(&lines.join("\n"));
    }
}

fn published_section(page: &mut Page, results: &Results) {
    let Some(published) = &results.published else { return };
    page.line("## Published beside ours");
    page.line(&escape(&published.source));
    published::tables(published).iter().for_each(|table| page.table("###", table));
    page.line(&published::how_to_read(published).unwrap_or_default());
    for explanation in published::explanations(published) {
        page.line(&format!("**{}**", escape(&explanation.heading())));
        page.line(&explanation.rows.iter().map(|(row, text)| item(row, text)).collect::<Vec<_>>().join("\n"));
        page.line(&escape(&explanation.finding.remedy).replace("\\`", "`"));
    }
}

fn finding_section(page: &mut Page, results: &Results) {
    let groups = findings::groups(&results.findings);
    let texts: Vec<_> = groups.iter().map(|group| (findings::word(group.first.weight), group.text())).collect();
    list(page, "Findings", texts.iter().map(|(word, text)| (*word, text.as_str())));
}

fn list<'a>(page: &mut Page, title: &str, items: impl Iterator<Item = (&'a str, &'a str)>) {
    let items: Vec<_> = items.map(|(label, text)| item(label, text)).collect();
    if !items.is_empty() {
        page.line(&format!("## {title}"));
        page.line(&items.join("\n"));
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
