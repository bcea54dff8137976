//! A JVM that is asked for its own MBeans.

use std::{io::Read, process::Child};

use tempfile::TempDir;

use super::*;
use crate::jdk::{Jdks, Places};

/// A JVM that waits for its input to end.
const WAITS: &str = "class Waits { public static void main(String[] a) throws Exception \
                     { System.out.write('r'); System.out.flush(); System.in.read(); } }";

struct Jvm(Child, #[expect(dead_code, reason = "its program is there until it ends")] TempDir);

impl Drop for Jvm {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// None where there is no JDK.
fn started() -> Option<(Jvm, Asked)> {
    let java = Jdks::find(&Places::from_environment()).choose(None).map(|jdk| jdk.program("java"));
    let Ok(program) = &java else {
        eprintln!("skipped: no JDK");
        return None;
    };
    let folder = tempfile::tempdir().expect("a directory");
    let file = folder.path().join("Waits.java");
    std::fs::write(&file, WAITS).expect("written");
    let mut process = command(program, &file).spawn().expect("java starts");
    let mut ready = [0];
    process.stdout.as_mut().expect("a pipe").read_exact(&mut ready).expect("it runs");
    let pids = vec![i32::try_from(process.id()).expect("a pid fits")];
    Some((Jvm(process, folder), Asked { pids, java }))
}

fn attributes(texts: &[&str]) -> Vec<Attribute> {
    texts.iter().map(|text| Attribute::parse(text).expect("an attribute")).collect()
}

/// Its answer, however long its JVM takes to start on a busy machine.
fn heard(helper: &mut Helper) -> Result<Vec<Option<f64>>, String> {
    let begun = Instant::now();
    loop {
        match helper.read(&AtomicBool::new(false)) {
            Err(why) if why.starts_with("JMX: no answer") && begun.elapsed() < Duration::from_mins(3) => {}
            answer => return answer,
        }
    }
}

#[test]
fn attributes_of_a_jvm_are_read_again_and_again() {
    let Some((jvm, asked)) = started() else { return };
    let wanted = attributes(&[
        "java.lang:type=Threading/ThreadCount",
        "java.lang:type=Memory/HeapMemoryUsage.used",
        "java.lang:type=MemoryPool,name=*/Usage.used",
        "java.lang:type=Memory/Verbose",
        "java.lang:type=Memory/HeapMemoryUsage.none",
        "java.lang:type=Memory/NoSuchAttribute",
        "no.such:type=Thing/Count",
    ]);
    let mut helper = Helper::start(&asked, &wanted).expect("a helper");
    for _ in 0..2 {
        let values = heard(&mut helper).expect("an answer");
        let [threads, heap, pools, verbose, missing @ ..] = values.as_slice() else { panic!("{values:?}") };
        assert!(threads >= &Some(2.0), "{values:?}");
        assert!(pools > heap, "pools beside the heap are among them: {values:?}");
        assert_eq!((*verbose, missing), (Some(0.0), &[None, None, None][..]));
    }
    drop(jvm);
    let why = helper.read(&AtomicBool::new(false)).expect_err("it is gone");
    assert!(why.contains("JMX"), "{why}");
}

#[test]
fn a_name_that_is_none_is_said_to_be_so() {
    let Some((_jvm, asked)) = started() else { return };
    let mut helper = Helper::start(&asked, &attributes(&["java.lang:type=a,type=b/Count"])).expect("a helper");
    let why = heard(&mut helper).expect_err("twice the same key");
    assert!(why.starts_with("JMX: ") || why.contains("has ended: "), "{why}");
    assert!(why.contains("type"), "the JDK's own words: {why}");
}

#[test]
fn without_a_jvm_or_a_jdk_there_is_no_helper() {
    let asked = |java| Asked { pids: Vec::new(), java };
    let of = |java| Helper::start(&asked(java), &[]).expect_err("nothing to ask");
    assert_eq!(of(Err("no JDK found".to_owned())), "no JDK found");
    assert!(of(Ok("java".into())).starts_with("JMX: expected a JVM"));
}
