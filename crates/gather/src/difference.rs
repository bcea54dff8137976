//! Where two plans differ.

use plimsoll_record::{Part, Plan};
use serde_json::Value;

/// Place and values of the first difference, but for the number of the part; none if there is none.
pub(crate) fn first(a: &Plan, b: &Plan) -> Option<(String, String, String)> {
    let value = |plan: &Plan| {
        let segment = plan.segment.map(|part| Part { number: 0, ..part });
        serde_json::to_value(Plan { segment, ..plan.clone() }).unwrap_or_default()
    };
    within(&value(a), &value(b)).map(|(path, a, b)| (path.trim_start_matches('.').to_owned(), a, b))
}

fn within(a: &Value, b: &Value) -> Option<(String, String, String)> {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
            a.iter().zip(b.values()).find_map(|((key, a), b)| at(format!(".{key}"), a, b))
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).enumerate().find_map(|(index, (a, b))| at(format!("[{index}]"), a, b))
        }
        (a, b) => (a != b).then(|| (String::new(), a.to_string(), b.to_string())),
    }
}

fn at(step: String, a: &Value, b: &Value) -> Option<(String, String, String)> {
    within(a, b).map(|(path, a, b)| (step + &path, a, b))
}

#[cfg(test)]
mod tests {
    use plimsoll_record::{LevelPlan, Load, Nanos, Phase, ThinkTime};

    use super::*;

    #[test]
    fn the_first_difference_is_named_with_its_place() {
        let plan = |vus, number, count| {
            let load = Load::ConstantVus { vus, duration: Nanos(1), think: ThinkTime::None };
            let levels = vec![LevelPlan::new("x", Phase::Measured, load)];
            Plan { levels, segment: Some(Part { number, count }), ..Plan::default() }
        };
        assert_eq!(first(&plan(4, 1, 2), &plan(4, 2, 2)), None);
        let found = |a, b| first(&a, &b).unwrap();
        let expected = |path: &str, a: &str, b: &str| (path.to_owned(), a.to_owned(), b.to_owned());
        assert_eq!(found(plan(4, 1, 2), plan(5, 2, 2)), expected("levels[0].load.vus", "4", "5"));
        assert_eq!(found(plan(4, 1, 2), plan(4, 2, 3)), expected("segment.count", "2", "3"));
        let none = Plan { levels: Vec::new(), ..plan(4, 1, 2) };
        assert_eq!(found(none, plan(4, 1, 2)).0, "levels");
    }
}
