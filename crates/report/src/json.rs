//! The results as they are. The document's shape is that of [`plimsoll_analysis::results::Results`], field by field;
//! its `format` is raised when a field changes its meaning or goes away. Names end in their unit. A value that is not
//! known is `null`.

use plimsoll_analysis::Results;

use crate::Style;

/// The results, indented.
pub fn render(results: &Results, _: &Style) -> String {
    let mut json = serde_json::to_string_pretty(results).expect("results hold nothing that JSON cannot");
    json.push('\n');
    json
}
