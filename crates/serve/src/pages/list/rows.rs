//! Executions as a table; on a phone each is a card.

use maud::{Markup, html};
use plimsoll_report::Outcome;
use plimsoll_text::{counted, number::lasting};

use super::{super::shown, Wanted};
use crate::{
    kind::State,
    shelf::{Facts, Row},
};

const HEADING_MOST: usize = 120;
const COMMAND_MOST: usize = 160;
const FIGURES_MOST: usize = 200;

/// The table, in a form that compares the two that are ticked.
pub fn table(rows: &[&Row], wanted: &Wanted, has_several_records: bool) -> Markup {
    html! {
        form #pick method="get" action="/compare" {
            table.executions {
                thead { tr {
                    th scope="col" { span.unseen { "Compare" } }
                    @for head in ["Execution", "Started, UTC", "Kind", "Verdict", "Key figures", "State"] {
                        th scope="col" { (head) }
                    }
                } }
                tbody { @for row in rows { (one(row, wanted, has_several_records)) } }
            }
            div.picked {
                span #picked { "Tick two executions to compare them." }
                button type="submit" { "Compare" }
            }
        }
    }
}

fn one(row: &Row, wanted: &Wanted, has_several_records: bool) -> Markup {
    let href = if row.state == State::Live { row.place.live() } else { row.place.report() };
    let number = if has_several_records { row.place.to_string() } else { row.place.id.to_string() };
    html! {
        tr.live[row.state == State::Live] {
            td.tick {
                input type="checkbox" name="of" value=(row.place) aria-label={ "Compare " (number) }
                    checked[wanted.ticked.as_ref() == Some(&row.place)];
            }
            @match &row.facts {
                Ok(facts) => (told(row, facts, &href, &number)),
                Err(why) => {
                    th scope="row" { a.open href=(href) { "#" (number) } }
                    td colspan="5" { span.why { (shown(why, 300)) } }
                }
            }
        }
    }
}

fn told(row: &Row, facts: &Facts, href: &str, number: &str) -> Markup {
    html! {
        th scope="row" {
            a.open href=(href) { (shown(facts.heading(), HEADING_MOST)) }
            div.command {
                span.id { "#" (number) } " "
                code { (shown(&facts.command, COMMAND_MOST)) }
                @if let Some(commit) = &facts.commit { " " span.commit { (shown(&commit_in_short(commit), 24)) } }
            }
        }
        td.when {
            (super::super::moment(facts.started))
            @if let Some(took) = took(facts) { " " span.took { (took) } }
        }
        td.kind { (facts.kind.word()) }
        (digested(row))
        td.state { span class={ "state " (row.state.word()) } { (row.state.word()) } }
    }
}

/// Verdict and key figures.
fn digested(row: &Row) -> Markup {
    match row.digest.as_deref() {
        None => html! { td.verdict {} td.figures { @if row.state != State::Live { span.soft { "…" } } } },
        Some(Err(why)) => html! { td.verdict {} td.figures { span.why { (shown(why, FIGURES_MOST)) } } },
        Some(Ok(digest)) => html! {
            td.verdict { @if digest.outcome != Outcome::Unjudged {
                span class={ "badge " (digest.outcome.word()) } title=(digest.judged) { (digest.outcome.word()) }
            } }
            td.figures {
                (shown(&digest.figures, FIGURES_MOST))
                @if digest.warnings > 0 { " " span.warnings { (counted(digest.warnings as u64, "warning")) } }
            }
        },
    }
}

/// The first characters of a hash, and whether there were changes.
fn commit_in_short(commit: &str) -> String {
    const CHARACTERS: usize = 10;
    let (hash, dirty) = commit.strip_suffix("-dirty").map_or((commit, ""), |hash| (hash, " + changes"));
    format!("{}{dirty}", hash.chars().take(CHARACTERS).collect::<String>())
}

/// How long it took.
fn took(facts: &Facts) -> Option<String> {
    let took = facts.ended?.duration_since(facts.started?);
    (!took.is_negative()).then(|| lasting(took.as_secs_f64()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_is_told_by_its_first_characters() {
        assert_eq!(commit_in_short("0123456789abcdef"), "0123456789");
        assert_eq!(commit_in_short("0123456789abcdef-dirty"), "0123456789 + changes");
        assert_eq!(commit_in_short("안녕"), "안녕");
    }
}
