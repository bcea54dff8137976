//! A made-up checkout with the real wrapper script, on a machine whose tools are made up, too: `PATH` leads to the
//! tools that every system has, and to scripts that write down how they were called.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use tempfile::TempDir;

use crate::plimsoll::{Finished, write_program};

/// Commands that the scripts may take for granted.
const COMMON: &[&str] = &[
    "awk", "bash", "cat", "chmod", "cut", "dirname", "find", "getconf", "grep", "head", "mkdir", "mktemp", "mv",
    "readlink", "rm", "sed", "sh", "sleep", "sort", "tail", "tar", "touch", "tr",
];

/// Builds a program that says how it was called.
const CARGO: &str = r#"
case $1 in
  --version) echo "cargo 1.99.0 (made up)" ;;
  build)
    mkdir -p "$HOME/target/quick"
    printf '#!/bin/sh\necho "plimsoll $*"\n' >"$HOME/target/quick/plimsoll"
    chmod +x "$HOME/target/quick/plimsoll" ;;
esac"#;

/// Makes a jar of each module that is named.
const MAVEN: &str = r#"
while [ "$1" != --projects ]; do shift; done
for module in $(echo "$2" | tr , ' '); do
  mkdir -p "$module/target"
  echo jar >"$module/target/${module##*/}.jar"
done"#;

pub struct Checkout {
    directory: TempDir,
}

impl Checkout {
    /// A checkout on a machine with nothing but the common tools, used by root.
    pub fn bare() -> Self {
        let checkout = Self { directory: tempfile::tempdir().unwrap() };
        let source = Path::new(env!("CARGO_MANIFEST_DIR"));
        for file in ["scripts/toolchain.sh", "scripts/provide.sh", "scripts/build.sh"] {
            checkout.write(file, &fs::read_to_string(source.join(file)).unwrap());
        }
        write_program(&checkout.path("plimsoll"), &fs::read_to_string(source.join("plimsoll")).unwrap());
        checkout.write("Cargo.toml", "rust-version = \"1.93\"\n");
        checkout.write("Cargo.lock", "");
        checkout.write("src/main.rs", "");
        checkout.write("crates/record/src/lib.rs", "");
        checkout.write("java/pom.xml", "<project/>");
        checkout.write("java/subjects/greetings-web/src/main/java/App.java", "class App {}");
        checkout.write("java/subjects/greetings-web/src/test/java/AppTest.java", "class AppTest {}");
        checkout.write("experiment.yaml", "variants:\n  web:\n    subject: greetings-web # Tomcat\n");
        fs::create_dir_all(checkout.path("common")).unwrap();
        link_common_tools(&checkout.path("common"));
        checkout.tool("id", "echo 0");
        checkout
    }

    /// The same with everything that is needed.
    pub fn complete() -> Self {
        let checkout = Self::bare();
        checkout.tool("cargo", CARGO);
        checkout.tool("cc", "");
        checkout.tool("mvn", MAVEN);
        checkout.jdk();
        checkout
    }

    /// Makes the machine a Debian with these packages. Installing one brings its tool.
    pub fn debian(self, packages: &[&str]) -> Self {
        self.write("packages", &packages.join("\n"));
        self.tool("apt-cache", "grep -x \"$2\" \"$HOME/packages\"");
        self.tool(
            "apt-get",
            "case $* in *install*gcc*) cp_tool cc ;; esac\ncase $* in *install*rustup*) cp_tool rustup ;; esac",
        );
        self.hide("cc", "");
        self.hide("rustup", "cp_tool cargo");
        self.hide("cargo", CARGO);
        self
    }

    fn jdk(&self) {
        self.executable("jdk/bin/javac", "");
        self.write("jdk/release", "JAVA_VERSION=\"25.0.1\"\n");
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn executable(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        write_program(&self.path(name), text);
    }

    /// A program on `PATH` that writes down how it is called, and then does this.
    pub fn tool(&self, name: &str, script: &str) {
        self.program(&format!("tools/{name}"), name, script);
    }

    /// One that is on `PATH` once it is installed.
    fn hide(&self, name: &str, script: &str) {
        self.program(&format!("hidden/{name}"), name, script);
    }

    fn program(&self, path: &str, name: &str, script: &str) {
        let install = "cp_tool() { cat \"$HOME/hidden/$1\" >\"$HOME/tools/$1\"; chmod +x \"$HOME/tools/$1\"; }";
        let log = format!("case $1 in --version | show | -u) ;; *) echo \"{name} $*\" >>\"$HOME/calls\" ;; esac");
        self.executable(path, &format!("#!/bin/bash\n{install}\n{log}\n{script}\n"));
    }

    /// How the made-up tools were called, in order.
    pub fn calls(&self) -> Vec<String> {
        let calls = fs::read_to_string(self.path("calls")).unwrap_or_default();
        calls.lines().map(str::to_owned).collect()
    }

    /// Forgets them.
    pub fn forget_calls(&self) {
        let _ = fs::remove_file(self.path("calls"));
    }

    /// The wrapper with these arguments, without a terminal.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.path("plimsoll"));
        self.prepare(&mut command).args(arguments);
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Finished {
        Finished::from(self.command(arguments).output().unwrap())
    }

    /// The same on a terminal, where this is typed; what it writes is all in `stdout`.
    pub fn run_on_terminal(&self, arguments: &str, typed: &str) -> Finished {
        let typed_file = self.path("typed");
        fs::write(&typed_file, typed).unwrap();
        let mut script = Command::new(on_path("script"));
        let command = format!("{} {arguments}", self.path("plimsoll").display());
        self.prepare(&mut script).args(["-qec", &command, "/dev/null"]);
        Finished::from(script.stdin(fs::File::open(typed_file).unwrap()).output().unwrap())
    }

    fn prepare<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        let path = format!("{}:{}", self.path("tools").display(), self.path("common").display());
        command.env_clear().env("PATH", path).env("HOME", self.directory.path()).env("SHELL", "/bin/sh");
        command.env("PLIMSOLL_JAVA_HOME", self.path("jdk")).current_dir(self.directory.path()).stdin(Stdio::null())
    }
}

/// Fills a directory with what every system has on its `PATH`, and nothing else.
pub fn link_common_tools(directory: &Path) {
    for name in COMMON {
        symlink(on_path(name), directory.join(name)).unwrap();
    }
}

/// Where this machine has a program.
fn on_path(name: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
    found.unwrap_or_else(|| panic!("`{name}` is not on PATH"))
}
