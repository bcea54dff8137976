//! The chain of what a request passes, drawn.

use maud::{Markup, html};
use plimsoll_analysis::{Results, results::Link};
use plimsoll_text::number::in_full;

use crate::{
    chart::{
        self,
        chain::{ChainBox, ChainChart},
    },
    content::chain,
};

/// The chain of an explanation.
pub fn draw_chain(results: &Results, index: usize) -> Option<Markup> {
    let explanation = results.explanations.get(index)?;
    let label = chain::line(&explanation.chain)?;
    let chart = ChainChart { label, boxes: explanation.chain.iter().map(box_of).collect() };
    let dot = chart.per_dot().map(|count| match count {
        1.0 => "A dot is a request that waits.".to_owned(),
        _ => format!("A dot is {} requests that wait.", in_full(count, 3)),
    });
    Some(html! {
        figure.panel {
            figcaption { "Queues and resources on the way of a request" }
            (chart::responsive(|width| chart.draw(width), 900.0))
            p.aside { "Filled: what is in use. " @if let Some(dot) = dot { (dot) } }
        }
    })
}

fn box_of(link: &Link) -> ChainBox {
    let queue = chain::waiting(link).map_or_else(String::new, |count| format!("{count} wait"));
    ChainBox {
        name: link.name.clone(),
        figures: chain::figures(link),
        share: chain::share(link),
        waiting: link.waiting,
        queue,
        mark: link.is_limit.then_some("gives way first"),
        tip: chain::sentence(link),
    }
}
