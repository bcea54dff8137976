//! The options of one curl command, gathered into a request.

use plimsoll_record::Nanos;

use super::{
    data::{self, Data},
    flags::{Flag, Given},
};
use crate::{
    Files, HttpVersion, Imported, ImportedRequest, TransferOptions,
    error::{ImportError, Source},
    headers::{self, Headers},
    multipart::{self, Part},
    target,
};

/// Redirects that curl follows for `-L` alone.
const DEFAULT_MAX_REDIRECTS: u32 = 50;
const BEARER: &str = "Bearer ";
const FORM: &str = "application/x-www-form-urlencoded";

/// Options, gathered.
pub(super) struct Draft<'a> {
    source: Source<'a>,
    files: &'a Files<'a>,
    /// URLs, with the byte at which each begins.
    urls: Vec<(String, usize)>,
    method: Option<String>,
    headers: Headers,
    /// Names of those that options of their own have set: a header by `-H` is sent in place of one of these.
    by_option: Vec<&'static str>,
    /// Headers that are not to be sent even if something else would set them.
    removed: Vec<String>,
    data: Option<Data>,
    parts: Vec<Part>,
    upload: Option<Vec<u8>>,
    /// Path of the file that is uploaded.
    upload_path: String,
    get: bool,
    head: bool,
    follows: bool,
    max_redirects: Option<u32>,
    globs: bool,
    options: TransferOptions,
    notes: Vec<String>,
}

impl<'a> Draft<'a> {
    pub fn new(source: Source<'a>, files: &'a Files<'a>) -> Self {
        Self {
            source,
            files,
            urls: Vec::new(),
            method: None,
            headers: Headers::new(),
            by_option: Vec::new(),
            removed: Vec::new(),
            data: None,
            parts: Vec::new(),
            upload: None,
            upload_path: String::new(),
            get: false,
            head: false,
            follows: false,
            max_redirects: None,
            globs: true,
            options: TransferOptions::default(),
            notes: Vec::new(),
        }
    }

    /// Takes one option.
    pub fn apply(&mut self, given: &Given) -> Result<(), ImportError> {
        match given.flag {
            Flag::Url => self.urls.push((self.text(given)?, given.value.at)),
            Flag::Method => self.method = Some(self.method_of(given)?),
            Flag::Header => self.header(given)?,
            Flag::Data | Flag::DataRaw | Flag::DataBinary | Flag::DataUrlencode | Flag::Json => self.add_data(given)?,
            Flag::Form | Flag::FormString => self.add_part(given)?,
            Flag::Upload => {
                self.upload_path = self.text(given)?;
                self.upload = Some(self.file(given, &self.upload_path)?);
            }
            Flag::Get => self.get = true,
            Flag::Head => self.head = true,
            Flag::User => self.user(given)?,
            Flag::Bearer => self.set("Authorization", format!("{BEARER}{}", self.text(given)?), given)?,
            Flag::UserAgent => self.set("User-Agent", self.text(given)?, given)?,
            Flag::Referer => self.set("Referer", self.text(given)?.replace(";auto", ""), given)?,
            Flag::Cookie => self.cookie(given)?,
            Flag::Location => self.follows = true,
            Flag::MaxRedirects => self.max_redirects = Some(self.number(given)?),
            Flag::GlobOff => self.globs = false,
            Flag::MaxTime => self.options.max_time = self.seconds(given)?,
            Flag::ConnectTimeout => self.options.connect_timeout = self.seconds(given)?,
            Flag::LeftOut(why) => self.notes.push(format!("`{}` is left out: {why}", given.name)),
            Flag::Next | Flag::Silent => {}
            _ => self.option(given)?,
        }
        Ok(())
    }

    /// How the request is sent.
    fn option(&mut self, given: &Given) -> Result<(), ImportError> {
        let text = self.text(given)?;
        let options = &mut self.options;
        match given.flag {
            Flag::Insecure => options.insecure = true,
            Flag::Http1 => options.http = Some(HttpVersion::Http1),
            Flag::Http2 => options.http = Some(HttpVersion::Http2),
            Flag::Http2PriorKnowledge => options.http = Some(HttpVersion::Http2PriorKnowledge),
            Flag::Proxy => options.proxy = Some(text),
            Flag::UnixSocket => options.unix_socket = Some(text),
            Flag::ConnectTo => options.connect_to.push(text),
            Flag::Resolve => options.resolve.push(text),
            Flag::CaCert => options.cacert = Some(text),
            Flag::Cert => options.cert = Some(text),
            Flag::Key => options.key = Some(text),
            // All others are taken before.
            _ => {}
        }
        Ok(())
    }

    /// The requests, one for each URL, are appended to `imported`.
    pub fn finish(mut self, imported: &mut Imported) -> Result<(), ImportError> {
        if self.urls.is_empty() {
            return Err(self.source.whole("expected a URL, found none: add it, e.g. `curl http://localhost:8080/`"));
        }
        if self.follows {
            self.options.max_redirects = Some(self.max_redirects.unwrap_or(DEFAULT_MAX_REDIRECTS));
        }
        let method = self.effective_method();
        let body = self.body()?;
        headers::drop_derived(&mut self.headers);
        for (written, at) in &self.urls {
            let mut headers = self.headers.clone();
            self.check_glob(written, *at)?;
            let query = self.data.as_ref().filter(|_| self.get).map(|data| String::from_utf8_lossy(&data.bytes));
            let before_fragment = written.split('#').next().unwrap_or_default();
            let written = target::with_query(before_fragment, &query.unwrap_or_default());
            let url = target::absolute(&written, &mut headers).map_err(|why| self.source.error(*at, why))?;
            let url = if self.upload_path.is_empty() { url } else { target::with_file(&url, &self.upload_path) };
            let name = target::name(&method, &url);
            imported.requests.push(ImportedRequest {
                name,
                method: method.clone(),
                url,
                headers,
                body: body.clone(),
                pause: None,
            });
        }
        if imported.requests.len() > self.urls.len() && imported.options != self.options {
            imported.notes.push("options of one part of several apply to all of them: a load has one set".to_owned());
        }
        imported.options.merge(self.options);
        let always = |name: &&String| ["Accept", "User-Agent"].iter().any(|it| name.eq_ignore_ascii_case(it));
        let kept = self.removed.iter().filter(always);
        self.notes.extend(kept.map(|name| format!("`-H '{name}:'` is left out: {name} is sent in any case")));
        imported.notes.extend(self.notes);
        Ok(())
    }

    fn effective_method(&self) -> String {
        let has_body = self.data.is_some() || !self.parts.is_empty();
        let implied = if self.head {
            "HEAD"
        } else if self.upload.is_some() {
            "PUT"
        } else if has_body && !self.get {
            "POST"
        } else {
            "GET"
        };
        self.method.clone().unwrap_or_else(|| implied.to_owned())
    }

    /// The body; it sets its `Content-Type`.
    fn body(&mut self) -> Result<Vec<u8>, ImportError> {
        let kinds = [self.data.is_some() && !self.get, !self.parts.is_empty(), self.upload.is_some()];
        if kinds.iter().filter(|is_there| **is_there).count() > 1 {
            return Err(self.source.whole("expected one kind of body, found several of -d, -F and -T: keep one"));
        }
        if !self.parts.is_empty() {
            let (content_type, body) = multipart::encode(&self.parts);
            // The boundary has to be the one that is used.
            self.headers.retain(|(name, _)| !name.eq_ignore_ascii_case("Content-Type"));
            self.headers.push(("Content-Type".to_owned(), content_type));
            return Ok(body);
        }
        if let Some(data) = self.data.as_ref().filter(|_| !self.get) {
            let content_type = if data.is_json { "application/json" } else { FORM };
            if data.is_json {
                headers::set_default(&mut self.headers, "Accept", "application/json");
            }
            if !self.removed.iter().any(|name| name.eq_ignore_ascii_case("Content-Type")) {
                headers::set_default(&mut self.headers, "Content-Type", content_type);
            }
            return Ok(data.bytes.clone());
        }
        Ok(self.upload.take().unwrap_or_default())
    }

    /// `Name: value`; `Name;` is empty, `Name:` is not sent, `@file` holds one a line.
    fn header(&mut self, given: &Given) -> Result<(), ImportError> {
        let text = self.text(given)?;
        if let Some(path) = text.strip_prefix('@') {
            let content = self.file(given, path)?;
            let lines = String::from_utf8_lossy(&content).into_owned();
            return lines
                .lines()
                .filter(|line| !line.trim().is_empty())
                .try_for_each(|line| self.header_line(given, line));
        }
        self.header_line(given, &text)
    }

    fn header_line(&mut self, given: &Given, line: &str) -> Result<(), ImportError> {
        if let Some(name) = line.strip_suffix(';').filter(|name| !name.contains(':')) {
            return self.add_header(name, String::new(), given);
        }
        let Some((name, value)) = line.split_once(':') else {
            let message = format!("expected `Name: value` after `{}`, found `{line}`", given.name);
            return Err(self.source.error(given.value.at, message));
        };
        if value.trim().is_empty() {
            self.removed.push(name.trim().to_owned());
            return Ok(());
        }
        self.add_header(name.trim(), value.trim().to_owned(), given)
    }

    /// Sets a header by an option of its own: the last of several wins, and a header by `-H` wins over all of them.
    fn set(&mut self, name: &'static str, value: String, given: &Given) -> Result<(), ImportError> {
        if !self.take_back(name) && headers::find(&self.headers, name).is_some() {
            return Ok(());
        }
        self.by_option.push(name);
        self.push_header(name, value, given)
    }

    /// Adds a header by `-H`.
    fn add_header(&mut self, name: &str, value: String, given: &Given) -> Result<(), ImportError> {
        self.take_back(name);
        self.push_header(name, value, given)
    }

    /// Removes the header that an option of its own has set; whether there was one.
    fn take_back(&mut self, name: &str) -> bool {
        let Some(at) = self.by_option.iter().position(|own| own.eq_ignore_ascii_case(name)) else { return false };
        self.by_option.swap_remove(at);
        self.headers.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        true
    }

    fn push_header(&mut self, name: &str, value: String, given: &Given) -> Result<(), ImportError> {
        headers::check(name, &value).map_err(|why| self.source.error(given.value.at, why))?;
        self.headers.push((name.to_owned(), value));
        Ok(())
    }

    fn cookie(&mut self, given: &Given) -> Result<(), ImportError> {
        let text = self.text(given)?;
        if !text.contains('=') {
            let message =
                format!("`{} {text}` names a file of cookies: give the cookies, `-b 'name=value'`", given.name);
            return Err(self.source.error(given.value.at, message));
        }
        match self.headers.iter_mut().find(|(name, _)| name.eq_ignore_ascii_case("Cookie")) {
            // A header by `-H` stands in place of all cookies.
            Some((_, cookies)) if self.by_option.contains(&"Cookie") => cookies.push_str(&format!("; {text}")),
            Some(_) => {}
            None => self.set("Cookie", text, given)?,
        }
        Ok(())
    }

    fn user(&mut self, given: &Given) -> Result<(), ImportError> {
        let text = self.text(given)?;
        let Some((user, password)) = text.split_once(':') else {
            let message = format!("expected `{} user:password`, found no password: add it", given.name);
            return Err(self.source.error(given.value.at, message));
        };
        // curl prefers the token, whichever comes first.
        if self.by_option.contains(&"Authorization")
            && headers::find(&self.headers, "Authorization").is_some_and(|value| value.starts_with(BEARER))
        {
            return Ok(());
        }
        self.set("Authorization", headers::basic(user, password), given)
    }

    fn add_data(&mut self, given: &Given) -> Result<(), ImportError> {
        let bytes = data::read(given.flag, &given.value.bytes, &|path| self.file(given, path))
            .map_err(|error| error.unwrap_or_else(|| self.not_text(given)))?;
        let data = self.data.get_or_insert_default();
        data.add(given.flag, &bytes);
        Ok(())
    }

    fn add_part(&mut self, given: &Given) -> Result<(), ImportError> {
        let text = self.text(given)?;
        let Some((name, value)) = text.split_once('=') else {
            let message = format!("expected `{} name=value`, found `{text}`", given.name);
            return Err(self.source.error(given.value.at, message));
        };
        let part = match given.flag {
            Flag::FormString => Part { name: name.to_owned(), content: value.into(), ..Part::default() },
            _ => {
                if let Some(key) = data::unsupported(value) {
                    let message = format!("`;{key}=` of a part cannot be sent: leave it out, or send the part encoded");
                    return Err(self.source.error(given.value.at, message));
                }
                data::part(name, value, &|path| self.file(given, path))?
            }
        };
        self.parts.push(part);
        Ok(())
    }

    /// curl makes several requests of `{a,b}` and `[1-9]`.
    fn check_glob(&self, url: &str, at: usize) -> Result<(), ImportError> {
        let url = url.replace("{{", "").replace("}}", "");
        let is_set = url.split('{').skip(1).any(|rest| rest.split('}').next().is_some_and(|set| set.contains(',')));
        let is_range = url.split('[').skip(1).any(|rest| {
            let range = rest.split(']').next().unwrap_or_default();
            range.contains('-') && !range.contains(':')
        });
        if self.globs && (is_set || is_range) {
            let message = "curl makes several requests of `{a,b}` and `[1-9]`: write the URLs one by one, \
                           or add -g if it is one URL";
            return Err(self.source.error(at, message));
        }
        Ok(())
    }

    fn method_of(&self, given: &Given) -> Result<String, ImportError> {
        let text = self.text(given)?;
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_') {
            let message = format!("expected a method such as GET or POST after `{}`, found `{text}`", given.name);
            return Err(self.source.error(given.value.at, message));
        }
        Ok(text.to_ascii_uppercase())
    }

    fn file(&self, given: &Given, path: &str) -> Result<Vec<u8>, ImportError> {
        if path == "-" {
            let message = format!("`{}` reads what is typed: give the text, or `@` and a file", given.name);
            return Err(self.source.error(given.value.at, message));
        }
        (self.files)(path).map_err(|why| {
            self.source.error(given.value.at, format!("`{}` names the file `{path}`: {why}", given.name))
        })
    }

    fn text(&self, given: &Given) -> Result<String, ImportError> {
        String::from_utf8(given.value.bytes.clone()).map_err(|_| self.not_text(given))
    }

    fn not_text(&self, given: &Given) -> ImportError {
        let message = format!("expected text in UTF-8 for {}, found other bytes", given.name);
        self.source.error(given.value.at, message)
    }

    fn number(&self, given: &Given) -> Result<u32, ImportError> {
        let text = self.text(given)?;
        text.parse().map_err(|_| {
            let message = format!("expected a whole number from 0 after `{}`, found `{text}`", given.name);
            self.source.error(given.value.at, message)
        })
    }

    /// None for 0, which is curl's word for "no limit".
    fn seconds(&self, given: &Given) -> Result<Option<Nanos>, ImportError> {
        const MOST_S: f64 = 30.0 * 86_400.0;
        let text = self.text(given)?;
        match text.parse::<f64>() {
            Ok(0.0) => Ok(None),
            Ok(seconds) if seconds > 0.0 && seconds <= MOST_S => Ok(Some(Nanos::from_secs_f64(seconds))),
            _ => {
                let message = format!("expected seconds after `{}`, e.g. 2.5, found `{text}`", given.name);
                Err(self.source.error(given.value.at, message))
            }
        }
    }
}
