//! Requests as people write them, with `{{…}}` in them; [`ScriptText::resolve`] makes a [`Script`](super::Script) of
//! them.

use std::sync::Arc;

use plimsoll_record::ThinkTime;
use serde::{Deserialize, Serialize};

use super::{feeder::Feeder, mean_steps, names, sent};

/// A script as it is written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScriptText {
    /// At least one.
    pub flows: Vec<FlowText>,
    /// Names and values, which may use what stands before them and the columns of feeders. One that varies is made
    /// once an iteration.
    pub variables: Vec<(String, String)>,
    /// Rows of data for iterations.
    pub feeders: Vec<Feeder>,
    /// Whether each virtual user keeps the cookies that it is given.
    pub cookies: bool,
}

/// Requests that one virtual user makes one after the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlowText {
    /// Weight with which it is drawn, relative to the others; more than 0.
    pub weight: f64,
    /// At least one.
    pub steps: Vec<StepText>,
}

/// One request of a flow. Everything but names of headers, checks' patterns and files may hold `{{…}}`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepText {
    /// Name in reports.
    pub name: String,
    /// E.g. `GET`; none: GET, or POST where there is a body.
    pub method: Option<String>,
    /// A URL, or what is joined to the base; empty: the base itself.
    pub url: String,
    /// Names and values.
    pub headers: Vec<(String, String)>,
    /// Content that is sent.
    pub body: Body,
    /// Credentials; an `Authorization` among the headers wins.
    pub auth: Option<Auth>,
    /// Names of variables and where in the response their values are, e.g. `json $.token`.
    pub captures: Vec<(String, String)>,
    /// Conditions on the response, e.g. `status == 200`.
    pub checks: Vec<String>,
    /// Between its response and the next request of the flow.
    pub pause: ThinkTime,
}

/// Credentials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Auth {
    /// RFC 7617.
    Basic {
        /// Without `:`.
        user: String,
        /// May be empty.
        password: String,
    },
    /// RFC 6750.
    Bearer(String),
}

/// Content that is sent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Body {
    /// Nothing.
    #[default]
    None,
    /// Text, values put in as they are.
    Text(String),
    /// Bytes as they are, `{{` included.
    Bytes(#[serde(with = "sent::bytes")] Arc<[u8]>),
    /// Text of JSON: values within its strings are escaped.
    Json(String),
    /// Names and values of `application/x-www-form-urlencoded`.
    Form(Vec<(String, String)>),
    /// `multipart/form-data`.
    Multipart(Vec<Part>),
}

/// A part of a `multipart/form-data` body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// The field's name.
    pub name: String,
    /// Content of the part.
    pub content: PartContent,
    /// None: that of text is left out, that of a file is `application/octet-stream`.
    pub content_type: Option<String>,
}

/// Content of a part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PartContent {
    /// Text, values put in as they are.
    Text(String),
    /// A file, as it is.
    File {
        /// Name of the file that the target is told.
        name: String,
        /// Its bytes.
        #[serde(with = "sent::bytes")]
        bytes: Arc<[u8]>,
    },
}

/// Part of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Its URL.
    Url,
    /// The header of this index.
    Header(usize),
    /// Its body.
    Body,
    /// Credentials.
    Auth,
    /// The capture of this index.
    Capture(usize),
    /// The check of this index.
    Check(usize),
}

/// Place in a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The variable of this index.
    Variable(usize),
    /// The feeder of this index.
    Feeder(usize),
    /// A field of the step of this index, counted over all flows.
    Step(usize, Field),
}

/// An error in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// Where.
    pub place: Place,
    /// Message: what was expected, what was found, what to do.
    pub problem: String,
}

impl ScriptText {
    /// A single request, over and over.
    pub fn of(step: StepText) -> Self {
        Self { flows: vec![FlowText { weight: 1.0, steps: vec![step] }], ..Self::default() }
    }

    /// All steps, flow by flow.
    pub fn steps(&self) -> impl Iterator<Item = &StepText> {
        self.flows.iter().flat_map(|flow| &flow.steps)
    }

    /// Names of all requests, in the order of [`ScriptText::steps`]; empty if there is but one.
    pub fn names(&self) -> Vec<String> {
        names(self.steps().map(|step| &step.name))
    }

    /// How many requests an iteration makes on average, if none fails.
    pub fn requests_per_iteration(&self) -> f64 {
        mean_steps(self.flows.iter().map(|flow| (flow.weight, flow.steps.len())))
    }

    /// An error as one line that names the step and its field.
    pub fn describe(&self, error: &ScriptError) -> String {
        let place = match error.place {
            Place::Variable(index) => format!("variable `{}`", self.variables[index].0),
            Place::Feeder(index) => format!("feeder `{}`", self.feeders[index].name),
            Place::Step(index, field) => match self.steps().nth(index) {
                Some(step) if self.steps().count() > 1 => format!("request `{}`: {}", step.name, step.field(field)),
                Some(step) => step.field(field),
                None => String::new(),
            },
        };
        format!("{place}: {}", error.problem)
    }
}

impl StepText {
    fn field(&self, field: Field) -> String {
        match field {
            Field::Url => format!("URL `{}`", self.url),
            Field::Header(index) => format!("header `{}`", self.headers[index].0),
            Field::Body => "body".to_owned(),
            Field::Auth => "auth".to_owned(),
            Field::Capture(index) => format!("capture `{}`", self.captures[index].0),
            Field::Check(index) => format!("check `{}`", self.checks[index]),
        }
    }

    /// The method, as it is sent.
    pub fn method(&self) -> &str {
        match &self.method {
            Some(method) => method,
            None if self.body == Body::None => "GET",
            None => "POST",
        }
    }
}
