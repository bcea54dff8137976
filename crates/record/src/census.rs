//! A census: one look at a target from outside. It has what threads do, in words of the JVM, how the kernel has run
//! them, and the state of connections. The analysis says what that means, so that it can be said again from the record.

use serde::{Deserialize, Serialize};

use crate::Nanos;

/// One look at a target.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Census {
    /// Counted as samples are.
    #[serde(rename = "at_ns")]
    pub at: Nanos,
    /// The load meanwhile.
    pub window: Window,
    /// How long the JVM took to tell of its threads; zero where it was not asked.
    #[serde(rename = "dump_ns")]
    pub dump: Nanos,
    /// Its threads, those alike counted together; empty where the JVM was not asked.
    pub stacks: Vec<Stack>,
    /// Its threads as the kernel sees them, by group.
    pub tasks: Vec<Tasks>,
    /// The threads that used the most CPU since the first look, of a target that is no JVM.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub busiest: Vec<Thread>,
    /// Its TCP connections, by side and port.
    pub peers: Vec<Peer>,
    /// The process as a whole.
    pub process: ProcessFacts,
    /// Other processes that used a notable part of a core since the look before.
    pub others: Vec<OtherProcess>,
    /// CPU time that Plimsoll itself has used: it may be on the same cores.
    #[serde(rename = "own_cpu_ns")]
    pub own_cpu: Nanos,
    /// Time in which threads of Plimsoll itself could have run and had no core, sum.
    #[serde(rename = "own_delay_ns")]
    pub own_delay: Nanos,
    /// Periods of the CPU quota of Plimsoll's own cgroup in which something could run, since the cgroup was made; zero
    /// without a quota, and where the target is in the same cgroup.
    pub own_quota_periods: u64,
    /// Periods among them in which the quota was used up.
    pub own_throttled_periods: u64,
    /// Objects of a JVM’s heap, where they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heap: Option<HeapLook>,
}

/// Objects that live in the heap of a JVM beyond those that it has without load.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HeapLook {
    /// How long the JVM stood still to count them.
    #[serde(rename = "took_ns")]
    pub took: Nanos,
    /// By class, those that grew most first; arrays are left out.
    pub grown: Vec<Objects>,
}

/// Objects of one class.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Objects {
    /// Its name, that of a hidden class without its address.
    pub class: String,
    /// How many more there are than without load.
    pub more: u64,
}

/// A part of an explanation, by its load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Window {
    /// No load.
    #[default]
    Rest,
    /// One request at a time.
    Light,
    /// As much as the service takes, or as was asked for.
    Full,
}

impl Window {
    /// The label of its levels.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Rest => "rest",
            Self::Light => "light",
            Self::Full => "full",
        }
    }
}

/// Threads that do the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Stack {
    /// The name of the threads, the last number in it replaced by `*`.
    pub group: String,
    /// How many there are.
    pub count: u32,
    /// State in the JVM's words.
    pub state: ThreadState,
    /// Whether they are virtual threads.
    pub is_virtual: bool,
    /// Whether they are carriers with a virtual thread on them; its frames are then these.
    pub is_carrying: bool,
    /// Frames, innermost first, `java.lang.Thread.sleep(Native Method)`; no modules.
    pub frames: Vec<String>,
    /// The lock or the condition that they wait for, if the JVM tells.
    pub awaited: Option<Awaited>,
}

/// State of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThreadState {
    /// Runs, could run, or is in a native method, e.g. one that reads from a socket.
    #[default]
    Runnable,
    /// Waits for a monitor.
    Blocked,
    /// Waits without a limit.
    Waiting,
    /// Waits with a limit, or sleeps.
    TimedWaiting,
}

/// The object that a thread waits for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Awaited {
    /// Class of the object.
    pub class: String,
    /// Tells objects of one look apart.
    pub id: u64,
    /// Index of the stack that holds it, where that is known.
    pub holder: Option<usize>,
}

/// Threads of one name, as the kernel has run them since they began.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tasks {
    /// As in [`Stack::group`], but of the first 15 bytes of the name: the kernel keeps no more.
    pub group: String,
    /// How many there are.
    pub count: u32,
    /// CPU time, sum.
    #[serde(rename = "cpu_ns")]
    pub cpu: Nanos,
    /// Time in which they could have run and had no core, sum.
    #[serde(rename = "delay_ns")]
    pub delay: Nanos,
    /// How many waited at that instant for a disk, or for something else that no signal ends (state D).
    pub at_disk: u32,
}

/// A thread, as the kernel has run it since it began.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Thread {
    /// Its process.
    pub pid: i32,
    /// Its own number.
    pub tid: i32,
    /// As in [`Tasks::group`].
    pub group: String,
    /// CPU time.
    #[serde(rename = "cpu_ns")]
    pub cpu: Nanos,
    /// Time in which it could have run and had no core.
    #[serde(rename = "delay_ns")]
    pub delay: Nanos,
    /// As in [`Tasks::at_disk`].
    pub is_at_disk: bool,
}

/// A process that is neither the target nor Plimsoll.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OtherProcess {
    /// Its number.
    pub pid: i32,
    /// Its name, as the kernel keeps it: 15 bytes at most.
    pub name: String,
    /// CPU time since it began.
    #[serde(rename = "cpu_ns")]
    pub cpu: Nanos,
}

/// The side that opened a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The other side: the target accepted it.
    #[default]
    Inbound,
    /// The target.
    Outbound,
}

/// Connections of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Peer {
    /// The side that opened them.
    pub side: Side,
    /// The own port of inbound ones; the peer's of outbound ones.
    pub port: u16,
    /// The peer's address; of inbound ones empty.
    pub address: String,
    /// Established.
    pub established: u32,
    /// Connections with bytes that the target has not read.
    pub unread: u32,
    /// Connections with bytes that the peer has not acknowledged.
    pub unacknowledged: u32,
    /// Connections with bytes that the target has written and its kernel holds back, as Nagle's algorithm does until
    /// what was sent before is acknowledged.
    pub held_back: u32,
    /// Connections on which a question is open: data was received last on inbound ones, sent last on outbound ones.
    pub open: u32,
    /// Connections under way: the SYN was sent, and no answer came.
    pub connecting: u32,
    /// Questions asked since the first look, by pieces of data: on connections that this look and the one before it
    /// both saw, and on new ones.
    pub questions: u64,
    /// Connections that were new since the first look.
    pub opened: u64,
    /// Connections to the listening socket that wait to be accepted.
    pub unaccepted: u32,
    /// Connections that may wait so.
    pub unaccepted_max: Option<u32>,
}

/// Facts about a process that the kernel keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProcessFacts {
    /// The kernel's name of it: `java`, `nginx`; empty where that was not read.
    pub name: String,
    /// Name of the file that it executes: `python3.13`, `node`; empty where that was not read.
    pub program: String,
    /// It, and those that it has started; 0 where they were not counted.
    pub processes: u32,
    /// Open descriptors.
    pub descriptors: Option<u64>,
    /// Descriptors that may be open.
    pub descriptors_max: Option<u64>,
    /// Pages that had to be read from a disk, since it began.
    pub major_faults: u64,
    /// Memory of it that is on a disk.
    pub swapped_bytes: u64,
    /// Cores of the machine, whoever may use them.
    pub machine_cores: Option<u32>,
    /// Own ports that connections to others may have.
    pub ports: Option<u32>,
    /// The answer of `VM.version`; none where that is not known.
    pub jvm: Option<String>,
    /// Largest heap that may be used, if the JVM told it.
    pub heap_max_bytes: Option<u64>,
    /// Libraries that it has open and whose settings are known, by the names of their jars: `spring-boot-3.5.7`.
    pub libraries: Vec<String>,
    /// Java threads or frames that were left out, because there were too many.
    pub left_out: u64,
    /// Why threads are not told, if they are not.
    pub blind: Option<String>,
}
