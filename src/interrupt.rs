//! Ctrl-C: the first ends what runs in order and reports what was measured; the second ends the program at once.

use std::sync::{Arc, atomic::AtomicBool};

use signal_hook::{consts::TERM_SIGNALS, flag};

use crate::failure::{Failure, INTERRUPTED};

/// A flag that is set by the first Ctrl-C (or SIGTERM, SIGQUIT).
pub fn stop_flag() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    for &signal in TERM_SIGNALS {
        // Registered in this order, the first signal finds the flag unset, and only the second one exits.
        flag::register_conditional_shutdown(signal, i32::from(INTERRUPTED), stop.clone())
            .and_then(|_| flag::register(signal, stop.clone()))
            .map_err(|error| Failure::running(format_args!("cannot listen for Ctrl-C: {error}")))?;
    }
    Ok(stop)
}
