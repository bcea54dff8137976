//! Words as engines read them.

/// A scalar of YAML that is this text, by the rules of 1.1 as well, in which `no` is false and `1:30` is 90.
pub fn yaml(text: &str) -> String {
    const TELLING: [&str; 12] = ["true", "false", "yes", "no", "on", "off", "null", "y", "n", "none", "nan", "inf"];
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+".contains(c);
    let mut first = text.trim_start_matches('-').chars();
    let begins = first.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '/');
    let is_word = begins && text.chars().all(is_plain) && !text.ends_with(':');
    if is_word && !text.starts_with("---") && !TELLING.contains(&text.to_ascii_lowercase().as_str()) {
        return text.to_owned();
    }
    // Strings of JSON are strings of YAML.
    serde_json::Value::from(text).to_string()
}

/// Items of a list, each on a line of its own.
pub fn yaml_list<'a>(indent: usize, words: impl IntoIterator<Item = &'a String>) -> String {
    let line = |word: &String| format!("{:indent$}- {}\n", "", yaml(word));
    words.into_iter().map(line).collect()
}

/// A word of a shell.
pub fn shell(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// Words of a shell, in lines that are not too long: a flag begins one, so much further in, and its values follow.
pub fn shell_lines<'a>(indent: usize, words: impl IntoIterator<Item = &'a String>) -> String {
    let mut text = String::new();
    for (number, word) in words.into_iter().enumerate() {
        match number {
            0 => {}
            _ if word.starts_with('-') && word.len() > 1 => text += &format!(" \\\n{:indent$}", ""),
            _ => text.push(' '),
        }
        text += &shell(word);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_yaml_are_strings_and_nothing_else() {
        for plain in ["load", "-q", "--threshold", "https://orders.test/a?", "/record/plimsoll.db", "orders-load"] {
            let expected = if plain.contains('?') { format!("\"{plain}\"") } else { plain.to_owned() };
            assert_eq!(yaml(plain), expected);
        }
        for quoted in
            ["", "-", "---", "80k", "-1", "no", "Yes", "null", "1:30", "a b", "a: b", "x:", "#x", "{{a}}", "~"]
        {
            assert_eq!(yaml(quoted), serde_json::to_string(quoted).unwrap(), "{quoted}");
        }
    }

    #[test]
    fn every_word_is_read_again_as_it_was() {
        for word in
            ["p(99)<200ms", "it's", "\"", "\\", "a\nb", "\t", "안녕", "$(X)", "--- x", "!!int 3", "&a", "*a", "0x1f"]
        {
            let read: Vec<String> = serde_saphyr::from_str(&format!("[{}]", yaml(word))).unwrap();
            assert_eq!(read, [word]);
        }
    }

    #[test]
    fn words_of_shells_are_quoted_where_it_matters() {
        assert_eq!(shell("https://h/?a=b"), "'https://h/?a=b'");
        assert_eq!(shell("it's"), r"'it'\''s'");
        assert_eq!(shell(""), "''");
        let words = ["load", "http://h/", "-n", "5", "--quiet"].map(str::to_owned);
        assert_eq!(shell_lines(2, &words), "load http://h/ \\\n  -n 5 \\\n  --quiet");
    }
}
