//! Values as a row of blocks.

const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// One block per value, the highest full; a space where there is none.
pub fn sparkline(values: impl Iterator<Item = Option<f64>> + Clone) -> String {
    let highest = values.clone().flatten().fold(0.0, f64::max);
    let block = |value: f64| {
        let step = if highest > 0.0 { value / highest * (BLOCKS.len() - 1) as f64 } else { 0.0 };
        BLOCKS[(step.round() as usize).min(BLOCKS.len() - 1)]
    };
    values.map(|value| value.map_or(' ', block)).collect()
}

/// A bar of `width` columns, of which `share` (0 to 1) are full.
pub fn bar(share: f64, width: usize) -> String {
    let full = (share.clamp(0.0, 1.0) * width as f64).round() as usize;
    "█".repeat(full) + &"░".repeat(width - full)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_is_full_and_gaps_are_blank() {
        let values = [Some(0.0), Some(5.0), None, Some(10.0)];
        assert_eq!(sparkline(values.into_iter()), "▁▅ █");
        assert_eq!(sparkline([Some(0.0)].into_iter()), "▁");
        assert_eq!((bar(0.5, 4), bar(2.0, 2)), ("██░░".to_owned(), "██".to_owned()));
    }
}
