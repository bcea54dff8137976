//! `/proc/PID/stat` and `/proc/PID/status`.

use super::keyed_number;

/// Contents of `/proc/PID/stat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// One letter: `R` running, `S` sleeping, `Z` exited but not waited for, …
    pub state: char,
    /// The parent process.
    pub parent: i32,
    /// CPU time in user and kernel mode, all threads, in clock ticks.
    pub cpu_ticks: u64,
    /// The same of its children that ended and were waited for, and of theirs.
    pub waited_ticks: u64,
    /// When it was started, in clock ticks since boot. With the pid it identifies a process for good.
    pub start_ticks: u64,
}

impl Stat {
    /// Whether both are of one process, if they have one pid: a pid may be used again.
    pub const fn is_same(&self, other: &Self) -> bool {
        self.start_ticks == other.start_ticks
    }
}

/// Reads `/proc/PID/stat`. The second field is the program's name in parentheses, and may itself hold spaces and
/// parentheses: the fields after it begin behind the *last* one (proc_pid_stat(5)).
pub fn stat(text: &str) -> Option<Stat> {
    let (_, after_name) = text.rsplit_once(')')?;
    // Field 3 of the manual's list is index 0 here.
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let number = |of_manual: usize| fields.get(of_manual - 3)?.parse::<u64>().ok();
    Some(Stat {
        state: fields.first()?.chars().next()?,
        parent: fields.get(1)?.parse().ok()?,
        cpu_ticks: number(14)?.saturating_add(number(15)?),
        waited_ticks: number(16)?.saturating_add(number(17)?),
        start_ticks: number(22)?,
    })
}

/// The name of its program in `/proc/PID/stat`, which may itself hold parentheses.
pub fn name(text: &str) -> Option<&str> {
    Some(text.split_once('(')?.1.rsplit_once(')')?.0)
}

/// Contents of `/proc/PID/status`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Resident memory; 0 for a process that has exited and was not waited for.
    pub rss_bytes: u64,
    /// Threads.
    pub threads: u64,
}

/// Reads `/proc/PID/status`.
pub fn status(text: &str) -> Option<Status> {
    Some(Status {
        rss_bytes: keyed_number(text, "VmRSS:").unwrap_or(0).saturating_mul(1024),
        threads: keyed_number(text, "Threads:")?,
    })
}

/// The process' number in the innermost namespace it is in: the one it knows itself by (`NSpid` of `status`).
pub fn innermost_pid(status: &str) -> Option<i32> {
    status.lines().find_map(|line| line.strip_prefix("NSpid:"))?.split_whitespace().last()?.parse().ok()
}

/// Whether the process has a handler for the signal of this number (`SigCgt` of `status`).
pub fn catches(status: &str, signal: u32) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    signal.checked_sub(1).and_then(|bit| mask.checked_shr(bit)).is_some_and(|rest| rest & 1 == 1)
}

/// The effective user of a process (`Uid` of `status`: real, effective, saved, of files).
pub fn effective_user(status: &str) -> Option<u32> {
    status.lines().find_map(|line| line.strip_prefix("Uid:"))?.split_whitespace().nth(1)?.parse().ok()
}

/// The runtime of a process, as far as its libraries tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runtime {
    /// OpenJDK's JVM.
    HotSpot,
    /// Another one, which has a library of the same name.
    OpenJ9,
    /// None that is known.
    Other,
}

/// Reads `/proc/PID/maps`.
pub fn runtime(maps: &str) -> Runtime {
    let has = |name: &str| maps.lines().any(|line| line.rsplit('/').next().is_some_and(|file| file.starts_with(name)));
    match (has("libj9"), has("libjvm.so")) {
        (true, _) => Runtime::OpenJ9,
        (false, true) => Runtime::HotSpot,
        (false, false) => Runtime::Other,
    }
}

/// The limit of open descriptors (`/proc/PID/limits`).
pub fn descriptors_max(limits: &str) -> Option<u64> {
    limits.lines().find_map(|line| line.strip_prefix("Max open files"))?.split_whitespace().next()?.parse().ok()
}

/// Pages that had to be read from a disk (`/proc/PID/stat`: majflt).
pub fn major_faults(text: &str) -> Option<u64> {
    text.rsplit_once(')')?.1.split_whitespace().nth(9)?.parse().ok()
}

/// Memory of the process on a disk (`/proc/PID/status`).
pub fn swapped_bytes(status: &str) -> Option<u64> {
    Some(keyed_number(status, "VmSwap:")?.saturating_mul(1024))
}

/// CPU time, and time without a core though it could run, both in nanoseconds (`/proc/PID/task/TID/schedstat`).
pub fn schedule(text: &str) -> Option<(u64, u64)> {
    let mut fields = text.split_whitespace().map(|field| field.parse().ok());
    Some((fields.next()??, fields.next()??))
}

/// The word behind `-NAME` or `--NAME`, or what follows `=` in the same word, among the arguments of a process
/// (`/proc/PID/cmdline`).
pub fn option<'a>(cmdline: &'a str, name: &str) -> Option<&'a str> {
    let mut words = cmdline.split('\0');
    let behind = |word: &'a str| word.strip_prefix('-')?.trim_start_matches('-').strip_prefix(name);
    let rest = words.find_map(|word| behind(word).filter(|rest| rest.is_empty() || rest.starts_with('=')))?;
    if rest.is_empty() { words.next() } else { rest.strip_prefix('=') }
}

/// Inode of the socket that a descriptor links to, if it is one: `socket:[148325]`.
pub fn socket_inode(link: &str) -> Option<u32> {
    link.strip_prefix("socket:[")?.strip_suffix(']')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_may_hold_spaces_and_parentheses() {
        let text = "4711 (a) b (c)) S 17 4711 4711 0 -1 4194560 103 0 0 0 250 30 7 9 20 0 41 0 1176609 2998272 416 \
                    18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 0 0 0 0 0";
        let read = Stat { state: 'S', parent: 17, cpu_ticks: 280, waited_ticks: 16, start_ticks: 1_176_609 };
        assert_eq!(stat(text), Some(read));
        assert_eq!((name(text), name("4711 sh S 17")), (Some("a) b (c)"), None));
    }

    #[test]
    fn a_captured_stat_is_read() {
        let java = Stat { state: 'S', parent: 11_857, cpu_ticks: 129 + 25, waited_ticks: 0, start_ticks: 1_187_198 };
        assert_eq!(stat(include_str!("captured/java.stat")), Some(java));
    }

    #[test]
    fn a_captured_status_is_read() {
        let java = Status { rss_bytes: 79_872 * 1024, threads: 19 };
        assert_eq!(status(include_str!("captured/java.status")), Some(java));
    }

    #[test]
    fn a_process_without_memory_has_none() {
        assert_eq!(status("Name:\tsh\nState:\tZ (zombie)\nThreads:\t1\n"), Some(Status { rss_bytes: 0, threads: 1 }));
    }

    #[test]
    fn a_process_in_a_container_has_a_number_of_its_own() {
        assert_eq!(innermost_pid("Pid:\t4711\nNSpid:\t4711\t7\n"), Some(7));
        assert_eq!(innermost_pid("Pid:\t4711\nNSpid:\t4711\n"), Some(4711));
        assert_eq!(innermost_pid("Pid:\t4711\n"), None);
        assert_eq!(socket_inode("socket:[148325]"), Some(148_325));
        assert_eq!((socket_inode("pipe:[7]"), socket_inode("/dev/null")), (None, None));
    }

    #[test]
    fn signals_users_and_limits_are_read() {
        let status = "Uid:\t1000\t1001\t1000\t1000\nVmSwap:\t 12 kB\nSigCgt:\t2000000181005ccf\n";
        assert_eq!((effective_user(status), swapped_bytes(status)), (Some(1_001), Some(12 * 1024)));
        assert!(catches(status, 3) && !catches(status, 5), "0xf: signals 1 to 4");
        assert!(!catches("SigCgt:\t0000000000000000\n", 3) && !catches("", 3) && !catches(status, 0));
        let limits = "Limit   Soft Limit  Hard Limit  Units\nMax open files            1024    4096    files\n";
        assert_eq!((descriptors_max(limits), descriptors_max("")), (Some(1_024), None));
        assert_eq!((schedule("120 30 7\n"), schedule("120")), (Some((120, 30)), None));
        assert_eq!(major_faults("1 (a b) S 1 2 3 0 -1 4194560 103 0 55 0 250"), Some(55));
    }

    #[test]
    fn options_of_a_command_line_are_found() {
        let words = "/usr/bin/docker-proxy -proto tcp -container-ipv6 - -container-ip 172.17.0.2 --container-port=80 ";
        let proxy = words.replace(' ', "\0");
        let found = ["proto", "container-ip", "container-port", "container", "host-port"].map(|it| option(&proxy, it));
        assert_eq!(found, [Some("tcp"), Some("172.17.0.2"), Some("80"), None, None]);
        assert_eq!((option("x\0-container-ip", "container-ip"), option("", "a")), (None, None));
    }

    #[test]
    fn a_jvm_is_known_by_its_library() {
        let hot_spot = "7f00-7f01 r-xp 00000000 08:01 77  /opt/jdk/lib/server/libjvm.so\n7f02-7f03 rw-p 0 0 0\n";
        assert_eq!(runtime(hot_spot), Runtime::HotSpot);
        assert_eq!(
            runtime(&format!("{hot_spot}7f04-7f05 r-xp 0 08:01 7 /opt/jdk/lib/libj9vm29.so\n")),
            Runtime::OpenJ9
        );
        assert_eq!(runtime("7f00-7f01 r-xp 0 08:01 7 /usr/bin/sleep\n"), Runtime::Other);
    }

    #[test]
    fn what_is_cut_off_is_none() {
        assert_eq!(stat("4711 (sh) S 17 4711"), None);
        assert_eq!(stat(""), None);
        assert_eq!(status("Name:\tsh\n"), None);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in ".{0,300}", numbers in "[0-9 ()-]{0,300}") {
            let _ = (stat(&text), status(&text), stat(&numbers), stat(&format!("1 (x) S {numbers}")));
            let _ = status(&format!("VmRSS:{text}\nThreads:{numbers}"));
            let _ = (catches(&format!("SigCgt:{text}"), 3), runtime(&text), schedule(&numbers), major_faults(&text));
            let _ = (descriptors_max(&format!("Max open files{numbers}")), effective_user(&format!("Uid:{text}")));
        }
    }
}
