//! The words of errors about names: what there is, and what was probably meant.

/// "expected one of `a`, `b`, found `c` (did you mean `a`?)", without the first word.
pub(super) fn one_of_but_found<'a>(names: impl IntoIterator<Item = &'a str> + Clone, found: &str) -> String {
    format!("one of {}, found `{found}`{}", list(names.clone()), did_you_mean(names, found))
}

/// "`a`, `b`", at most twenty of them.
pub(super) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const MOST: usize = 20;
    let names: Vec<&str> = names.into_iter().collect();
    let mut text = names.iter().take(MOST).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if names.len() > MOST {
        text += &format!(", … ({} in all)", names.len());
    }
    text
}

/// " (did you mean `a`?)", or nothing if no name is near.
pub(super) fn did_you_mean<'a>(names: impl IntoIterator<Item = &'a str>, found: &str) -> String {
    let folded = |text: &str| text.to_lowercase().replace(['_', '-', ' '], "");
    let distance = |name: &str| strsim::damerau_levenshtein(&folded(name), &folded(found));
    let nearest = names.into_iter().map(|name| (distance(name), name)).min_by_key(|(distance, _)| *distance);
    match nearest {
        Some((distance, name)) if is_near(distance, found) => format!(" (did you mean `{name}`?)"),
        _ => String::new(),
    }
}

fn is_near(distance: usize, found: &str) -> bool {
    let length = found.chars().count();
    distance <= 1.max(length / 3) && distance < length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested_and_far_ones_are_not() {
        let names = ["packaging", "jvm-flags", "threads"];
        assert_eq!(did_you_mean(names, "pakaging"), " (did you mean `packaging`?)");
        assert_eq!(did_you_mean(names, "jvmFlags"), " (did you mean `jvm-flags`?)");
        assert_eq!(did_you_mean(names, "colour"), "");
        assert_eq!(did_you_mean([], "x"), "");
    }

    #[test]
    fn long_lists_are_cut() {
        let names: Vec<String> = (0..25).map(|n| n.to_string()).collect();
        assert!(list(names.iter().map(String::as_str)).ends_with("`19`, … (25 in all)"));
    }
}
