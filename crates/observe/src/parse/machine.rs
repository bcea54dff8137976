//! `/proc/stat`, `/proc/cpuinfo`, `/proc/meminfo` and `/etc/os-release`.

use super::keyed_number;

/// CPU time of the whole machine since boot, in clock ticks, all cores together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuTime {
    /// Spent on processes, the kernel and interrupts.
    pub busy_ticks: u64,
    /// Not given to this machine by the hypervisor, though it had work to do.
    pub steal_ticks: u64,
}

/// Reads the first line of `/proc/stat`. Time of guests is part of user time there and is not added again.
pub fn cpu_time(text: &str) -> Option<CpuTime> {
    let line = text.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let ticks: Vec<u64> = line.split_whitespace().map_while(|field| field.parse().ok()).collect();
    let [user, nice, system, _idle, _iowait, irq, softirq, rest @ ..] = ticks.as_slice() else { return None };
    let busy_ticks = [nice, system, irq, softirq].into_iter().fold(*user, |sum, ticks| sum.saturating_add(*ticks));
    Some(CpuTime { busy_ticks, steal_ticks: rest.first().copied().unwrap_or(0) })
}

/// Cores that are online: a line each in `/proc/stat`.
pub fn cores(text: &str) -> usize {
    let is_core =
        |line: &&str| line.strip_prefix("cpu").is_some_and(|rest| rest.starts_with(|it: char| it.is_ascii_digit()));
    text.lines().filter(is_core).count()
}

/// How long some thread has waited for a core since boot: `total` in µs on the line `some` of `/proc/pressure/cpu`.
pub fn pressure_ms(text: &str) -> Option<f64> {
    let line = text.lines().find(|line| line.starts_with("some "))?;
    let us: u64 = line.split_whitespace().find_map(|field| field.strip_prefix("total="))?.parse().ok()?;
    Some(us as f64 / 1e3)
}

/// The CPU's name in `/proc/cpuinfo`: `model name` on x86, `Model` or `Hardware` on some others.
pub fn cpu_model(text: &str) -> Option<String> {
    ["model name", "Model", "Hardware", "cpu model"].iter().find_map(|key| cpuinfo_value(text, key))
}

fn cpuinfo_value(text: &str, key: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == key && !value.trim().is_empty()).then(|| value.trim().to_owned())
    })
}

/// `MemTotal` of `/proc/meminfo`, in bytes.
pub fn memory_bytes(text: &str) -> Option<u64> {
    keyed_number(text, "MemTotal:").map(|kib| kib.saturating_mul(1024))
}

/// `PRETTY_NAME` of `/etc/os-release`, without its quotes.
pub fn os_name(text: &str) -> Option<String> {
    let value = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    let name = value.trim().trim_matches(['"', '\'']);
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const STAT: &str = "cpu  10048 0 6405 2331165 904 0 155 20 0 0\n\
                        cpu0 4451 0 2588 1166585 130 0 27 7 0 0\nintr 479355 0\nctxt 810772\n";

    #[test]
    fn idle_and_waiting_time_is_not_busy() {
        assert_eq!(cpu_time(STAT), Some(CpuTime { busy_ticks: 10048 + 6405 + 155, steal_ticks: 20 }));
    }

    #[test]
    fn a_kernel_without_steal_time_stole_none() {
        assert_eq!(cpu_time("cpu  1 2 3 4 5 6 7\n"), Some(CpuTime { busy_ticks: 1 + 2 + 3 + 6 + 7, steal_ticks: 0 }));
        assert_eq!(cpu_time("cpu  1 2 3\n"), None);
    }

    #[test]
    fn the_model_is_named_on_each_architecture() {
        let x86 = "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel\t\t: 2\nmodel name\t: AMD EPYC\n";
        assert_eq!(cpu_model(x86).as_deref(), Some("AMD EPYC"));
        let arm = "processor\t: 0\nBogoMIPS\t: 108.00\n\nModel\t\t: Raspberry Pi 4 Model B Rev 1.4\n";
        assert_eq!(cpu_model(arm).as_deref(), Some("Raspberry Pi 4 Model B Rev 1.4"));
        assert_eq!(cpu_model("processor: 0\n"), None);
    }

    #[test]
    fn pressure_is_that_of_some_thread() {
        let text =
            "some avg10=0.29 avg60=0.84 avg300=1.85 total=8851989\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n";
        assert_eq!(pressure_ms(text), Some(8_851.989));
        assert_eq!(pressure_ms("full total=7\n"), None);
    }

    #[test]
    fn memory_is_in_bytes() {
        assert_eq!(memory_bytes("MemTotal:       24684092 kB\nMemFree: 1 kB\n"), Some(24_684_092 * 1024));
    }

    #[test]
    fn the_operating_system_is_named_without_quotes() {
        let debian = "NAME=\"Debian GNU/Linux\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n";
        assert_eq!(os_name(debian).as_deref(), Some("Debian GNU/Linux 12 (bookworm)"));
        assert_eq!(os_name("PRETTY_NAME=\"\"\n"), None);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in ".{0,300}", numbers in "[0-9 ]{0,200}") {
            let _ = (cpu_time(&text), cpu_model(&text), memory_bytes(&text), os_name(&text));
            let _ = (cpu_time(&format!("cpu {numbers}")), memory_bytes(&format!("MemTotal:{numbers}")));
            let _ = os_name(&format!("PRETTY_NAME={text}"));
        }
    }
}
