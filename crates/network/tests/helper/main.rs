//! The process that makes a network, for tests.

fn main() -> std::process::ExitCode {
    plimsoll_network::helper_main()
}
