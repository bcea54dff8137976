//! The flags by which a change of settings is proven.

use clap::Args;
use plimsoll_lab::prove::{WantedProof, may_be_secret};
use plimsoll_record::Nanos;

use super::values::{duration, small_number};

#[derive(Args)]
pub struct ProveArgs {
    /// In place of the file's load: explain what limits the variant, change the setting that moves it, and measure
    /// before and after in interleaved rounds
    #[arg(long, conflicts_with = "tune")]
    pub prove: bool,
    /// The same again and again, until no setting moves the limit; what does not help is taken back
    #[arg(long)]
    pub tune: bool,
    /// Change this setting, to each of these values: a property, `-Dname`, `-Xmx`, a variable of the environment, or
    /// `limits.cpus`; may be given again
    #[arg(long, value_name = "NAME=VALUE,…", value_parser = setting)]
    pub with: Vec<(String, Vec<String>)>,
    /// Virtual users of the proof [default: four times as many as it takes until throughput rises no more]
    #[arg(long, value_name = "N", value_parser = small_number)]
    pub users: Option<u32>,
    /// Pause of these users between a response and their next request
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub think_time: Option<Nanos>,
    /// Compare load lines under these objectives in place of capacities: a minute for each run
    #[arg(long, value_name = "THRESHOLD", num_args = 1..)]
    pub slo: Vec<String>,
}

impl ProveArgs {
    /// Whether a proof is wanted, in place of the file's load.
    pub fn is_wanted(&self) -> bool {
        self.prove || self.tune || !self.with.is_empty()
    }

    /// The proof that is wanted: by flags, else by the file.
    pub fn over(&self, file: Option<&WantedProof>) -> WantedProof {
        let file = file.cloned().unwrap_or_default();
        WantedProof {
            with: if self.with.is_empty() { file.with } else { self.with.clone() },
            tune: self.tune || file.tune && !self.prove,
            users: self.users.or(file.users),
            think_time: self.think_time.unwrap_or(file.think_time),
            slo: if self.slo.is_empty() { file.slo } else { self.slo.clone() },
            ..file
        }
    }
}

/// `server.tomcat.threads.max=400,800`.
fn setting(text: &str) -> Result<(String, Vec<String>), String> {
    let (name, values) = text.split_once('=').ok_or("expected NAME=VALUE,…, e.g. server.tomcat.threads.max=400,800")?;
    let values: Vec<String> = values.split(',').map(str::trim).map(ToOwned::to_owned).collect();
    if name.trim().is_empty() || values.iter().any(String::is_empty) {
        return Err("expected NAME=VALUE,…, e.g. server.tomcat.threads.max=400,800".to_owned());
    }
    if may_be_secret(name.trim(), &values) {
        return Err("expected a setting that sizes something, found one that may hold a secret".to_owned());
    }
    Ok((name.trim().to_owned(), values))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_have_values() {
        let read = setting("a.b=1, 2").map(|(name, values)| (name, values.join(" ")));
        assert_eq!(read, Ok(("a.b".to_owned(), "1 2".to_owned())));
        for wrong in ["a.b", "a.b=", "=1", "a=1,,2", "spring.datasource.password=a", "a.url=jdbc:x://h/d?password=a"] {
            assert!(setting(wrong).is_err(), "{wrong}");
        }
    }
}
