//! A program on a terminal.

use std::{
    fs::{File, OpenOptions},
    io::Read,
    process::{Command, Stdio},
    thread,
};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// Everything that the program shows on its terminal.
pub fn shown_by(mut command: Command) -> String {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
    let inside = OpenOptions::new().read(true).write(true).open(name).unwrap();
    let mut child = command.env("TERM", "xterm").stdout(Stdio::null()).stderr(inside).spawn().unwrap();
    drop(command);
    let reader = thread::spawn(move || {
        let (mut shown, mut buffer) = (Vec::new(), [0; 4_096]);
        // The end of a terminal is an error.
        while let Ok(length @ 1..) = File::from(terminal.try_clone().unwrap()).read(&mut buffer) {
            shown.extend_from_slice(&buffer[..length]);
        }
        String::from_utf8_lossy(&shown).into_owned()
    });
    child.wait().unwrap();
    reader.join().unwrap()
}
