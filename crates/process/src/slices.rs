//! Time slices: how soon threads get a processor that they share with the service they measure. `sched_setattr` has no
//! safe wrapper that knows ordinary threads.

use std::{io, time::Duration};

/// The shortest that the kernel takes.
const SLICE: Duration = Duration::from_micros(100);

/// Asks that this thread, when it wakes, runs before threads that have had the processor for a while, and in return
/// only for a tenth of a millisecond at a time. Its share of the processor stays the same, so that it takes nothing
/// from the service; only its waits get shorter, and with them the lateness of what it sends.
///
/// Since Linux 6.12 (EEVDF, `sched(7)`); older kernels take the call and change nothing. No privilege is needed.
///
/// # Errors
///
/// If the kernel refuses, as sandboxes may. The thread then goes on as it was.
#[expect(unsafe_code, reason = "a system call without a wrapper")]
pub fn prefer_short_slices() -> io::Result<()> {
    // SAFETY: all fields are integers, for which zero is a value.
    let mut attributes: libc::sched_attr = unsafe { std::mem::zeroed() };
    let size = u32::try_from(size_of_val(&attributes)).expect("a few dozen bytes");
    // SAFETY: `attributes` is as long as `size` says, and outlives the call; 0 is the calling thread.
    done(unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, size, 0) })?;
    attributes.size = size;
    attributes.sched_runtime = u64::try_from(SLICE.as_nanos()).expect("0.1 ms");
    // SAFETY: as above; the kernel only reads.
    done(unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) })
}

fn done(result: libc::c_long) -> io::Result<()> {
    match result {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Settings of the calling thread: nice value, and time slice in nanoseconds where the kernel tells.
    #[expect(unsafe_code, reason = "a system call without a wrapper")]
    fn attributes() -> (i32, u64) {
        // SAFETY: as above.
        let mut attributes: libc::sched_attr = unsafe { std::mem::zeroed() };
        let size = u32::try_from(size_of_val(&attributes)).unwrap();
        // SAFETY: as above.
        done(unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attributes, size, 0) }).unwrap();
        (attributes.sched_nice, attributes.sched_runtime)
    }

    #[test]
    fn the_kernel_takes_the_slice_and_changes_nothing_else() {
        let before = attributes();
        prefer_short_slices().unwrap();
        let (nice, slice_ns) = attributes();
        // Before Linux 6.12 ordinary threads have no slice to tell.
        let expected_ns = if before.1 == 0 { 0 } else { 100_000 };
        assert_eq!((nice, slice_ns), (before.0, expected_ns));
    }
}
