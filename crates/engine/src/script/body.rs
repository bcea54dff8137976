//! Bodies as they are sent, with their Content-Type.

use super::{
    scope::Scope,
    template::{Escape, Template},
    text::{Body, Part, PartContent},
};

impl Body {
    /// The body's bytes, and the Content-Type that it has unless a header says otherwise.
    pub(crate) fn template(&self, scope: &Scope) -> Result<(Template, Option<String>), String> {
        match self {
            Self::None => Ok((Template::default(), None)),
            Self::Text(text) => Ok((Template::new(text, Escape::None, scope)?, None)),
            Self::Bytes(bytes) => {
                let mut template = Template::default();
                template.push_bytes(bytes);
                Ok((template, None))
            }
            Self::Json(text) => Ok((Template::json(text, scope)?, Some("application/json".to_owned()))),
            Self::Form(fields) => Ok((form(fields, scope)?, Some("application/x-www-form-urlencoded".to_owned()))),
            Self::Multipart(parts) => {
                let boundary = boundary(parts, scope)?;
                let content_type = format!("multipart/form-data; boundary={boundary}");
                Ok((multipart(parts, &boundary, scope)?, Some(content_type)))
            }
        }
    }
}

fn form(fields: &[(String, String)], scope: &Scope) -> Result<Template, String> {
    let mut template = Template::default();
    for (index, (name, value)) in fields.iter().enumerate() {
        if index > 0 {
            template.push_bytes(b"&");
        }
        template.push_escaped(name, Escape::Form, scope)?;
        template.push_bytes(b"=");
        template.push_escaped(value, Escape::Form, scope)?;
    }
    Ok(template)
}

/// RFC 7578.
fn multipart(parts: &[Part], boundary: &str, scope: &Scope) -> Result<Template, String> {
    let mut template = Template::default();
    for part in parts {
        let name = quoted(&part.name);
        template.push_bytes(format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"").as_bytes());
        let mut content_type = part.content_type.as_deref();
        if let PartContent::File { name, .. } = &part.content {
            template.push_bytes(format!("; filename=\"{}\"", quoted(name)).as_bytes());
            content_type = content_type.or(Some("application/octet-stream"));
        }
        if let Some(content_type) = content_type {
            template.push_bytes(format!("\r\nContent-Type: {content_type}").as_bytes());
        }
        template.push_bytes(b"\r\n\r\n");
        push_content(&mut template, part, scope)?;
        template.push_bytes(b"\r\n");
    }
    template.push_bytes(format!("--{boundary}--\r\n").as_bytes());
    Ok(template)
}

fn push_content(template: &mut Template, part: &Part, scope: &Scope) -> Result<(), String> {
    match &part.content {
        PartContent::Text(text) => template.push(text, Escape::None, scope),
        PartContent::File { bytes, .. } => {
            template.push_bytes(bytes);
            Ok(())
        }
    }
}

/// A name in quotes, as browsers write it (WHATWG HTML, multipart form data).
fn quoted(name: &str) -> String {
    name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}

/// A boundary that occurs in none of the parts.
fn boundary(parts: &[Part], scope: &Scope) -> Result<String, String> {
    let mut contents = Vec::new();
    for part in parts {
        let mut content = Template::default();
        push_content(&mut content, part, scope)?;
        contents.push(content);
    }
    let is_free = |boundary: &String| !contents.iter().any(|content| content.contains(boundary.as_bytes()));
    let free = (0_u32..).map(|number| format!("plimsoll-{number:08x}-boundary")).find(is_free);
    Ok(free.unwrap_or_default())
}
