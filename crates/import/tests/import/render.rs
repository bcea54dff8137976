//! Imported requests as readable text for golden files.

use std::fmt::Write;

use plimsoll_import::{ImportError, Imported};

pub fn render(imported: Result<Imported, ImportError>) -> String {
    let imported = match imported {
        Ok(imported) => imported,
        Err(error) => return error.to_string(),
    };
    let mut text = String::new();
    for request in &imported.requests {
        let pause = request.pause.map(|pause| format!(" after {pause}")).unwrap_or_default();
        writeln!(text, "=== {}{pause}\n{} {}", request.name, request.method, request.url).unwrap();
        request.headers.iter().for_each(|(name, value)| writeln!(text, "{name}: {value}").unwrap());
        if !request.body.is_empty() {
            writeln!(text, "\n{}", String::from_utf8_lossy(&request.body).replace('\r', "␍")).unwrap();
        }
    }
    imported.variables.iter().for_each(|(name, value)| writeln!(text, "variable: {name} = {value}").unwrap());
    imported.notes.iter().for_each(|note| writeln!(text, "note: {note}").unwrap());
    if imported.options != Default::default() {
        writeln!(text, "{:#?}", imported.options).unwrap();
    }
    text
}
