//! Methods of a JVM that wait to be compiled, by the attach protocol.

use crate::attach::Jvm;

/// How many wait for C2, in the first of `pids` that is a JVM which can be asked; none if there is none.
pub fn of_c2(pids: &[i32]) -> Option<usize> {
    let jvm = pids.iter().find_map(|&pid| Jvm::attach(pid).ok())?;
    waiting(&jvm.command("Compiler.queue").ok()?)
}

/// `C2 compile queue:`, then `Empty` or a line for each task, then an empty line (`CompileQueue::print` in
/// `src/hotspot/share/compiler/compileBroker.cpp`).
fn waiting(answer: &str) -> Option<usize> {
    let mut lines = answer.lines().map(str::trim).skip_while(|line| *line != "C2 compile queue:").skip(1);
    let first = lines.next()?;
    let rest = lines.take_while(|line| !line.is_empty()).count();
    Some(if first == "Empty" || first.is_empty() { 0 } else { 1 + rest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_of_c2_are_counted() {
        let empty = "Current compiles: \n\nC1 compile queue:\nEmpty\n\nC2 compile queue:\nEmpty\n\n";
        assert_eq!(waiting(empty), Some(0));
        let busy = "Current compiles: \nC2 CompilerThread0   12 !  4  a.B::c (9 bytes)\n\nC1 compile queue:\nEmpty\n\n\
                    C2 compile queue:\n   13  4  a.B::d (7 bytes)\n   14  4  a.B::e (8 bytes)\n\n";
        assert_eq!(waiting(busy), Some(2));
        assert_eq!(waiting("C1 compile queue:\nEmpty\n\n"), None, "a JVM without C2");
        assert_eq!(waiting(""), None);
    }

    #[test]
    fn what_is_no_jvm_has_none() {
        let own = i32::try_from(std::process::id()).expect("a pid fits");
        assert_eq!(of_c2(&[own, i32::MAX]), None);
        assert_eq!(of_c2(&[]), None);
    }
}
