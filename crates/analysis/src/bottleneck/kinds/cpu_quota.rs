//! The cgroup's CPU quota is used up.

use plimsoll_record::metric::{QUOTA_PERIODS, THROTTLED_MS, THROTTLED_PERIODS};

use super::{
    super::{Knob, Limit, Verdict, case::Case, seen::quota_share},
    silent,
};
use crate::text::number;

pub(super) static LIMIT: Limit =
    Limit { id: "cpu-quota", means: "the quota of the cgroup", find, cleared: silent, knob };

/// Periods in which it is used up, as a share of all.
const PERIODS: f64 = 0.25;

fn find(case: &Case) -> Option<Verdict> {
    let full = &case.view.full;
    let throttled = full.watched.growth(THROTTLED_PERIODS.name)?;
    let share = quota_share(throttled, full.watched.growth(QUOTA_PERIODS.name).unwrap_or(0.0), full.seconds);
    let ms = full.watched.growth(THROTTLED_MS.name).unwrap_or(0.0);
    (share >= PERIODS && full.cores < case.machine_cores).then(|| Verdict {
        says: format!("the CPU quota ({} cores)", number(full.cores)),
        evidence: vec![format!(
            "in {} % of all periods it was used up; its cores were kept from running for {} ms in {} s",
            number((share * 100.0).min(100.0)),
            number(ms),
            number(full.seconds)
        )],
        change: "Raise the quota (resources.limits.cpu, --cpus), or leave it out and keep the request; less CPU per \
                 request helps as much."
            .to_owned(),
    })
}

fn knob(case: &Case) -> Option<Knob> {
    let settings = vec!["limits.cpus".to_owned()];
    Some(Knob { settings, has: Some(case.view.full.cores), wants: Some(case.machine_cores), to: None })
}
