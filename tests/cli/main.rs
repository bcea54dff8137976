//! The program as its users meet it: real processes, exit codes, and what is printed.

mod bad_input;
mod checkout;
mod ci;
mod collect;
mod collect_from;
mod compare;
mod distribute;
mod explain;
mod hostile;
mod import;
mod init;
#[path = "../../crates/lab/tests/jdk.rs"]
mod jdk;
mod line;
mod load;
mod merge;
mod outputs;
mod package;
mod packaging;
mod peers;
mod plimsoll;
mod prove;
mod requests;
mod run;
mod secrets;
mod serve;
mod target;
mod upstream;
mod wrapper;
