//! The ways in which a subject is packaged.

/// How a subject is packaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Packaging {
    /// Spring Boot's executable jar: `java -jar app.jar`.
    Jar,
    /// The jar extracted by `-Djarmode=tools … extract`.
    Extracted,
    /// Extracted, with a class-data-sharing archive of a training run (`-XX:SharedArchiveFile`).
    Cds,
    /// Extracted, with the ahead-of-time cache of a training run (`-XX:AOTCache`, JDK 24 or newer).
    AotCache,
    /// A native image made by GraalVM.
    Native,
}

impl Packaging {
    /// As it is in experiment files.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Jar => "jar",
            Self::Extracted => "extracted",
            Self::Cds => "cds",
            Self::AotCache => "aot-cache",
            Self::Native => "native",
        }
    }
}
