//! A class as it lies in a jar (JVM Specification, chapter 4): its texts, and the annotations of it and of its methods,
//! as far as their elements are texts.

/// Deepest nesting of annotations and arrays that is read; programs have less.
const DEPTH_MOST: u32 = 8;

/// Parts of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Class {
    /// Texts of its constant pool.
    pub texts: Vec<String>,
    /// Its own annotations.
    pub annotations: Vec<Annotation>,
    /// The annotations of each of its methods.
    pub methods: Vec<Vec<Annotation>>,
}

/// An annotation that is kept at run time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotation {
    /// Its class as a path: `jakarta/ws/rs/Path`.
    pub name: String,
    /// Texts, each with the name of its element; several with the same name for an array.
    pub texts: Vec<(String, String)>,
}

impl Class {
    /// Reads as much as there is: bytes that are cut off, or are no class, give fewer parts.
    pub fn of(bytes: &[u8]) -> Self {
        let mut class = Self::default();
        let mut bytes = Bytes(bytes);
        if let Some(pool) = class.pool(&mut bytes) {
            // Annotations that cannot be read are left out.
            let _ = class.members(&mut bytes, &pool);
        }
        class
    }

    /// The texts of the constant pool, each at its index.
    fn pool(&mut self, bytes: &mut Bytes<'_>) -> Option<Vec<Option<String>>> {
        if bytes.take(4)? != [0xca, 0xfe, 0xba, 0xbe] {
            return None;
        }
        // Minor and major version.
        bytes.take(4)?;
        let count = bytes.number()?;
        let mut pool: Vec<Option<String>> = vec![None];
        while pool.len() < count {
            let mut text = None;
            match bytes.byte()? {
                1 => {
                    let length = bytes.number()?;
                    text = std::str::from_utf8(bytes.take(length)?).ok().map(str::to_owned);
                    self.texts.extend(text.clone());
                }
                7 | 8 | 16 | 19 | 20 => drop(bytes.take(2)?),
                15 => drop(bytes.take(3)?),
                3 | 4 | 9..=12 | 17 | 18 => drop(bytes.take(4)?),
                // These take two places in the pool.
                5 | 6 => {
                    bytes.take(8)?;
                    pool.push(None);
                }
                _ => return None,
            }
            pool.push(text);
        }
        Some(pool)
    }

    fn members(&mut self, bytes: &mut Bytes<'_>, pool: &[Option<String>]) -> Option<()> {
        // Access flags, this class, its superclass.
        bytes.take(6)?;
        let interfaces = bytes.number()?;
        bytes.take(2 * interfaces)?;
        // Fields.
        for _ in 0..bytes.number()? {
            bytes.take(6)?;
            annotations(bytes, pool)?;
        }
        for _ in 0..bytes.number()? {
            bytes.take(6)?;
            self.methods.push(annotations(bytes, pool)?);
        }
        self.annotations = annotations(bytes, pool)?;
        Some(())
    }
}

/// Annotations among attributes.
fn annotations(bytes: &mut Bytes<'_>, pool: &[Option<String>]) -> Option<Vec<Annotation>> {
    let mut found = Vec::new();
    for _ in 0..bytes.number()? {
        let name = text(pool, bytes.number()?);
        let length = bytes.take(4)?.iter().fold(0, |length, &byte| length << 8 | usize::from(byte));
        let mut within = Bytes(bytes.take(length)?);
        if name == Some("RuntimeVisibleAnnotations") {
            for _ in 0..within.number()? {
                found.push(annotation(&mut within, pool, DEPTH_MOST)?);
            }
        }
    }
    Some(found)
}

fn annotation(bytes: &mut Bytes<'_>, pool: &[Option<String>], depth: u32) -> Option<Annotation> {
    let descriptor = text(pool, bytes.number()?).unwrap_or_default();
    let name = descriptor.strip_prefix('L').and_then(|rest| rest.strip_suffix(';')).unwrap_or_default().to_owned();
    let mut texts = Vec::new();
    for _ in 0..bytes.number()? {
        let element = text(pool, bytes.number()?).unwrap_or_default();
        let mut of_element = Vec::new();
        value(bytes, pool, depth, &mut of_element)?;
        texts.extend(of_element.into_iter().map(|text| (element.to_owned(), text)));
    }
    Some(Annotation { name, texts })
}

/// The texts of an element's value.
fn value(bytes: &mut Bytes<'_>, pool: &[Option<String>], depth: u32, texts: &mut Vec<String>) -> Option<()> {
    let depth = depth.checked_sub(1)?;
    match bytes.byte()? {
        b's' => texts.extend(text(pool, bytes.number()?).map(str::to_owned)),
        b'e' => drop(bytes.take(4)?),
        b'@' => drop(annotation(bytes, pool, depth)?),
        b'[' => {
            for _ in 0..bytes.number()? {
                value(bytes, pool, depth, texts)?;
            }
        }
        // A number, a truth value, a class.
        _ => drop(bytes.take(2)?),
    }
    Some(())
}

fn text(pool: &[Option<String>], index: usize) -> Option<&str> {
    pool.get(index)?.as_deref()
}

/// Bytes that are left to read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    /// A number of two bytes.
    fn number(&mut self) -> Option<usize> {
        self.take(2).map(|bytes| usize::from(bytes[0]) << 8 | usize::from(bytes[1]))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// An annotation by its descriptor, with the texts of its elements.
    pub type Written<'a> = (&'a str, &'a [(&'a str, &'a [&'a str])]);

    /// A class with these texts and annotations, and a method for each of `methods`. A long is in its pool, and a field
    /// without annotations.
    pub fn class(texts: &[&str], own: &[Written<'_>], methods: &[&[Written<'_>]]) -> Vec<u8> {
        let mut pool = Pool::default();
        for text in texts {
            pool.text(text);
        }
        let mut members = vec![0, 33, 0, 0, 0, 0, 0, 0];
        members.extend([0, 1, 0, 2, 0, 0, 0, 0, 0, 0]);
        members.extend((methods.len() as u16).to_be_bytes());
        for annotations in methods {
            members.extend([0, 1, 0, 0, 0, 0]);
            pool.attributes(annotations, &mut members);
        }
        pool.attributes(own, &mut members);
        let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 65];
        bytes.extend((pool.count + 3).to_be_bytes());
        bytes.extend(pool.bytes);
        bytes.extend([5, 0, 0, 0, 0, 0, 0, 0, 9]);
        bytes.extend(members);
        bytes
    }

    #[derive(Default)]
    struct Pool {
        count: u16,
        bytes: Vec<u8>,
    }

    impl Pool {
        /// Adds a text, and tells its index.
        fn text(&mut self, text: &str) -> [u8; 2] {
            self.bytes.push(1);
            self.bytes.extend((text.len() as u16).to_be_bytes());
            self.bytes.extend(text.as_bytes());
            self.count += 1;
            self.count.to_be_bytes()
        }

        /// An attribute of another kind, then the annotations.
        fn attributes(&mut self, annotations: &[Written<'_>], into: &mut Vec<u8>) {
            let mut within = (annotations.len() as u16).to_be_bytes().to_vec();
            for (descriptor, elements) in annotations {
                within.extend(self.text(descriptor));
                // One more: a number, and an annotation with a text of its own.
                within.extend((elements.len() as u16 + 2).to_be_bytes());
                within.extend(self.text("priority"));
                within.extend([b'I', 0, 1]);
                within.extend(self.text("within"));
                within.push(b'@');
                within.extend(self.text("Lapp/Within;"));
                within.extend([0, 1]);
                within.extend(self.text("value"));
                within.push(b's');
                within.extend(self.text("not-this-one"));
                for (name, texts) in *elements {
                    within.extend(self.text(name));
                    if texts.len() != 1 {
                        within.push(b'[');
                        within.extend((texts.len() as u16).to_be_bytes());
                    }
                    for text in *texts {
                        within.push(b's');
                        within.extend(self.text(text));
                    }
                }
            }
            into.extend([0, 2]);
            into.extend(self.text("Signature"));
            into.extend([0, 0, 0, 2, 0, 1]);
            into.extend(self.text("RuntimeVisibleAnnotations"));
            into.extend((within.len() as u32).to_be_bytes());
            into.extend(within);
        }
    }

    #[test]
    fn annotations_are_read_with_their_texts() {
        let bytes =
            class(&["/items"], &[("La/B;", &[("value", &["one"])])], &[&[], &[("Lc/D;", &[("path", &["x", "y"])])]]);
        let read = Class::of(&bytes);
        let texts = |all: &[(&str, &str)]| all.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        assert!(read.texts.contains(&"/items".to_owned()));
        assert_eq!(read.annotations, [Annotation { name: "a/B".to_owned(), texts: texts(&[("value", "one")]) }]);
        let of_method = Annotation { name: "c/D".to_owned(), texts: texts(&[("path", "x"), ("path", "y")]) };
        assert_eq!(read.methods, [vec![], vec![of_method]]);
    }

    #[test]
    fn a_class_that_is_cut_off_tells_what_it_has() {
        let bytes = class(&["/items"], &[("La/B;", &[("value", &["one"])])], &[]);
        let read: Vec<Class> = (0..bytes.len()).map(|length| Class::of(&bytes[..length])).collect();
        assert!(read.iter().all(|class| class.annotations.is_empty()));
        assert_eq!(read[bytes.len() - 1].texts, Class::of(&bytes).texts);
        assert_eq!(Class::of(b"no class"), Class::default());
    }

    /// An array in an array in an array: neither an annotation nor the stack of this program may be that deep.
    #[test]
    fn depth_is_bounded() {
        let mut within = vec![0, 1, 0, 1, 0, 1, 0, 1];
        within.extend([b'[', 0, 1].repeat(100_000));
        assert_eq!(annotation(&mut Bytes(&within[2..]), &[], DEPTH_MOST), None);
    }
}
