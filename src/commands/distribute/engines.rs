//! The engines that run parts: one list.

use std::{fmt, str::FromStr};

use plimsoll_text::one_of_but_found;

use super::{compose, distribution::Distribution, kubernetes, shell, slurm};

/// A program that runs parts on many machines.
pub struct Engine {
    /// As `--on` has it.
    pub name: &'static str,
    /// In a line of help.
    pub about: &'static str,
    /// Whether parts run in containers.
    pub needs_image: bool,
    /// Most bytes of files that go along in what is printed; none where files stay where they are.
    pub files_bytes_max: Option<usize>,
    /// The text that its own tool takes.
    pub print: fn(&Distribution) -> String,
}

/// All of them.
pub static ENGINES: [Engine; 4] = [kubernetes::ENGINE, slurm::ENGINE, compose::ENGINE, shell::ENGINE];

impl Engine {
    /// Help of `--on`.
    pub fn help() -> String {
        let lines = ENGINES.iter().map(|engine| format!("{}: {}", engine.name, engine.about));
        format!("Engine that runs the parts; {}", lines.collect::<Vec<_>>().join("; "))
    }
}

impl FromStr for &'static Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = ENGINES.iter().find(|engine| engine.name == text);
        found.ok_or_else(|| format!("expected {}", one_of_but_found(ENGINES.iter().map(|engine| engine.name), text)))
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_found_by_their_names() {
        for engine in &ENGINES {
            let found: &'static Engine = engine.name.parse().unwrap();
            assert_eq!(found.name, engine.name);
        }
        let unknown = <&'static Engine>::from_str("kubernets").unwrap_err();
        assert!(unknown.contains("`slurm`") && unknown.contains("did you mean `kubernetes`?"), "{unknown}");
    }
}
