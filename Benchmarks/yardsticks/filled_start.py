"""Measures the start of `roost up` with 500 apps, in turns without and with 64 local notifications in each.

filled_start.py ROOST DIRECTORY ROUNDS prints a line for each round: the milliseconds from the program's start to the
first answer on its control socket. Then it prints the context switches of all threads of the service in 15 s in which
no notification is due.
"""

import glob
import json
import os
import plistlib
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time

APPS, EACH = 500, 64
SECOND = 10**9


class System:
    def __init__(self, roost, top):
        self.roost, self.top, self.process = roost, top, None
        os.makedirs(f"{top}/run", 0o700, exist_ok=True)
        self.environment = {
            "PATH": "/usr/bin:/bin", "HOME": top, "ROOST_STATE": f"{top}/state", "XDG_RUNTIME_DIR": f"{top}/run"}

    def command(self, *arguments):
        subprocess.run([self.roost, *arguments], env=self.environment, check=True, capture_output=True)

    def up(self):
        """Starts it, and returns the milliseconds until it answers."""
        with open(f"{self.top}/up.log", "wb") as log:
            start = time.monotonic()
            self.process = subprocess.Popen([self.roost, "up"], env=self.environment, stdout=log, stderr=log)
        while not self.answers():
            if self.process.poll() is not None:
                sys.exit(open(f"{self.top}/up.log", encoding="utf-8").read())
            time.sleep(0.001)
        return (time.monotonic() - start) * 1000

    def answers(self):
        for path in glob.glob(f"{self.top}/run/roost/*/control"):
            with socket.socket(socket.AF_UNIX) as control:
                try:
                    control.connect(path)
                    control.sendall(b'{"method":"roost.Control.Status","parameters":{}}\0')
                    return bool(control.recv(1))
                except OSError:
                    pass
        return False

    def down(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(30)

    def fill(self, each):
        """Fills the store with notifications, as if the apps had scheduled them: a minute apart, from a month ahead."""
        with sqlite3.connect(f"{self.top}/state/store.db") as store:
            store.execute("DELETE FROM notification_client")
            store.execute("DELETE FROM notification_scheduled")
            start = time.time_ns() // SECOND + 30 * 86_400
            for app, in store.execute("SELECT id FROM app").fetchall() if each else []:
                record = {"app": {"rawValue": app}, "badge": 0, "registered": 7, "isAllowed": True, "lastNumber": each,
                          "launch": 1, "heard": each + 1}
                store.execute("INSERT INTO notification_client VALUES (?, ?)", (app, json.dumps(record)))
                for number in range(1, each + 1):
                    at = start + 60 * (number * APPS + app)
                    store.execute(
                        "INSERT INTO notification_scheduled"
                        " (app, number, fire_date, body, badge, start_seconds, start_nanoseconds)"
                        " VALUES (?, ?, ?, ?, 0, ?, 0)",
                        (app, number, at * SECOND, f"notification {number}".encode(), at))
        store.close()

    def switches(self):
        """The number of context switches of all its threads."""
        pids = [self.process.pid]
        for pid in pids:
            with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as children:
                pids += [int(child) for child in children.read().split()]
        total = 0
        for pid in pids:
            for path in glob.glob(f"/proc/{pid}/task/*/status"):
                with open(path, encoding="utf-8") as status:
                    total += sum(int(line.split()[1]) for line in status if "ctxt_switches" in line)
        return total


def main():
    roost, top, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    system = System(roost, top)
    try:
        system.up()
        for number in range(1, APPS + 1):
            bundle = f"{top}/app{number}.app"
            os.makedirs(bundle)
            shutil.copy("/bin/true", f"{bundle}/app")
            with open(f"{bundle}/Info.plist", "wb") as file:
                plistlib.dump({"CFBundleIdentifier": f"org.roost.bench.app{number}", "CFBundleExecutable": "app"}, file)
            system.command("install", bundle)
            shutil.rmtree(bundle)
        for _ in range(rounds):
            times = []
            for each in (0, EACH):
                system.down()
                system.fill(each)
                times.append(system.up())
            print(f"empty={times[0]:.1f} filled={times[1]:.1f}", flush=True)
        # By then the work of the start is done.
        time.sleep(10)
        before = system.switches()
        time.sleep(15)
        print(f"switches={system.switches() - before}")
    finally:
        system.down()


main()
