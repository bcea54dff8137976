//! How far a build has come, as its output tells.

use super::text;

/// The last stage that `native-image` announced, e.g. `[3/8] Building universe`.
pub(super) fn last(output: &str) -> Option<String> {
    output.lines().rev().find_map(|line| stage(&text::plain(line)))
}

fn stage(line: &str) -> Option<String> {
    let start = line.find('[')?;
    let (number, rest) = line[start + 1..].split_once(']')?;
    let (at, of) = number.split_once('/')?;
    let (at, of) = (at.parse::<u32>().ok()?, of.parse::<u32>().ok()?);
    // Dots, stars and figures follow the name.
    let name = rest.trim_start().split(['.', '(', '[']).next()?.trim_end();
    (at <= of && !name.is_empty()).then(|| format!("[{at}/{of}] {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_stage_is_told_also_while_its_line_grows() {
        let output = "GraalVM Native Image: Generating 'greetings-web' (executable)...\n\
                      [1/8] Initializing...                       (11.7s @ 0.20GB)\n\
                      \u{1b}[1m[2/8] Performing analysis...  [****";
        assert_eq!(last(output).as_deref(), Some("[2/8] Performing analysis"));
        assert_eq!(
            last("[INFO] Scanning for projects...\n[3/8] Building universe..").unwrap(),
            "[3/8] Building universe"
        );
        assert_eq!(last("  24,361 reachable types   (89.1% of   27,333 total)\n[INFO] 1/2 done"), None);
        assert_eq!(last(""), None);
    }
}
