//! A command as a user would type it.

use std::collections::BTreeMap;

use plimsoll_secrets::{MASK, hide, name::is_secret};

/// Environment, program and arguments in one line that a shell understands, without secrets.
pub fn command_text(env: &BTreeMap<String, String>, argv: &[String]) -> String {
    let shown =
        |name: &str, value: &str| if is_secret(name, value) { MASK.to_owned() } else { hide::pairs(value).text };
    let assignments = env.iter().map(|(name, value)| format!("{name}={}", quoted(&shown(name, value))));
    let words = hide::arguments(argv).into_iter().map(|word| quoted(&word.text));
    assignments.chain(words).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "-_=+:,./@%^".contains(char);
    if !word.is_empty() && word.replace(MASK, "").chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_shell_would_change_is_quoted() {
        let env = BTreeMap::from([("A".to_owned(), "b c".to_owned())]);
        let argv = ["java", "-jar", "app.jar", "--name=it's", "", "$HOME"].map(str::to_owned);
        assert_eq!(command_text(&env, &argv), r"A='b c' java -jar app.jar '--name=it'\''s' '' '$HOME'");
        let env = BTreeMap::from([("DB_PASSWORD".to_owned(), "p".to_owned())]);
        let argv = ["java", "-Ddb.password=q"].map(str::to_owned);
        assert_eq!(command_text(&env, &argv), "DB_PASSWORD=(masked) java -Ddb.password=(masked)");
    }
}
