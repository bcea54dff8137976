//! Arguments of `plimsoll distribute`.

use std::ffi::OsString;

use clap::{Args, value_parser};
use plimsoll_record::Nanos;

use super::values::duration;
use crate::commands::distribute::engines::Engine;

/// As many as `--segment` knows.
const PARTS_MOST: i64 = 9_999;

#[derive(Args)]
#[command(after_help = HELP)]
pub struct DistributeArgs {
    /// Parts, each on a machine of its own if there are enough
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=PARTS_MOST))]
    pub parts: u32,
    #[arg(long, value_name = "ENGINE", help = Engine::help(), value_parser = str::parse::<&'static Engine>)]
    pub on: &'static Engine,
    /// Image that has Plimsoll, for kubernetes and compose: `scripts/image` makes one
    #[arg(long, value_name = "REF")]
    pub image: Option<String>,
    /// Name of everything that is started [default: the first word of the target's host with `-load`, else `load`; of
    /// parts that stay `parts`]
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub name: Option<String>,
    /// Namespace, for kubernetes [default: the one that kubectl uses]
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub namespace: Option<String>,
    /// Processors of each part, for all but shell. With 2 one is driven and one is left to the kernel and the record;
    /// half a processor is 500m on kubernetes
    #[arg(long, value_name = "N", default_value = "2", value_parser = processors)]
    pub cpu: String,
    /// Memory of each part, for all but shell
    #[arg(long, value_name = "SIZE", default_value = "512Mi", value_parser = memory)]
    pub memory: String,
    /// How long the collector waits for parts that have not come; images are fetched and machines are found meanwhile.
    /// Parts that stay wait for so long until they find whom they join
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = duration)]
    pub deadline: Nanos,
    /// How long the collector keeps a record that nobody has fetched, for kubernetes
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = duration)]
    pub hold: Nanos,
    /// Carry no files along that the load reads (-f, -D, --http …): the image has them in /load, or each machine has
    /// them where the load is started
    #[arg(long)]
    pub without_files: bool,
    /// The load: `load` with its flags, as on one machine. Or parts that stay: `serve-part --join https://HOST:PORT`,
    /// for the search or the experiment that will be there
    #[arg(last = true, required = true, value_name = "load …")]
    pub load: Vec<OsString>,
}

const HELP: &str = "\
Prints what the engine's own tool takes, and starts nothing. Parts join a collector, start together
and report as one: one report, one record, thresholds judged on the whole.

On Kubernetes:
  plimsoll distribute --parts 8 --on kubernetes --image REG/plimsoll:0.1 \\
    -- load https://orders.test/ -q 80k -z 60s --threshold 'p(99)<200ms' > job.yaml
  kubectl apply -f job.yaml
  plimsoll collect --from kubernetes/orders-load      progress, report, record, exit code
  kubectl delete -f job.yaml

Elsewhere:
  plimsoll distribute --parts 8 --on slurm -- load … > job.sh;   sbatch --wait job.sh
  plimsoll distribute --parts 8 --on shell -- load … > parts.sh;  bash parts.sh HOST…
  plimsoll distribute --parts 8 --on compose --image … -- load … > load.yaml
                                                      docker compose -f load.yaml up -d

Parts that stay for a search, or for an experiment with a `generator`; the text shows their commands:
  plimsoll distribute --parts 8 --on slurm -- serve-part --join https://login1:7400 > parts.sh
  sbatch parts.sh

The text holds a token that was drawn for this one run, and the secrets of the load: keep it as you
keep those. Files that the load reads (-f, -D, --http …) go along.
";

/// A name in DNS, with room for what is added to it.
pub fn name(text: &str) -> Result<String, String> {
    const LONGEST: usize = 40;
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let begins = text.starts_with(|c: char| c.is_ascii_lowercase());
    match begins && text.chars().all(is_part) && !text.ends_with('-') && text.len() <= LONGEST {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "expected up to {LONGEST} lower-case letters, digits and -, a letter first, e.g. orders-load, found `{text}`"
        )),
    }
}

/// Whole processors, or thousandths of one.
fn processors(text: &str) -> Result<String, String> {
    let (digits, most) = text.strip_suffix('m').map_or((text, 1024), |digits| (digits, 1_024_000));
    match digits.parse::<u32>() {
        Ok(number) if (1..=most).contains(&number) && digits.starts_with(|c: char| c != '+') => Ok(text.to_owned()),
        _ => Err(format!("expected processors, e.g. 2, or thousandths of one, e.g. 500m, found `{text}`")),
    }
}

/// A size in binary units, as Kubernetes writes it.
fn memory(text: &str) -> Result<String, String> {
    let digits = text.strip_suffix("Mi").or(text.strip_suffix("Gi"));
    match digits.map(str::parse::<u32>) {
        Some(Ok(1..=99_999)) if !text.starts_with('+') => Ok(text.to_owned()),
        _ => Err(format!("expected a size such as 512Mi or 2Gi, found `{text}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_dns() {
        assert_eq!(name("orders-load2"), Ok("orders-load2".to_owned()));
        let long = "a".repeat(41);
        for wrong in ["", "Orders", "2x", "-x", "x-", "a.b", "a b", "ä", &long] {
            assert!(name(wrong).is_err_and(|why| why.contains("orders-load")), "{wrong}");
        }
    }

    #[test]
    fn processors_and_memory_are_written_as_kubernetes_does() {
        assert!(["2", "500m", "1024"].iter().all(|text| processors(text).is_ok()));
        assert!(["512Mi", "2Gi"].iter().all(|text| memory(text).is_ok()));
        for wrong in ["", "0", "-1", "+2", "m", "1.5", "2 cores", "1025"] {
            assert!(processors(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "512", "Mi", "0Mi", "1.5Gi", "512MB", "-1Gi", "+1Gi"] {
            assert!(memory(wrong).is_err(), "{wrong}");
        }
    }
}
