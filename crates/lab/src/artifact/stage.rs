//! How far a build has come, as its output tells.

use super::text;

/// Stages in their order, as `native-image` 25 names them.
const STAGES: [&str; 8] = [
    "Initializing",
    "Performing analysis",
    "Building universe",
    "Parsing methods",
    "Inlining methods",
    "Compiling methods",
    "Laying out methods",
    "Creating image",
];

/// Stage that `native-image` is at, e.g. `[3/8] Building universe`. Into a pipe it writes a stage's line only when the
/// stage is over, with its time: after such a line it is at the next stage.
pub(super) fn now(output: &str) -> Option<String> {
    output.lines().rev().find_map(|line| stage(&text::plain(line)))
}

fn stage(line: &str) -> Option<String> {
    let start = line.find('[')?;
    let (number, rest) = line[start + 1..].split_once(']')?;
    let (at, of) = number.split_once('/')?;
    let (at, of) = (at.parse::<usize>().ok()?, of.parse::<usize>().ok()?);
    // Dots, stars and figures follow the name.
    let name = rest.trim_start().split(['.', '(', '[']).next()?.trim_end();
    if at > of || name.is_empty() {
        return None;
    }
    let is_over = rest.contains("s @ ") && at < of;
    let next = STAGES.iter().skip_while(|&&it| it != name).nth(1);
    Some(match (is_over, next) {
        (false, _) => format!("[{at}/{of}] {name}"),
        (true, Some(next)) => format!("[{}/{of}] {next}", at + 1),
        (true, None) => format!("[{}/{of}]", at + 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stage_is_told_while_its_line_grows_and_once_that_of_the_one_before_is_whole() {
        let output = "GraalVM Native Image: Generating 'greetings-web' (executable)...\n\
                      [1/8] Initializing...                       (11.7s @ 0.20GB)\n\
                      \u{1b}[1m[2/8] Performing analysis...  [****";
        assert_eq!(now(output).as_deref(), Some("[2/8] Performing analysis"));
        assert_eq!(
            now("[INFO] Scanning for projects...\n[3/8] Building universe..").unwrap(),
            "[3/8] Building universe"
        );
        let over =
            |name: &str| now(&format!("{name}...  [***]   (412.9s @ 1.84GB)\n  24,361 reachable types\n")).unwrap();
        assert_eq!(over("[1/8] Initializing"), "[2/8] Performing analysis");
        assert_eq!(over("[8/8] Creating image"), "[8/8] Creating image");
        assert_eq!(over("[2/9] Something new"), "[3/9]");
        assert_eq!(now("  24,361 reachable types   (89.1% of   27,333 total)\n[INFO] 1/2 done"), None);
        assert_eq!(now(""), None);
    }
}
