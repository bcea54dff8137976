//! Output of build tools as text for people: without escapes, errors first.

/// Lines of a failed build that are shown, at most.
const LINES: usize = 15;
/// Beginnings of what Maven adds to every error.
const BOILERPLATE: [&str; 5] = [
    "To see the full stack trace",
    "Re-run Maven",
    "For more information about the errors",
    "[Help",
    "After correcting",
];

/// The line without terminal escapes (ECMA-48 control sequences) and other control characters.
pub(super) fn plain(line: &str) -> String {
    let mut plain = String::new();
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            '\u{1b}' => {
                if characters.next() == Some('[') {
                    characters.find(|next| ('@'..='~').contains(next));
                }
            }
            '\t' => plain.push('\t'),
            _ if plimsoll_text::is_obeyed(character) => {}
            _ => plain.push(character),
        }
    }
    plain
}

/// The lines that say why a build failed: those that Maven marks as errors, then those of `native-image`. Without any,
/// the last lines.
pub(super) fn telling(lines: &[String]) -> Vec<String> {
    let plain: Vec<String> = lines.iter().map(|line| plain(line).trim_end().to_owned()).collect();
    let of_maven = plain.iter().filter_map(|line| {
        let error = line.trim_start().strip_prefix("[ERROR]")?.trim_start();
        (!error.is_empty() && !BOILERPLATE.iter().any(|start| error.starts_with(start))).then_some(line)
    });
    let of_image = plain.iter().filter(|line| line.starts_with("Error:") || line.starts_with("Fatal error"));
    let mut telling: Vec<String> = Vec::new();
    for line in of_maven.chain(of_image) {
        if !telling.contains(line) {
            telling.push(line.clone());
        }
    }
    if telling.is_empty() {
        telling = plain.into_iter().filter(|line| !line.is_empty()).collect();
        telling.drain(..telling.len().saturating_sub(LINES));
    }
    telling.truncate(LINES);
    telling
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn escapes_are_taken_away_and_text_is_not() {
        assert_eq!(plain("[\u{1b}[1;31mERROR\u{1b}[m] \u{1b}[?25lno [x] 1m"), "[ERROR] no [x] 1m");
        assert_eq!(plain("a\tb\r\u{7}\u{1b}"), "a\tb");
    }

    #[test]
    fn errors_come_first_each_once_without_what_maven_always_adds() {
        let output = "[INFO] Scanning\n\
                      Error: Classes that should be initialized at run time got initialized during image building\n\
                      [\u{1b}[1;31mERROR\u{1b}[m] Failed to execute goal native:compile-no-fork\n\
                      [ERROR] \n[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.\n\
                      [ERROR] Failed to execute goal native:compile-no-fork\n\
                      [ERROR] [Help 1] http://cwiki.apache.org/…\n";
        assert_eq!(
            telling(&lines(output)),
            [
                "[ERROR] Failed to execute goal native:compile-no-fork",
                "Error: Classes that should be initialized at run time got initialized during image building"
            ]
        );
    }

    #[test]
    fn without_errors_the_last_lines_are_shown() {
        let many: Vec<String> = (1..=100).map(|number| number.to_string()).collect();
        assert_eq!((telling(&many).len(), telling(&many)[14].as_str()), (LINES, "100"));
        assert!(telling(&[]).is_empty());
    }
}
