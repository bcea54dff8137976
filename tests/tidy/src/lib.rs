//! Rules of this repository that neither the compiler nor clippy can see.
//!
//! Each rule is a function from the [`Tree`] of files to what breaks it, and has a test of its own that it can fail.

#![cfg(test)]

mod code;
mod comments;
mod crates;
mod documents;
mod java;
mod modules;
mod plants;
mod scripts;
mod tree;

use tree::Tree;

/// Breaches of a rule: where, what was found, what to do.
type Breaches = Vec<String>;

const RULES: &[fn(&Tree) -> Breaches] = &[
    code::files_are_short,
    code::lines_are_narrow,
    code::nothing_is_left_over,
    code::documentation_has_no_tests,
    code::no_path_is_of_one_machine,
    comments::comments_begin_with_the_thing,
    crates::dependencies_follow_the_design,
    crates::pure_crates_reach_nothing,
    modules::every_source_file_is_compiled,
    scripts::scripts_stop_at_errors,
    java::imports_are_public,
    plants::every_kind_has_a_plant_to_tune_with,
    plants::every_service_is_planted,
    documents::what_a_reader_expects_is_there,
    documents::links_resolve,
    documents::paragraphs_begin_with_the_thing,
    documents::the_changelog_has_this_version,
    documents::the_readme_lists_every_experiment,
    documents::both_readmes_have_the_same_shape,
];

#[test]
fn the_repository_is_tidy() {
    let tree = Tree::of_repository();
    let breaches = RULES.iter().flat_map(|rule| rule(&tree)).collect::<Vec<_>>();
    assert!(breaches.is_empty(), "{} breaches of the rules:\n{}\n", breaches.len(), breaches.join("\n"));
}
