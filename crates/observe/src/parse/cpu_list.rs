//! Lists of CPUs as the kernel writes them, e.g. `0-3,8` in `thread_siblings_list`.

/// The CPUs of a list, ascending, each once; what is not a number or a range is left out. A range is cut at CPU 4095,
/// beyond which no kernel is built (`NR_CPUS`).
pub fn cpu_list(text: &str) -> Vec<usize> {
    let mut cpus: Vec<usize> = text.trim().split(',').filter_map(range).flatten().collect();
    cpus.sort_unstable();
    cpus.dedup();
    cpus
}

fn range(part: &str) -> Option<std::ops::RangeInclusive<usize>> {
    const HIGHEST_CPU: usize = 4095;
    let (first, last) = part.split_once('-').unwrap_or((part, part));
    Some(first.trim().parse().ok()?..=last.trim().parse::<usize>().ok()?.min(HIGHEST_CPU))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ranges_and_single_cpus_are_read() {
        assert_eq!(cpu_list("0-2,8\n"), [0, 1, 2, 8]);
        assert_eq!(cpu_list("5"), [5]);
        assert_eq!(cpu_list("3,1-3"), [1, 2, 3]);
        assert_eq!(cpu_list("\n"), [0; 0]);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[0-9,x -]{0,60}") {
            let cpus = cpu_list(&text);
            prop_assert!(cpus.is_sorted());
        }
    }
}
