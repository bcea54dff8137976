//! Several things in a sentence.

use crate::number::count;

/// `1 run`, `2,700 runs`.
pub fn counted(number: u64, one: &str) -> String {
    plural(number, one, &format!("{one}s"))
}

/// `1 entry`, `2 entries`.
pub fn plural(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// `a`, `a and b`, `a, b and c`.
pub fn joined(names: &[impl AsRef<str>]) -> String {
    match names.split_last() {
        None => String::new(),
        Some((only, [])) => only.as_ref().to_owned(),
        Some((last, others)) => format!("{} and {}", with_commas(others), last.as_ref()),
    }
}

/// `a, b, c and 4 more`: all of them up to five, else the first four.
pub fn and_more(names: &[impl AsRef<str>]) -> String {
    const SHOWN: usize = 4;
    match names.len() {
        // One more takes no more room than its name.
        0..=5 => joined(names),
        all => format!("{} and {} more", with_commas(&names[..SHOWN]), all - SHOWN),
    }
}

fn with_commas(names: &[impl AsRef<str>]) -> String {
    names.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular_and_thousands_are_apart() {
        assert_eq!([counted(0, "run"), counted(1, "run"), counted(2_700, "run")], ["0 runs", "1 run", "2,700 runs"]);
        assert_eq!(plural(2, "entry", "entries"), "2 entries");
    }

    #[test]
    fn the_last_of_several_follows_and() {
        assert_eq!([joined(&[""; 0]), joined(&["a"]), joined(&["a", "b"])], ["", "a", "a and b"]);
        assert_eq!(joined(&["a", "b", "c"]), "a, b and c");
        assert_eq!(and_more(&["a", "b", "c", "d", "e"]), "a, b, c, d and e");
        assert_eq!(and_more(&["a", "b", "c", "d", "e", "f"]), "a, b, c, d and 2 more");
    }
}
