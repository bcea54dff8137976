//! Places of a request's fields in an experiment file.

use plimsoll_drive::script::Field;

use crate::file::errors::Place;

/// Where a step's fields are.
pub(super) struct StepPlaces {
    pub section: Place,
    pub url: Place,
    pub headers: Vec<Place>,
    pub body: Place,
    pub auth: Place,
    pub captures: Vec<Place>,
    pub checks: Vec<Place>,
}

impl StepPlaces {
    /// All where the request itself is.
    pub fn all_at(place: &Place) -> Self {
        let [section, url, body, auth] = [(); 4].map(|()| place.clone());
        Self { section, url, headers: Vec::new(), body, auth, captures: Vec::new(), checks: Vec::new() }
    }

    pub fn of(&self, field: Field) -> &Place {
        match field {
            Field::Url => &self.url,
            Field::Header(index) => &self.headers[index],
            Field::Body => &self.body,
            Field::Auth => &self.auth,
            Field::Capture(index) => &self.captures[index],
            Field::Check(index) => &self.checks[index],
        }
    }
}
