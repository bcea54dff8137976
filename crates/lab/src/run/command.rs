//! A command as a user would type it.

use std::collections::BTreeMap;

/// Environment, program and arguments in one line that a shell understands.
pub fn command_text(env: &BTreeMap<String, String>, argv: &[String]) -> String {
    let assignments = env.iter().map(|(name, value)| format!("{name}={}", quoted(value)));
    assignments.chain(argv.iter().map(|word| quoted(word))).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "-_=+:,./@%^".contains(char);
    if !word.is_empty() && word.chars().all(is_plain) {
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
    }
}
