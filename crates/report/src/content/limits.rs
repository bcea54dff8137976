//! Ceilings by settings, and Little's law on our own figures, in sentences.

use plimsoll_analysis::{Results, results::LittlesLaw};
use plimsoll_record::label_for_people;
use plimsoll_text::number::sig3;

use super::levels;

/// Sentences about a level.
pub struct Limits {
    /// The level's label.
    pub level: String,
    /// Little's law on every variant.
    pub law: String,
    /// One for each ceiling that variants share.
    pub ceilings: Vec<String>,
}

/// Sentences for every level that was measured.
pub fn of(results: &Results) -> Vec<Limits> {
    (0..results.levels.len())
        .filter(|&index| levels::of_level(results, index).next().is_some())
        .map(|index| Limits {
            level: label_for_people(&results.levels[index].label),
            law: law(results, index),
            ceilings: ceilings(results, index),
        })
        .collect()
}

fn law(results: &Results, index: usize) -> String {
    let all = levels::of_level(results, index).count();
    let broken: Vec<_> = levels::of_level(results, index)
        .filter(|(_, level)| !level.littles_law.consistent)
        .map(|(variant, level)| format!("{} ({})", results.variants[variant].name, contradiction(&level.littles_law)))
        .collect();
    match (broken.len(), all) {
        (0, 1) => "Little’s law agrees.".to_owned(),
        (0, _) => format!("Little’s law agrees for all {all} variants."),
        _ => format!("Little’s law contradicts the figures of {}.", broken.join(", ")),
    }
}

/// `needs 310 in flight, 300 are allowed`.
pub fn contradiction(law: &LittlesLaw) -> String {
    format!("needs {} in flight, {} are allowed", sig3(law.in_flight), sig3(law.allowed))
}

fn ceilings(results: &Results, index: usize) -> Vec<String> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for (variant, level) in levels::of_level(results, index) {
        let Some(ceiling) = &level.ceiling else { continue };
        let others = ceiling.others.iter().map(|other| format!("; {}/s by {}", sig3(other.per_s), other.because));
        let others: String = others.collect();
        let head = format!("Ceiling {}/s ({}{others})", sig3(ceiling.per_s), ceiling.because);
        let reached = format!("{} {}\u{a0}%", results.variants[variant].name, sig3(ceiling.reached_percent));
        match groups.iter_mut().find(|(known, _)| *known == head) {
            Some((_, members)) => members.push(reached),
            None => groups.push((head, vec![reached])),
        }
    }
    groups.into_iter().map(|(head, members)| format!("{head}, reached: {}.", members.join(", "))).collect()
}
