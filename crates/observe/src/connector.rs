//! The connector for JMX that a JVM has for programs of this machine.

use crate::{
    attach::{AttachError, Jvm},
    jvm,
    parse::hsperf,
    read,
};

/// The counter that holds its address (`jdk.internal.agent.ConnectorAddressLink` in the JDK's sources).
const ADDRESS: &str = "sun.management.JMXConnectorServer.address";

/// The address of the connector of the first JVM of `pids`, which opens it if it has none yet.
///
/// # Errors
///
/// Message explaining why there is none, and what to do.
pub fn of_jvm(pids: &[i32]) -> Result<String, String> {
    let mut last = None;
    for &pid in pids {
        match Jvm::attach(pid) {
            Ok(jvm) => return of(&jvm).map_err(|why| format!("JMX of process {pid}: {why}")),
            Err(why) => last = Some(why),
        }
    }
    let why = last.as_ref().map_or_else(|| "no process of it is known here".to_owned(), AttachError::to_string);
    Err(format!("JMX: expected a JVM of this machine: {why}"))
}

fn of(jvm: &Jvm) -> Result<String, String> {
    jvm.command("ManagementAgent.start_local").map_err(|why| why.to_string())?;
    let path = jvm::file_of(jvm.pid()).ok_or("it shares no counters (-XX:-UsePerfData): leave that flag out")?;
    let bytes = read::bytes_of_target(&path, jvm::FILE_BYTES_MAX).ok_or("its counters cannot be read")?;
    hsperf::text(&bytes, ADDRESS).map(str::to_owned).ok_or_else(|| {
        "it has no local connector though it was told to open one: is the module jdk.management.agent left out?"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_jvm_has_no_connector() {
        let own = i32::try_from(std::process::id()).expect("a pid fits");
        let why = of_jvm(&[own]).unwrap_err();
        assert!(why.starts_with("JMX: expected a JVM of this machine: "), "{why}");
        assert!(of_jvm(&[]).unwrap_err().ends_with("no process of it is known here"));
    }
}
