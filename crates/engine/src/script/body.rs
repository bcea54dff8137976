//! Bodies as they are sent, with their Content-Type.

use plimsoll_text::multipart;

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
                Ok((form_data(parts, &boundary, scope)?, Some(multipart::content_type(&boundary))))
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

fn form_data(parts: &[Part], boundary: &str, scope: &Scope) -> Result<Template, String> {
    let mut template = Template::default();
    for part in parts {
        let (file_name, otherwise) = match &part.content {
            PartContent::Text(_) => (None, None),
            PartContent::File { name, .. } => (Some(name.as_str()), Some("application/octet-stream")),
        };
        let content_type = part.content_type.as_deref().or(otherwise);
        template.push_bytes(multipart::head(boundary, &part.name, file_name, content_type).as_bytes());
        push_content(&mut template, part, scope)?;
        template.push_bytes(b"\r\n");
    }
    template.push_bytes(multipart::end(boundary).as_bytes());
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

/// A boundary that occurs in none of the parts.
fn boundary(parts: &[Part], scope: &Scope) -> Result<String, String> {
    let mut contents = Vec::new();
    for part in parts {
        let mut content = Template::default();
        push_content(&mut content, part, scope)?;
        contents.push(content);
    }
    Ok(multipart::boundary(|text| contents.iter().any(|content| content.contains(text))))
}
