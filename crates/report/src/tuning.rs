//! Reports of a tuning: which changes moved the limit of a variant, over several executions.

use plimsoll_analysis::results::{Explanation, Gain, Tuning};
use plimsoll_text::{number::in_full, printable, printable_line};

use crate::{
    Format, Style,
    content::{explanation, proof},
    json, markdown,
    terminal::{Ink, Page},
};

/// Formats of a tuning.
pub const TUNING_FORMATS: [Format; 3] = [Format::Terminal, Format::Markdown, Format::Json];

/// The limit of each variant that gave way first, each comparison, the settings that help, and the next limit. JSON is
/// one document: a list where there are several.
pub fn tuning(format: Format, tunings: &[Tuning], style: &Style) -> String {
    match (format, tunings) {
        (Format::Json, [tuning]) => json::document(tuning),
        (Format::Json, _) => json::document(&tunings),
        (Format::Markdown, _) => {
            let each: Vec<String> = tunings.iter().map(in_markdown).collect();
            printable(&each.join("\n")).into_owned()
        }
        _ => tunings.iter().map(|tuning| terminal(tuning, style)).collect(),
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
                page.marked_line("-", Ink::Bad, &assigned(&change.name, from), "");
            }
            page.marked_line("+", Ink::Good, &assigned(&change.name, &change.to), "");
        }
    }
    page.finish()
}

/// As a file has it: `name=value`, `-Xmx512m`.
fn assigned(name: &str, value: &str) -> String {
    let is_joined = name.starts_with("-X") && !name.starts_with("-XX:");
    format!("{name}{}{value}", if is_joined { "" } else { "=" })
}

fn in_markdown(tuning: &Tuning) -> String {
    let facts = facts(tuning).into_iter().map(|(label, text)| markdown::item(&label, &text) + "\n");
    let settings = tuning.settings.iter().map(|change| {
        let line = |mark: char, value: &str| format!("{mark}{}\n", printable_line(&assigned(&change.name, value)));
        let from = change.from.as_ref().map_or_else(String::new, |from| line('-', from));
        from + &line('+', &change.to)
    });
    let settings: String = settings.collect();
    let settings =
        if settings.is_empty() { settings } else { format!("\n{}\n", markdown::fenced("diff", settings.trim_end())) };
    format!("## Moving the limit of {}\n\n{}{settings}", markdown::escape(&tuning.variant), facts.collect::<String>())
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
