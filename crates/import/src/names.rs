//! The words of errors about names.

/// "`a`, `b`, … (25 in all)": the nearest to `wanted` first, ten at most.
pub(crate) fn nearest_first<'a>(names: impl IntoIterator<Item = &'a str>, wanted: &str) -> String {
    const MOST: usize = 10;
    let folded = wanted.to_lowercase();
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_by_cached_key(|name| {
        let name = name.to_lowercase();
        let distance = strsim::damerau_levenshtein(&name, &folded);
        // A part of a name is nearer than as many letters that merely differ.
        if folded.is_empty() || name.contains(&folded) { 0 } else { distance }
    });
    let shown = names.iter().take(MOST).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if names.len() > MOST { format!("{shown}, … ({} in all)", names.len()) } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_come_first_and_long_lists_are_cut() {
        assert_eq!(
            nearest_first(["listPets", "createPet", "showPetById"], "shwPetById"),
            "`showPetById`, `listPets`, `createPet`"
        );
        assert_eq!(nearest_first(["b", "a"], ""), "`b`, `a`");
        let many: Vec<String> = (0..25).map(|n| n.to_string()).collect();
        assert!(nearest_first(many.iter().map(String::as_str), "").ends_with("`9`, … (25 in all)"));
    }
}
