//! Reports of a tuning: which changes moved the limit of a variant, over several executions.

use plimsoll_analysis::results::{Explanation, Gain, Tuning};
use plimsoll_text::number::in_full;

use crate::{
    Format, Style,
    content::{explanation, proof},
    terminal::{Ink, Page},
};

/// Formats in which it is told.
pub const TUNING_FORMATS: [Format; 3] = [Format::Terminal, Format::Markdown, Format::Json];

/// The limit that gave way first, each comparison, the settings that help, and the next limit.
pub fn tuning(format: Format, tuning: &Tuning, style: &Style) -> String {
    match format {
        Format::Json => serde_json::to_string_pretty(tuning).expect("results are plain data") + "\n",
        Format::Markdown => markdown(tuning),
        _ => terminal(tuning, style),
    }
}

fn terminal(tuning: &Tuning, style: &Style) -> String {
    let mut page = Page::new(style);
    page.heading(&format!("Moving the limit of {}", tuning.variant));
    page.labelled(&facts(tuning));
    if !tuning.settings.is_empty() {
        page.heading("Settings");
        for change in &tuning.settings {
            if let Some(from) = &change.from {
                page.marked_line("-", Ink::Bad, &format!("{}={from}", change.name), "");
            }
            page.marked_line("+", Ink::Good, &format!("{}={}", change.name, change.to), "");
        }
    }
    page.finish()
}

fn markdown(tuning: &Tuning) -> String {
    let facts = facts(tuning).into_iter().map(|(label, text)| format!("- **{label}**: {text}\n"));
    let settings = tuning.settings.iter().map(|change| {
        let from = change.from.as_ref().map_or_else(String::new, |from| format!("-{}={from}\n", change.name));
        format!("{from}+{}={}\n", change.name, change.to)
    });
    let settings: String = settings.collect();
    let settings = if settings.is_empty() { settings } else { format!("\n```diff\n{settings}```\n") };
    format!("## Moving the limit of {}\n\n{}{settings}", tuning.variant, facts.collect::<String>())
}

fn facts(tuning: &Tuning) -> Vec<(String, String)> {
    let mut facts = explanation::found(&tuning.first);
    let proven = tuning.proofs.iter().flat_map(|one| one.steps.iter().map(|step| proof::line(one, step)));
    facts.extend(proven.map(|text| ("proven".to_owned(), text)));
    let overall = tuning.overall.map(|Gain { before_per_s, after_per_s, times }| {
        format!("{} → {}/s, {} times", in_full(before_per_s, 4), in_full(after_per_s, 4), in_full(times, 3))
    });
    facts.extend(overall.map(|text| ("in all".to_owned(), text)));
    facts.extend(tuning.next.as_ref().map(|next| ("gives way next".to_owned(), next_words(next))));
    facts.push(("ended".to_owned(), tuning.ended.clone()));
    facts
}

fn next_words(next: &Explanation) -> String {
    if next.change.is_empty() { next.says.clone() } else { format!("{}. {}", next.says, next.change) }
}
