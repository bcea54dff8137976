//! The list of executions: search, choice of kind and verdict, and of two executions to compare.

mod query;
mod rows;

use maud::{Markup, html};
use plimsoll_report::Outcome;
use plimsoll_text::{count, counted};

pub use self::query::Wanted;
use crate::{
    kind::{Kind, State},
    records::DIRECTORIES_MOST,
    shelf::{Listing, Row},
};

/// The most rows of a page, which a browser lays out at once.
const ROWS_MOST: usize = 200;

/// The page.
pub fn page(listing: &Listing, wanted: &Wanted) -> Markup {
    let main = html! {
        section.list {
            h1.long { "Executions" }
            (form(listing, wanted))
            p.keys.aside {
                kbd { "/" } " search  " kbd { "j" } " " kbd { "k" } " move  " kbd { "Enter" } " open  "
                kbd { "c" } " tick to compare"
            }
            (results(listing, wanted))
        }
    };
    super::page("Executions", &["list.js"], &main)
}

fn form(listing: &Listing, wanted: &Wanted) -> Markup {
    let kinds = Kind::ALL.map(|it| (it.word(), it.word(), wanted.kind == Some(it)));
    let verdicts = Outcome::ALL.map(|it| (it.word(), it.word(), wanted.outcome == Some(it)));
    html! {
        form.search role="search" method="get" action="/" {
            input #q type="search" name="q" value=(wanted.text) placeholder="Name, command, commit, figures"
                aria-label="Search" autocomplete="off" spellcheck="false" maxlength="200";
            (choice("kind", "All kinds", kinds))
            (choice("verdict", "All verdicts", verdicts))
            @if listing.records.len() > 1 {
                (choice("record", "All records", listing.records.iter().map(|it| {
                    (it.key.as_str(), it.label.as_str(), wanted.record.as_ref() == Some(&it.key))
                })))
            }
            noscript { button type="submit" { "Search" } }
        }
    }
}

fn choice<'a>(name: &str, all: &str, options: impl IntoIterator<Item = (&'a str, &'a str, bool)>) -> Markup {
    html! {
        select name=(name) aria-label=(all) {
            option value="" { (all) }
            @for (value, text, is_chosen) in options {
                option value=(value) selected[is_chosen] { (super::cut(text, 60)) }
            }
        }
    }
}

/// The part of the page that changes while it is open.
fn results(listing: &Listing, wanted: &Wanted) -> Markup {
    let found: Vec<&Row> = listing.rows.iter().filter(|row| wanted.matches(row)).collect();
    let pages = found.len().div_ceil(ROWS_MOST).max(1);
    let page = wanted.page.clamp(1, pages);
    let shown: Vec<&Row> = found.iter().copied().skip((page - 1) * ROWS_MOST).take(ROWS_MOST).collect();
    // If the search depends on digests, those of all rows are needed.
    let is_pending = |row: &&Row| row.digest.is_none() && row.facts.is_ok() && row.state != State::Live;
    let pending = match wanted.asks_digests() {
        true => listing.rows.iter().filter(is_pending).count(),
        false => shown.iter().copied().filter(is_pending).count(),
    };
    html! {
        div #results data-pending=(pending) {
            (unreadable(listing))
            @if listing.is_cut { (cut_short()) }
            p.count role="status" {
                (counting(listing.rows.len(), found.len(), wanted))
                @if pending > 0 { " · " (counted(pending as u64, "execution")) " still to be analysed" }
            }
            @if listing.rows.is_empty() { (nothing(listing)) }
            @if !shown.is_empty() { (rows::table(&shown, wanted, listing.records.len() > 1)) }
            @if pages > 1 { (turning(page, pages, wanted)) }
        }
    }
}

fn counting(all: usize, found: usize, wanted: &Wanted) -> String {
    match wanted.is_everything() {
        true => counted(all as u64, "execution"),
        false => format!("{} of {}", count(found as u64), counted(all as u64, "execution")),
    }
}

fn unreadable(listing: &Listing) -> Markup {
    html! {
        @if !listing.unreadable.is_empty() {
            ul.notes.unreadable aria-label="Records that cannot be read" {
                @for (record, why) in &listing.unreadable {
                    li.warning {
                        strong { bdi { (super::cut(&record.label, 120)) } }
                        @for line in why.lines() { div { bdi { (super::cut(line, 400)) } } }
                    }
                }
            }
        }
    }
}

fn cut_short() -> Markup {
    html! {
        ul.notes aria-label="Directories that were left out" {
            li.warning {
                "There may be more records: " (count(DIRECTORIES_MOST as u64)) " directories were looked into, the "
                "nearest first. Start " code { "plimsoll serve" } " with a directory further down."
            }
        }
    }
}

fn nothing(listing: &Listing) -> Markup {
    html! {
        p {
            @if listing.records.is_empty() { "No record was found here. " }
            @else if listing.unreadable.is_empty() { "Nothing was recorded yet. " }
            "Run " code { "plimsoll run FILE" } " or " code { "plimsoll load URL" }
            " in this directory: the execution appears here, while it goes."
        }
    }
}

fn turning(page: usize, pages: usize, wanted: &Wanted) -> Markup {
    html! {
        nav.pages aria-label="Pages of the list" {
            @if page > 1 { a rel="prev" href=(wanted.at_page(page - 1)) { "← Newer" } }
            span { "Page " (page) " of " (pages) }
            @if page < pages { a rel="next" href=(wanted.at_page(page + 1)) { "Older →" } }
        }
    }
}
