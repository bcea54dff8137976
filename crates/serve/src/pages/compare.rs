//! Two executions side by side: first the differences of their circumstances, then their figures.

mod circumstances;
mod figures;

use maud::{Markup, html};
use plimsoll_analysis::Results;
use plimsoll_report::digest;

use crate::route::Place;

/// The page, of the earlier and the later as they were named.
pub fn page(sides: [(&Place, &Results); 2]) -> Markup {
    let [(a, of_a), (b, of_b)] = sides;
    let differences = circumstances::differences(of_a, of_b);
    let groups = figures::groups(of_a, of_b);
    let main = html! {
        section.hero {
            h1.long { "A and B side by side" }
            div.sides { (side("A", a, of_a)) (side("B", b, of_b)) }
            p { a href={ "/compare?a=" (b) "&b=" (a) } { "Swap A and B" } }
        }
        section {
            h2 { "Circumstances that differ" }
            @if differences.is_empty() { p { "None that was recorded." } }
            @else { (table(&["", "A", "B"], false, &differences)) }
        }
        section {
            h2 { "Figures" }
            @if groups.is_empty() {
                p { "No figure is in both: they have no variant and level in common." }
            } @else {
                p {
                    "Medians over rounds, with 95 % intervals where three rounds or more were made. B ÷ A says how the "
                    "medians differ; it is no verdict: executions of different times differ for more reasons than the change."
                }
                @for group in &groups {
                    h3 { (super::shown(&group.title, 120)) }
                    (table(&["", "A", "B", "B ÷ A"], true, &group.rows))
                }
            }
        }
    };
    super::page("A and B side by side", &[], &main)
}

fn side(letter: &str, place: &Place, results: &Results) -> Markup {
    let execution = &results.execution;
    let heading = if execution.title.is_empty() { &execution.name } else { &execution.title };
    html! {
        div {
            p.kicker { strong { (letter) } " · #" (place.id) " of " (place.key) " · " (super::moment(execution.started_at.parse().ok())) " UTC" }
            p.says { a href=(place.report()) { (super::shown(heading, 120)) } }
            p.aside { (super::shown(&digest(results).figures, 200)) }
        }
    }
}

fn table(heads: &[&str], are_numbers: bool, rows: &[Vec<String>]) -> Markup {
    let class = |column: usize| (are_numbers && column > 0).then_some("number");
    html! {
        div.scroll tabindex="0" role="region" aria-label="Table" {
            table.sided {
                thead { tr { @for (index, head) in heads.iter().enumerate() {
                    th scope="col" class=[class(index)] { (head) }
                } } }
                tbody { @for row in rows { tr { @for (index, cell) in row.iter().enumerate() {
                    @if index == 0 { th scope="row" { (super::shown(cell, 80)) } }
                    @else { td class=[class(index)] { (super::shown(cell, 160)) } }
                } } } }
            }
        }
    }
}
