//! The document of findings, made from their declarations.

use super::{EXPLANATIONS, FINDERS};
use crate::{
    audit,
    results::{Kind, Weight},
};

const HEAD: &str = "\
# Findings

Plimsoll reports these findings beside the figures. Each has an `id`, which never changes its meaning. Reports and
[JSON](json-report.md) give its place, its evidence (figures), a statement and a remedy. A *contradiction* means that
figures cannot all be right, a *warning* that they may mislead; an *info* is background.

This page is made from the program's own declarations.
";

/// The document: every kind with its id, meaning, remedy and evidence, in Markdown.
pub fn document() -> String {
    let known: Vec<&Kind> = FINDERS.iter().flat_map(|finder| finder.kinds).copied().collect();
    let explanations = EXPLANATIONS.iter().flat_map(|explanation| explanation.finder.kinds).copied();
    let explanations: Vec<&Kind> = explanations.filter(|kind| !known.contains(kind)).collect();
    let audited: Vec<&Kind> = audit::kinds().collect();
    let sections = [
        section("About an execution", "", &known),
        section(
            "About claims",
            "These explain the figures of claims that do not hold, beside those above.\n\n",
            &explanations,
        ),
        section(
            "About rows of tables",
            "The audit holds these laws against each row of a published table, and against ours beside it.\n\n",
            &audited,
        ),
    ];
    HEAD.to_owned() + &sections.concat()
}

fn section(title: &str, about: &str, kinds: &[&Kind]) -> String {
    format!("\n## {title}\n\n{about}") + &kinds.iter().map(|kind| entry(kind)).collect::<Vec<_>>().join("\n")
}

fn entry(kind: &Kind) -> String {
    let weight = match kind.weight {
        Weight::Info => "info",
        Weight::Warning => "warning",
        Weight::Contradiction => "contradiction",
    };
    let evidence = kind.evidence.iter().map(|it| match it.unit {
        "" => format!("`{}`: {}", it.name, it.about),
        unit => format!("`{}` ({unit}): {}", it.name, it.about),
    });
    let evidence: Vec<String> = evidence.collect();
    let mut text = format!("### `{}`\n\n**{}** ({weight}). {}\n", kind.id, kind.title, kind.means);
    if !kind.remedy.is_empty() {
        text += &format!("\nRemedy: {}\n", kind.remedy);
    }
    if !evidence.is_empty() {
        text += &format!("\nEvidence: {}.\n", evidence.join("; "));
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::findings::kinds;

    #[test]
    fn every_kind_has_an_id_of_its_own_and_says_what_it_means() {
        let kinds = kinds();
        for kind in &kinds {
            let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase());
            assert!(kind.id.split('-').all(is_word), "`{}` is not words joined by `-`", kind.id);
            assert!(kind.means.ends_with('.') && !kind.title.is_empty(), "{kind:?}");
            assert!(kind.remedy.is_empty() || kind.remedy.ends_with('.'), "{kind:?}");
            let names: Vec<&str> = kind.evidence.iter().map(|it| it.name).collect();
            assert!(names.iter().all(|name| names.iter().filter(|it| it == &name).count() == 1), "{kind:?}");
            let of_id = kinds.iter().filter(|other| other.id == kind.id).count();
            assert_eq!(of_id, 1, "{of_id} kinds are called `{}`", kind.id);
        }
    }
}
