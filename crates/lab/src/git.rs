//! Questions to git.

use std::{
    path::Path,
    process::{Command, Stdio},
};

/// Runs git in `folder`; its output, without white space around it.
///
/// # Errors
/// Why it does not answer: the last line that it says, or that it cannot be run.
pub fn run(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("git cannot be run: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(said.lines().next_back().map_or_else(|| output.status.to_string(), |line| line.trim().to_owned()))
}

/// The commit that is checked out around `folder`, with `-dirty` where files differ from it; none without a repository.
pub fn commit_of_files(folder: &Path) -> Option<String> {
    let commit = run(folder, &["rev-parse", "HEAD"]).ok()?;
    let changes = run(folder, &["status", "--porcelain", "--untracked-files=no"]).ok()?;
    Some(if changes.is_empty() { commit } else { format!("{commit}-dirty") })
}
