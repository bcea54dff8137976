//! A jar as it lies on disk: its manifest, the names of its entries, and a digest of all that it runs.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipArchiveEntryWayfinder};
use sha2::{Digest, Sha256};

use super::base_path;

const MANIFEST: &str = "META-INF/MANIFEST.MF";
/// Jars of services have some ten thousand entries.
const ENTRIES_MOST: usize = 500_000;
/// A text in a jar that is longer is no manifest and no `pom.properties`.
const TEXT_BYTES_MAX: u64 = 1 << 20;
/// Libraries whose versions are read.
const TEXTS_MOST: usize = 5_000;
/// Files that a jar may run beside itself.
const FILES_MOST: usize = 50_000;

/// A jar by its own account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Jar {
    manifest: BTreeMap<String, String>,
    names: Vec<String>,
    /// Versions by artifact, from Maven's descriptions that shaded jars keep.
    versions: BTreeMap<String, String>,
    /// The path below which all others are, by its own settings.
    base_path: Option<String>,
}

impl Jar {
    /// Reads the jar at `path`.
    ///
    /// # Errors
    /// Why it cannot be read, or is no jar.
    pub fn read(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let file = File::open(path).map_err(|error| format!("the jar {shown} cannot be read: {error}"))?;
        read(file).map_err(|error| format!("{shown} is no jar: expected a zip archive, found {error}"))
    }

    /// An attribute of the manifest's main section.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.manifest.get(name).map(String::as_str)
    }

    /// Paths of its entries.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Whether it has an entry of this path, or a folder of it.
    pub fn has(&self, path: &str) -> bool {
        self.names().any(|name| name.starts_with(path))
    }

    /// The version of an artifact of Maven whose classes were put into this jar.
    pub fn version_of(&self, artifact: &str) -> Option<&str> {
        self.versions.get(artifact).map(String::as_str)
    }

    /// The path below which its service has all of its paths, as far as its own settings say.
    pub fn base_path(&self) -> Option<&str> {
        self.base_path.as_deref()
    }

    /// The jars that the manifest names, as it names them.
    pub fn class_path(&self) -> impl Iterator<Item = &str> {
        self.attribute("Class-Path").unwrap_or_default().split_whitespace()
    }
}

fn read(file: File) -> Result<Jar, rawzip::Error> {
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_file(file, &mut buffer)?;
    let mut jar = Jar::default();
    let mut texts = Vec::new();
    let mut entries = archive.entries(&mut buffer);
    while let Some(entry) = entries.next_entry()?.filter(|_| jar.names.len() < ENTRIES_MOST) {
        let name = String::from_utf8_lossy(entry.file_path().as_bytes()).into_owned();
        let is_read = name == MANIFEST || base_path::is_settings(&name) || artifact(&name).is_some();
        if is_read && texts.len() < TEXTS_MOST {
            texts.push((name.clone(), entry.wayfinder(), entry.compression_method()));
        }
        jar.names.push(name);
    }
    for (name, at, compression) in texts {
        let Ok(bytes) = bytes(&archive, at, compression) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        match artifact(&name) {
            Some(artifact) => jar.versions.extend(version(&text, artifact).map(|it| (artifact.to_owned(), it))),
            None if name == MANIFEST => jar.manifest = attributes(&text),
            None => jar.base_path = jar.base_path.or_else(|| base_path::of(&text)),
        }
    }
    Ok(jar)
}

fn bytes(
    archive: &ZipArchive<rawzip::FileReader>,
    at: ZipArchiveEntryWayfinder,
    how: CompressionMethod,
) -> io::Result<Vec<u8>> {
    let entry = archive.get_entry(at).map_err(io::Error::other)?;
    let mut bytes = Vec::new();
    match how {
        CompressionMethod::STORE => entry.reader().take(TEXT_BYTES_MAX).read_to_end(&mut bytes)?,
        CompressionMethod::DEFLATE => {
            DeflateDecoder::new(entry.reader()).take(TEXT_BYTES_MAX).read_to_end(&mut bytes)?
        }
        other => return Err(io::Error::other(format!("{other:?}"))),
    };
    Ok(bytes)
}

/// Hands the classes whose path `is_wanted` to `take`, one by one. One that cannot be read is left out, as is the rest
/// of a jar that is broken.
pub fn classes(path: &Path, is_wanted: &mut dyn FnMut(&str) -> bool, take: &mut dyn FnMut(&[u8])) {
    // Classes that were handed over before an error are of use.
    let _ = File::open(path).map(|file| classes_in(file, is_wanted, take));
}

fn classes_in(
    file: File,
    is_wanted: &mut dyn FnMut(&str) -> bool,
    take: &mut dyn FnMut(&[u8]),
) -> Result<(), rawzip::Error> {
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_file(file, &mut buffer)?;
    let mut wanted = Vec::new();
    let mut entries = archive.entries(&mut buffer);
    while let Some(entry) = entries.next_entry()? {
        let name = String::from_utf8_lossy(entry.file_path().as_bytes()).into_owned();
        if name.ends_with(".class") && is_wanted(&name) {
            wanted.push((entry.wayfinder(), entry.compression_method()));
        }
    }
    for (at, compression) in wanted {
        if let Ok(bytes) = bytes(&archive, at, compression) {
            take(&bytes);
        }
    }
    Ok(())
}

/// The artifact that `META-INF/maven/GROUP/ARTIFACT/pom.properties` is about, or a `pom.xml` there: builds by Gradle
/// leave only that.
fn artifact(name: &str) -> Option<&str> {
    let within = name.strip_prefix("META-INF/maven/")?;
    let folder = within.strip_suffix("/pom.properties").or_else(|| within.strip_suffix("/pom.xml"))?;
    folder.rsplit_once('/').map(|(_, artifact)| artifact)
}

/// The version of `artifact` by either file.
fn version(text: &str, artifact: &str) -> Option<String> {
    let of_properties = || text.lines().find_map(|line| line.strip_prefix("version=")).map(str::trim);
    let of_pom = || {
        let (_, after) = text.split_once(&format!("<artifactId>{artifact}</artifactId>"))?;
        Some(after.trim_start().strip_prefix("<version>")?.split_once("</version>")?.0)
    };
    of_properties().or_else(of_pom).map(str::to_owned)
}

/// The main section: lines are at most 72 bytes long, and go on after a line break and a space (JAR File
/// Specification).
fn attributes(manifest: &str) -> BTreeMap<String, String> {
    let unfolded = manifest.replace("\r\n", "\n").replace("\n ", "");
    let main = unfolded.lines().take_while(|line| !line.is_empty());
    main.filter_map(|line| line.split_once(": ")).map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// Length and SHA-256 of all that a jar runs: itself and `beside`, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// Sum over all files.
    pub bytes: u64,
    /// In hexadecimal digits.
    pub sha256: String,
}

impl Content {
    /// Reads all of it.
    ///
    /// # Errors
    /// The file that cannot be read, and why.
    pub fn read(jar: &Path, beside: &[PathBuf]) -> Result<Self, String> {
        let (mut digest, mut bytes) = (Sha256::new(), 0);
        for path in std::iter::once(jar).chain(beside.iter().map(PathBuf::as_path)) {
            let added = File::open(path).and_then(|file| add(file, &mut digest));
            bytes += added.map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        }
        let sha256 = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { bytes, sha256 })
    }
}

/// Adds a file to the digest; its length.
fn add(mut file: File, digest: &mut Sha256) -> io::Result<u64> {
    let (mut buffer, mut bytes) = (vec![0; 1 << 16], 0);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(bytes),
            length => {
                digest.update(&buffer[..length]);
                bytes += length as u64;
            }
        }
    }
}

/// All files below `folder` but `but`, in order.
pub fn files_below(folder: &Path, but: &Path) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(path),
                Ok(_) if path != but && files.len() < FILES_MOST => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    files
}

#[cfg(test)]
pub mod tests {
    use std::io::Write;

    use flate2::{Compression, write::DeflateEncoder};
    use rawzip::ZipArchiveWriter;

    use super::*;

    /// Writes a jar with these entries, each deflated.
    pub fn write_jar<T: AsRef<[u8]>>(path: &Path, entries: &[(&str, T)]) {
        let mut jar = ZipArchiveWriter::new(File::create(path).unwrap());
        for (name, text) in entries {
            let file = jar.new_file(name).compression_method(CompressionMethod::DEFLATE);
            let (mut entry, config) = file.start().unwrap();
            let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::default()));
            writer.write_all(text.as_ref()).unwrap();
            let (encoder, descriptor) = writer.finish().unwrap();
            encoder.finish().unwrap();
            entry.finish(descriptor).unwrap();
        }
        jar.finish().unwrap();
    }

    #[test]
    fn a_manifest_is_read_with_its_long_lines_and_without_its_other_sections() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("app.jar");
        let manifest = "Manifest-Version: 1.0\r\nMain-Class: org.acme.Ma\r\n in\r\nClass-Path: lib/a.jar lib/b\r\n .jar\r\n\
                        \r\nName: org/acme/\r\nMain-Class: other\r\n";
        let pom = "groupId=io.quarkus\nversion=3.33.2\n";
        write_jar(&path, &[(MANIFEST, manifest), ("META-INF/maven/io.quarkus/quarkus-core/pom.properties", pom)]);
        let jar = Jar::read(&path).unwrap();
        assert_eq!(jar.attribute("Main-Class"), Some("org.acme.Main"));
        assert_eq!(jar.class_path().collect::<Vec<_>>(), ["lib/a.jar", "lib/b.jar"]);
        assert_eq!(jar.version_of("quarkus-core"), Some("3.33.2"));
        let pom = "<artifactId>micronaut-http</artifactId>\n  <version>4.10.15</version>";
        assert_eq!(version(pom, "micronaut-http").as_deref(), Some("4.10.15"));
        assert!(jar.has("META-INF/maven/io.quarkus/") && !jar.has("BOOT-INF/"));
    }

    #[test]
    fn a_file_that_is_no_jar_is_an_error_that_names_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("app.jar");
        fs::write(&path, "#!/bin/sh\n").unwrap();
        let error = Jar::read(&path).unwrap_err();
        assert!(error.starts_with(&format!("{} is no jar: expected a zip archive, found ", path.display())), "{error}");
        assert!(Jar::read(&dir.path().join("none.jar")).unwrap_err().contains("cannot be read"));
    }

    #[test]
    fn the_digest_is_of_all_files() {
        let dir = tempfile::tempdir().unwrap();
        let [jar, lib] = ["app.jar", "lib.jar"].map(|name| dir.path().join(name));
        fs::write(&jar, "ab").unwrap();
        fs::write(&lib, "c").unwrap();
        let content = Content::read(&jar, &files_below(dir.path(), &jar)).unwrap();
        // `printf abc | sha256sum`.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(content, Content { bytes: 3, sha256: abc.to_owned() });
    }
}
