"""Starts and ends what a plant consists of: upstream, service, and what is beside it."""

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUSY = [sys.executable, "-c", "while True: pass"]


class CannotRun(Exception):
    """What a plant needs and this machine has not."""


def plimsoll():
    """The binary: $PLIMSOLL, or the newest build of this tree."""
    if "PLIMSOLL" in os.environ:
        return os.environ["PLIMSOLL"]
    built = [ROOT / "target" / profile / "plimsoll" for profile in ("release", "quick", "debug")]
    built = [path for path in built if path.exists()]
    if not built:
        sys.exit("plants: no build of plimsoll: run `cargo build --release`, or name one with PLIMSOLL=")
    return str(max(built, key=lambda path: path.stat().st_mtime))


def jdk(version):
    """The home of a JDK of that version: $JAVA_17, $JAVA_21, $JAVA_25, or one under /usr/lib/jvm."""
    named = os.environ.get(f"JAVA_{version}")
    homes = [Path(named)] if named else sorted(Path("/usr/lib/jvm").glob("*"))
    for home in homes:
        release = home / "release"
        if (home / "bin/java").exists() and release.exists():
            if re.search(rf'^JAVA_VERSION="{version}[.")]', release.read_text(), re.M):
                return home
    raise CannotRun(f"no JDK {version}: name one with JAVA_{version}=")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Side:
    """One side of a plant, with its cause or with its fix, as running processes."""

    def __init__(self, plant):
        self.plant = plant
        self.scratch = tempfile.mkdtemp(prefix="plants-")
        self.processes = []
        self.cgroups = []
        self.inside = []
        try:
            self.start()
        except BaseException:
            self.end()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def start(self):
        plant = self.plant
        if plant["namespace"]:
            self.enter_namespace(plant["namespace"])
        if plant["dns"]:
            self.spawn([sys.executable, HERE / "slow_dns.py", str(plant["dns"])])
        settings = dict(plant["settings"])
        if plant["upstream"] is not None:
            settings["upstream"] = self.start_upstream(plant["upstream"])
        if plant["stub"] is not None:
            settings["stub"] = self.start_stub(plant["stub"])
        self.port = free_port()
        settings["server.port"] = self.port
        self.url = f"http://127.0.0.1:{self.port}{plant['path']}"
        self.service = self.start_service(settings)
        quota = plant["generator_quota"]
        self.quota_of_generator = self.limit_cpu(quota) if quota else []
        self.await_answer()

    def enter_namespace(self, settings):
        """A network of its own, with its own settings of the kernel; needs root or user namespaces."""
        unshare = ["unshare", "-nm"] if os.geteuid() == 0 else ["unshare", "-rnm"]
        ready = os.path.join(self.scratch, "namespace")
        commands = ["ip link set lo up"]
        commands += [f"echo {shlex.quote(value)} > /proc/sys/net/{key}" for key, value in settings.items()]
        if self.plant["dns"]:
            resolv = os.path.join(self.scratch, "resolv.conf")
            Path(resolv).write_text("nameserver 127.0.0.1\n")
            commands += [f"mount --bind {resolv} $(readlink -f /etc/resolv.conf)"]
        commands += [f"touch {ready}", "exec sleep 3600"]
        holder = self.spawn([*unshare, "sh", "-ec", "; ".join(commands)])
        self.wait_for(lambda: os.path.exists(ready), holder, "a network namespace, which needs root or user namespaces")
        user = [] if os.geteuid() == 0 else ["-U", "--preserve-credentials"]
        self.inside = ["nsenter", "-t", str(holder.pid), *user, "-n", "-m"]

    def start_upstream(self, flags):
        command = [plimsoll(), "upstream", "--json", *flags]
        upstream = self.spawn(command, pinned="0" if self.plant["cpus"] else None, stdout=subprocess.PIPE)
        ready = json.loads(upstream.stdout.readline())
        threading.Thread(target=upstream.stdout.read, daemon=True).start()
        return ready["ready"]["url"].replace("127.0.0.1", self.plant["upstream_host"])

    def start_stub(self, words):
        command = [sys.executable, HERE / "stubs.py", *words]
        stub = self.spawn(command, pinned="0" if self.plant["cpus"] else None, stdout=subprocess.PIPE)
        return f"127.0.0.1:{stub.stdout.readline().decode().strip()}"

    def start_service(self, settings):
        plant = self.plant
        java = [jdk(plant["jdk"]) / "bin/java", *plant["jvm"]]
        java += [f"-D{key}={str(value).lower() if value is True else value}" for key, value in settings.items()]
        module = HERE / plant["module"] / "target"
        if not (module / "lib").exists():
            sys.exit(f"plants: {module} is not built: mvn -f benches/explain package")
        java += ["-cp", f"{module}/classes:{module}/lib/*", plant["main"], *plant["arguments"]]
        before = []
        if plant["quota"]:
            before += self.limit_cpu(plant["quota"])
        if plant["descriptors"]:
            before += ["sh", "-c", f'ulimit -n {plant["descriptors"]} && exec "$@"', "sh"]
        self.log = open(os.path.join(self.scratch, "service.log"), "wb")
        slow = plant["slow_stdout"]
        service = self.spawn(
            before + java,
            pinned=plant["cpus"],
            stdout=subprocess.PIPE if slow else self.log,
            stderr=self.log,
        )
        if slow:
            threading.Thread(target=read_slowly, args=(service.stdout, slow), daemon=True).start()
        return service

    def limit_cpu(self, cpus):
        """A cgroup with that many CPUs, of version 2 or 1; needs permission to make one."""
        name = f"plants-{os.getpid()}-{id(self):x}-{len(self.cgroups)}"
        quota = int(cpus * 100_000)
        if Path("/sys/fs/cgroup/cgroup.controllers").exists():
            group, key, value = Path("/sys/fs/cgroup", name), "cpu.max", f"{quota} 100000"
        else:
            group, key, value = Path("/sys/fs/cgroup/cpu", name), "cpu.cfs_quota_us", str(quota)
        try:
            group.mkdir()
            self.cgroups.append(group)
            (group / key).write_text(value)
        except OSError as e:
            raise CannotRun(f"no permission to make a cgroup with a CPU quota: {e}") from e
        return ["sh", "-c", f'echo $$ > {group}/cgroup.procs && exec "$@"', "sh"]

    def await_answer(self):
        probe = [*self.inside, sys.executable, HERE / "probe.py", self.url] if self.inside else None

        def answers():
            if probe:
                return subprocess.run(probe, check=False, stderr=subprocess.DEVNULL).returncode == 0
            try:
                urllib.request.urlopen(self.url, timeout=5).read()
                return True
            except (urllib.error.URLError, OSError):
                return False

        self.wait_for(answers, self.service, f"an answer from {self.plant['main']}")

    def wait_for(self, condition, process, what):
        deadline = time.monotonic() + 60
        while not condition():
            if process.poll() is not None or time.monotonic() > deadline:
                raise CannotRun(f"expected {what}; {self.last_words()}")
            time.sleep(0.05)

    def last_words(self):
        log = Path(self.scratch, "service.log")
        text = log.read_text(errors="replace") if log.exists() else ""
        return " / ".join(text.strip().splitlines()[-3:]) or "nothing was said"

    def beside(self):
        """Starts what takes the CPU away; the caller ends it."""
        return [self.spawn(BUSY, pinned=self.plant["busy_on"]) for _ in range(self.plant["busy"])]

    def generator(self):
        """The words before a command that offers the load: namespace, pinning, quota."""
        pinned = ["taskset", "-c", "0"] if self.plant["cpus"] else []
        return self.inside + pinned + self.quota_of_generator + self.plant["generator"]

    def capacity(self, seconds):
        """Successful requests a second under the plant's closed load."""
        plant = self.plant
        record = os.path.join(self.scratch, "load.db")
        load = [plimsoll(), "load", self.url, "-z", f"{seconds}s", "-o", "json", "--quiet", "--record", record]
        load += ["-c", str(plant["users"]), *plant["load"]]
        busy = self.beside()
        try:
            done = subprocess.run(self.generator() + load, capture_output=True, text=True, check=False)
        finally:
            for process in busy:
                self.stop(process)
        if not done.stdout:
            raise CannotRun(f"the generator failed: {done.stderr.strip()[-300:]}")
        level = json.loads(done.stdout)["variants"][0]["levels"][0]
        return level["throughput_per_s"]["median"]

    def spawn(self, command, pinned=None, **more):
        command = self.inside + (["taskset", "-c", pinned] if pinned else []) + [str(word) for word in command]
        more.setdefault("stdout", subprocess.DEVNULL)
        more.setdefault("stderr", subprocess.DEVNULL)
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, **more)
        self.processes.append(process)
        return process

    def stop(self, process):
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self.processes.remove(process)

    def end(self):
        for process in reversed(list(self.processes)):
            self.stop(process)
        for group in self.cgroups:
            group.rmdir()
        shutil.rmtree(self.scratch, ignore_errors=True)


def read_slowly(pipe, bytes_per_second):
    """As a terminal or a log shipper that cannot keep up."""
    while pipe.read(max(1, bytes_per_second // 100)):
        time.sleep(0.01)
