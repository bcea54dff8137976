//! Figures by round, and the rounds that several have in common.

/// One figure in each round in which it was measured: `(round, value)`, by round.
pub(crate) type Series = Vec<(u32, f64)>;

/// Values of several series in the rounds that all of them have: where a run failed, its round counts for none of those
/// compared with it.
pub(crate) fn common_rounds(series: &[Series]) -> Vec<Vec<f64>> {
    let value = |one: &Series, round: u32| one.iter().find(|it| it.0 == round).map(|it| it.1);
    let rounds = series.first().into_iter().flatten().map(|it| it.0);
    let common: Vec<u32> = rounds.filter(|&round| series.iter().all(|one| value(one, round).is_some())).collect();
    series.iter().map(|one| common.iter().filter_map(|&round| value(one, round)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_are_paired_by_round() {
        let a = vec![(0, 1.0), (1, 2.0), (2, 3.0)];
        let b = vec![(0, 10.0), (2, 30.0), (3, 40.0)];
        assert_eq!(common_rounds(&[a.clone(), b]), [vec![1.0, 3.0], vec![10.0, 30.0]]);
        assert_eq!(common_rounds(&[a, vec![]]), [vec![], Vec::<f64>::new()]);
    }
}
