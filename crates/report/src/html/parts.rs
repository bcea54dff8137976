//! Parts that several sections share: tables, legends, choosers.

use maud::{Markup, html};
use plimsoll_analysis::Results;

use crate::{
    chart::{self, rows::RowChart},
    content::{Align, Table},
};

/// The mark on a ship's hull, and the name.
pub fn brand() -> Markup {
    html! {
        span.brand {
            svg viewBox="0 0 40 28" width="34" height="24" aria-hidden="true" {
                circle cx="20" cy="14" r="10" fill="none" stroke="currentColor" stroke-width="2.5" {}
                line x1="2" x2="38" y1="14" y2="14" stroke="currentColor" stroke-width="2.5" {}
            }
            "Plimsoll"
        }
    }
}

/// A table that scrolls within its own box where it is too wide.
pub fn table(table: &Table) -> Markup {
    let class = |column: usize| (table.columns[column].align == Align::Right).then_some("number");
    html! {
        div.scroll tabindex="0" role="region" aria-label=(if table.title.is_empty() { "Table" } else { &table.title }) {
            table {
                @if !table.title.is_empty() { caption { (table.title) } }
                thead { tr { @for (index, column) in table.columns.iter().enumerate() {
                    th scope="col" class=[class(index)] { (column.head) }
                } } }
                tbody { @for row in &table.rows { tr { @for (index, cell) in row.iter().enumerate() {
                    @if index == 0 { th scope="row" { (cell) } } @else { td class=[class(index)] { (cell) } }
                } } } }
            }
        }
    }
}

/// Tables that are folded until they are opened.
pub fn folded(summary: &str, tables: &[Table]) -> Markup {
    html! { details { summary { (summary) } @for one in tables { (table(one)) } } }
}

/// Labels with texts.
pub fn facts(facts: &[(String, String)]) -> Markup {
    html! { dl.facts { @for (label, text) in facts { div { dt { (label) } dd { (text) } } } } }
}

/// The variants with their colours; pressing one makes it stand out in every chart.
pub fn legend(results: &Results) -> Markup {
    html! {
        ul.legend.variants aria-label="Variants: press to make them stand out" {
            @for (index, variant) in results.variants.iter().enumerate() {
                @if variant.levels.iter().any(Option::is_some) {
                    li { button type="button" data-v=(index) aria-pressed="false" class=(chart::series_class(index)) {
                        (swatch()) (variant.name)
                    } }
                }
            }
            li { button.clear type="button" hidden { "Show all alike" } }
        }
    }
}

/// The lines of one chart, each with the index of its colour.
pub fn lines_legend(lines: &[(&str, usize)]) -> Markup {
    html! {
        ul.legend aria-label="Lines" {
            @for (name, colour) in lines {
                li class=(chart::series_class(*colour)) { (swatch()) (name) }
            }
        }
    }
}

/// A short line in the series' colour and dash.
pub fn swatch() -> Markup {
    html! {
        svg.swatch viewBox="0 0 22 10" width="22" height="10" aria-hidden="true" {
            line x1="1" x2="21" y1="5" y2="5" {}
        }
    }
}

/// Meaning of a chart's marks: a small drawing with words.
pub fn key(entries: &[(&str, &str)]) -> Markup {
    html! {
        ul.legend.key aria-label="Key" {
            @for (mark, words) in entries {
                li { span class={ "keymark " (mark) } aria-hidden="true" {} (words) }
            }
        }
    }
}

/// Small charts of one kind, one per title.
pub fn facets(charts: Vec<(String, RowChart<'_>)>) -> Markup {
    html! {
        div.facets {
            @for (title, chart) in charts {
                figure {
                    figcaption { (title) }
                    (chart::responsive(|width| chart.draw(width), 520.0))
                }
            }
        }
    }
}

/// A list to choose from.
pub struct Choice {
    /// Label of the choice.
    pub label: &'static str,
    /// Options in order.
    pub options: Vec<String>,
    /// Index of the option that is chosen at first.
    pub first: usize,
}

/// A choice of panes. A pane's key has the index of an option of each list, separated by `|`.
pub fn chooser(lists: &[Choice], panes: impl IntoIterator<Item = (String, Markup)>) -> Markup {
    html! {
        div.chooser {
            div.choices {
                @for Choice { label, options, first } in lists {
                    label hidden[options.len() < 2] { (label) " "
                        select { @for (index, option) in options.iter().enumerate() {
                            option value=(index) selected[index == *first] { (option) }
                        } }
                    }
                }
            }
            @for (key, pane) in panes { div.pane data-key=(key) { (pane) } }
        }
    }
}
