//! The frameworks that services are made with, as far as launching them differs.

use plimsoll_text::joined;

/// A framework of services.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framework {
    /// Spring Boot, with whatever server.
    SpringBoot,
    /// Quarkus.
    Quarkus,
    /// Micronaut.
    Micronaut,
    /// Helidon, SE or MP.
    Helidon,
    /// None of these.
    Plain,
}

/// How properties of a program are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// `--name=value`, after the jar.
    AsArguments,
    /// `-Dname=value`, before the jar.
    AsSystemProperties,
}

impl Framework {
    /// As people call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SpringBoot => "Spring Boot",
            Self::Quarkus => "Quarkus",
            Self::Micronaut => "Micronaut",
            Self::Helidon => "Helidon",
            Self::Plain => "plain Java",
        }
    }

    /// The properties of the address and of the port that it listens on.
    pub const fn address_properties(self) -> Option<[&'static str; 2]> {
        match self {
            Self::SpringBoot => Some(["server.address", "server.port"]),
            Self::Quarkus => Some(["quarkus.http.host", "quarkus.http.port"]),
            Self::Micronaut => Some(["micronaut.server.host", "micronaut.server.port"]),
            Self::Helidon => Some(["server.host", "server.port"]),
            Self::Plain => None,
        }
    }

    /// How its properties are given.
    pub const fn given(self) -> Given {
        match self {
            Self::SpringBoot => Given::AsArguments,
            _ => Given::AsSystemProperties,
        }
    }

    /// Why `threads` of a variant cannot choose its threads, and what can.
    pub const fn own_threads(self) -> &'static str {
        match self {
            Self::SpringBoot => "needs Spring Boot 3.2 or newer",
            Self::Quarkus => {
                "Quarkus has no such setting: it runs a method in a virtual thread where that is annotated with \
                 @RunOnVirtualThread; build both and compare them by `build` and `revisions`"
            }
            Self::Micronaut => {
                "Micronaut has no such setting: a method runs where @ExecuteOn says, e.g. TaskExecutors.VIRTUAL; set \
                 its own properties, or build both and compare them by `build` and `revisions`"
            }
            Self::Helidon => "Helidon 4 serves every request in a virtual thread, and older ones in none",
            Self::Plain => {
                "the program has no framework that is known here: give it settings of its own by `properties`, `env` \
                 or `arguments`"
            }
        }
    }
}

/// The frameworks that are known, for people.
pub fn known() -> String {
    let known = [Framework::SpringBoot, Framework::Quarkus, Framework::Micronaut, Framework::Helidon];
    joined(&known.map(Framework::name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_but_plain_programs_can_be_told_their_address() {
        assert_eq!(Framework::Plain.address_properties(), None);
        assert_eq!(Framework::Quarkus.address_properties(), Some(["quarkus.http.host", "quarkus.http.port"]));
        assert_eq!(known(), "Spring Boot, Quarkus, Micronaut and Helidon");
    }
}
