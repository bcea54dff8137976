//! `GC.class_histogram`: how many objects of each class live in the heap of a JVM.

/// The end of the name of a lambda's class.
const LAMBDA: &str = "$$Lambda";

/// Classes with their instances, in the JVM's order; arrays are left out. The name of a hidden class, as of a lambda,
/// ends before its address, so that several lambdas of one class are several lines of one name.
pub fn histogram(text: &str) -> impl Iterator<Item = (&str, u64)> {
    text.lines().filter_map(line)
}

/// `  12:          4821         154272  kotlinx.coroutines.JobImpl (kotlinx.coroutines.core@1.10)`.
fn line(line: &str) -> Option<(&str, u64)> {
    let (rank, rest) = line.trim_start().split_once(':')?;
    rank.parse::<u64>().ok()?;
    let mut fields = rest.split_whitespace();
    let count = fields.next()?.parse().ok()?;
    fields.next()?.parse::<u64>().ok()?;
    let class = fields.next()?;
    let class = class.split_once('/').map_or(class, |(class, _)| class);
    // Older JDKs number lambdas.
    let class = class.find(LAMBDA).map_or(class, |at| &class[..at + LAMBDA.len()]);
    (!class.starts_with('[')).then_some((class, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As a JDK 25 prints it.
    const TEXT: &str = " num     #instances         #bytes  class name (module)\n\
        -------------------------------------------------------\n   \
           1:         60219        3918432  [B (java.base@25.0.3)\n   \
           2:         58127        1395048  java.lang.String (java.base@25.0.3)\n   \
           3:            59           2832  kotlinx.coroutines.sync.MutexImpl$CancellableContinuationWithOwner\n   \
           4:             2             32  app.Orders$$Lambda/0x00007f1c0c08d9c8\n\
        Total        118407        5316744\n";

    #[test]
    fn classes_are_told_with_their_instances() {
        let all: Vec<(&str, u64)> = histogram(TEXT).collect();
        let mutex = "kotlinx.coroutines.sync.MutexImpl$CancellableContinuationWithOwner";
        assert_eq!(all, [("java.lang.String", 58_127), (mutex, 59), ("app.Orders$$Lambda", 2)]);
    }

    #[test]
    fn what_is_no_histogram_tells_nothing() {
        for text in ["", "Total 7 8", "1: a 2 x", "x: 1 2 y", "1:", "1: 2 3", ":::\n1: 18446744073709551616 1 a"] {
            assert_eq!(histogram(text).count(), 0, "{text}");
        }
    }
}
