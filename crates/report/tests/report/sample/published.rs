//! A published table with a row that cannot be.

use plimsoll_analysis::{
    Results,
    results::{
        Audit, AuditVerdict, Finding, LittlesLaw, Place, PublishedFigure, PublishedLevelResults, PublishedResults,
        PublishedVariantResults,
    },
};

use super::LEVELS;

fn audit(is_possible: bool, users: u32) -> Audit {
    let finding = |id, says: &str| super::finding_kind(id).at(Place::default(), says);
    let findings = match (is_possible, users) {
        (true, 100) => Vec::new(),
        (true, _) => vec![finding(
            "audit-at-ceiling",
            "190.1/s is 95 % of the 200/s that 200 workers ÷ 1.00 s allow: this row shows that setting.",
        )],
        (false, _) => vec![
            finding(
                "audit-littles-law",
                "2,700 users hold 2,700 requests at most, but 2,000/s × 1,705 ms asks for 3,410 in flight.",
            ),
            finding("audit-mean-above-percentile", "The mean, 1,705 ms, is above p95, 400 ms."),
        ],
    };
    let verdict = findings.first().map_or(AuditVerdict::Consistent, |it: &Finding| it.weight.into());
    Audit { verdict, findings, checked: vec!["Little's law".to_owned()] }
}

pub(super) fn beside(results: &Results) -> PublishedResults {
    let ours = &results.variants[0];
    let figure = |name: &str, unit: &str, (published, step), ours| PublishedFigure {
        name: name.to_owned(),
        unit: unit.to_owned(),
        published,
        step,
        ours,
    };
    // The last cannot be: 2,700 users with a mean of 1.705 s make at most 1,584 a second.
    let rows = [(100, 1_291.0, 1_279.0, 77.5), (2_700, 14_200.0, 7_417.0, 190.1), (2_700, 1_800.0, 1_705.0, 2_000.0)];
    let levels = rows.map(|(users, total_ms, mean_ms, throughput)| {
        let is_possible = throughput < 1_000.0;
        let index = LEVELS.iter().position(|&level| level == users).unwrap();
        let level = ours.levels[index].as_ref().unwrap();
        PublishedLevelResults {
            variant: if is_possible { "web-jvm" } else { "reactive-jvm" }.to_owned(),
            ours: is_possible.then(|| ours.name.clone()),
            level: users.to_string(),
            figures: vec![
                figure("total", "ms", (total_ms, 1.0), Some(level.duration_s.median * 1e3)),
                figure("mean", "ms", (mean_ms, 1.0), Some(level.response.mean_ms.median)),
                figure("throughput", "/s", (throughput, 0.1), Some(level.throughput_per_s.median)),
            ],
            littles_law: Some(LittlesLaw {
                in_flight: throughput * mean_ms / 1e3,
                allowed: users.into(),
                consistent: is_possible,
            }),
            audit: audit(is_possible, users),
            our_audit: is_possible.then(|| audit(true, users)),
        }
    });
    let startup = |variant: &str, ours: Option<&str>, published, value| PublishedVariantResults {
        variant: variant.to_owned(),
        ours: ours.map(str::to_owned),
        figures: vec![
            figure("start-up", "s", (published, 0.001), value),
            figure("peak memory", "MB", (281.1, 0.1), value.map(|_| 281.0)),
        ],
    };
    PublishedResults {
        source: "Published by its author on a laptop of 4 cores with Spring Boot 3.3.2 and Java 21.".to_owned(),
        levels: levels.to_vec(),
        variants: vec![
            startup("web-jvm", Some("web-jar"), 1.778, Some(2.31)),
            startup("web-native", None, 0.061, None),
        ],
    }
}
