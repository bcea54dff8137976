//! Errors about names: which there are, and which was probably meant.

/// "one of `a`, `b`, found `c` (did you mean `a`?)", to follow "expected".
pub fn one_of_but_found<'a>(names: impl IntoIterator<Item = &'a str> + Clone, found: &str) -> String {
    format!("one of {}, found `{found}`{}", quoted(names.clone()), did_you_mean(names, found))
}

/// "`a`, `b`, … (25 in all)": the first twenty.
pub fn quoted<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    cut(&names.into_iter().collect::<Vec<_>>(), 20)
}

/// "`a`, `b`, … (25 in all)": the nearest to `wanted` first, ten at most. Names that differ in more than half of the
/// letters are equally far, and stay in their order.
pub fn nearest_first<'a>(names: impl IntoIterator<Item = &'a str>, wanted: &str) -> String {
    let wanted = wanted.to_lowercase();
    let letters = Letters::of(&wanted);
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_by_cached_key(|name| {
        let name = name.to_lowercase();
        // A part of a name is nearer than as many letters that merely differ.
        if wanted.is_empty() || name.contains(&wanted) {
            return 0;
        }
        let length = name.chars().count().max(letters.length);
        let most = length / 2;
        // Letters that the other has not are slips, wherever they are: by that alone most names are far, and all from a
        // long text.
        let is_near = length - letters.shared_with(&name) <= most;
        let distance = if is_near { strsim::damerau_levenshtein(&name, &wanted) } else { usize::MAX };
        if distance > most { usize::MAX } else { distance }
    });
    cut(&names, 10)
}

/// How often each letter is in a text; some count for one.
struct Letters {
    times: [usize; 256],
    length: usize,
}

impl Letters {
    fn of(text: &str) -> Self {
        let mut letters = Self { times: [0; 256], length: 0 };
        for letter in text.chars() {
            letters.times[kind(letter)] += 1;
            letters.length += 1;
        }
        letters
    }

    /// At most so many letters of `text` have their like here.
    fn shared_with(&self, text: &str) -> usize {
        let mut left = self.times;
        let mut take = |letter| {
            let times = &mut left[kind(letter)];
            let is_there = *times > 0;
            *times -= usize::from(is_there);
            is_there
        };
        text.chars().filter(|&letter| take(letter)).count()
    }
}

fn kind(letter: char) -> usize {
    letter as usize % 256
}

/// " (did you mean `a`?)", or nothing if no name is near. Case, `-`, `_` and spaces count for nothing. Numbers are not
/// misspelt: 900 is no slip for 100.
pub fn did_you_mean<'a>(names: impl IntoIterator<Item = &'a str>, found: &str) -> String {
    let folded = |text: &str| text.to_lowercase().replace(['_', '-', ' '], "");
    let (wanted, most) = (folded(found), distance_max(found));
    let length = wanted.chars().count();
    let nearest = names
        .into_iter()
        .map(|name| (folded(name), name))
        // No name is nearer than the difference in length: of a text without end none is compared.
        .filter(|(name, _)| name.chars().count().abs_diff(length) <= most)
        .map(|(folded, name)| (strsim::damerau_levenshtein(&folded, &wanted), name))
        .min_by_key(|(distance, _)| *distance);
    match nearest {
        Some((distance, name)) if distance <= most && found.chars().any(char::is_alphabetic) => {
            format!(" (did you mean `{name}`?)")
        }
        _ => String::new(),
    }
}

/// Slips that a name has at most: a third of its letters, and fewer than it has letters.
fn distance_max(found: &str) -> usize {
    let length = found.chars().count();
    1.max(length / 3).min(length.saturating_sub(1))
}

fn cut(names: &[&str], most: usize) -> String {
    let shown = names.iter().take(most).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if names.len() > most { format!("{shown}, … ({} in all)", names.len()) } else { shown }
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
        assert_eq!(did_you_mean(["100", "2700"], "900"), "");
        assert_eq!(did_you_mean([], "x"), "");
    }

    #[test]
    fn the_nearest_come_first() {
        let names = ["listPets", "createPet", "showPetById"];
        assert_eq!(nearest_first(names, "shwPetById"), "`showPetById`, `listPets`, `createPet`");
        assert_eq!(nearest_first(["b", "a"], ""), "`b`, `a`");
        assert_eq!(nearest_first(["--zzz", "--urlx", "--rul"], "--url"), "`--urlx`, `--rul`, `--zzz`");
        assert_eq!(nearest_first(["é", "Żéé"], "żée"), "`Żéé`, `é`");
        assert_eq!(nearest_first(["bb", "aa", "ab"], &"a".repeat(1000)), "`bb`, `aa`, `ab`");
    }

    #[test]
    fn no_two_texts_are_nearer_than_their_letters_say() {
        let letters = ["", "a", "b", "é", "\u{161}"];
        let text = |number: usize| -> String { (0..3).map(|place| letters[number / 5_usize.pow(place) % 5]).collect() };
        for (left, right) in (0..125).flat_map(|left| (0..125).map(move |right| (text(left), text(right)))) {
            let longer = left.chars().count().max(right.chars().count());
            let least = longer - Letters::of(&left).shared_with(&right);
            assert!(least <= strsim::damerau_levenshtein(&left, &right), "{left} {right}");
        }
    }

    #[test]
    fn long_lists_are_cut() {
        let names: Vec<String> = (0..25).map(|n| n.to_string()).collect();
        let names = || names.iter().map(String::as_str);
        assert!(quoted(names()).ends_with("`19`, … (25 in all)"));
        assert!(nearest_first(names(), "").ends_with("`9`, … (25 in all)"));
    }
}
