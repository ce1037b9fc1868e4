"""Allocations of SQLite that fail, one in some thousands, under the model's calls. A core whose allocation fails answers
StorageFailed and goes on, or ends; Swift's own allocations cannot fail without ending it. Either way what was answered
must be there, once, when it starts again."""

import subprocess
import tempfile
import time
from pathlib import Path

from kit.core import Core
from kit.wait import eventually

# The runs that are tried, however long they take, until an allocation has failed.
MOST = 20
SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_realloc(void *, size_t);
static char *begin, *end;
static unsigned long random_state, one_in, failed;

/* Where libsqlite3 is in memory, and how often its allocations fail. */
__attribute__((constructor)) static void prepare(void) {
  void *symbol = dlsym(RTLD_DEFAULT, "sqlite3_open_v2");
  Dl_info info;
  const char *wanted = getenv("FAIL_ONE_IN"), *seed = getenv("FAIL_SEED");
  if (!symbol || !wanted || !dladdr(symbol, &info)) return;
  random_state = strtoul(seed ? seed : "1", NULL, 10) | 1;
  begin = info.dli_fbase;
  end = begin + (2 << 20);
  one_in = strtoul(wanted, NULL, 10);
}

static int fails(char *caller) {
  if (!one_in || caller < begin || caller >= end) return 0;
  random_state = random_state * 6364136223846793005ul + 1442695040888963407ul;
  if ((random_state >> 33) % one_in) return 0;
  if (!failed++) (void)!write(2, "an allocation fails\n", 20);
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size) { return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size); }
void *realloc(void *memory, size_t size) {
  return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}
"""


def library(folder):
    source, result = Path(folder) / "failing.c", Path(folder) / "failing.so"
    source.write_text(SOURCE)
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", result, source], check=True)
    return result


def run(programs, chance, seconds):
    end = time.monotonic() + seconds
    totals = {"runs_in_which_allocations_failed": 0, "adds_answered": 0, "adds_refused": 0, "ends": 0, "runs": 0}
    with tempfile.TemporaryDirectory(prefix="tallymark-") as folder:
        failing = library(folder)
        while time.monotonic() < end or totals["runs"] < MOST and not totals["runs_in_which_allocations_failed"]:
            one_run(programs, failing, chance, totals)
            totals["runs"] += 1
    if not totals["runs_in_which_allocations_failed"]:
        # The constructor finds only the allocations of a library of its own.
        raise AssertionError("no allocation failed: is SQLite linked statically here?")
    return totals


def one_run(programs, failing, chance, totals):
    with Core.alone(programs) as core:
        core.call("Create", name="a")
        epoch = core.call("Open", producer="soak")["epoch"]
        core.stop()
        core.environment.update(
            LD_PRELOAD=str(failing), FAIL_ONE_IN=str(chance.choice([100, 1000, 20000, 100000, 400000])), FAIL_SEED=str(chance.getrandbits(31)))
        answered, sequence = 0, 1
        for _ in range(3):
            core.launch()
            # However long that takes. The allocation that fails may end the core.
            eventually(lambda: not core.is_running or core.answers(), "tallyd answers or has ended")
            deadline = time.monotonic() + 5
            connection = None
            while time.monotonic() < deadline and core.is_running and sequence < 400:
                try:
                    connection = connection or core.connect()
                    connection.send(
                        "Deliver", producer="soak", epoch=epoch, sequence=sequence, changes=[{"verb": "add", "counter": "a"}])
                    reply = connection.outcome()
                    if reply is None:
                        raise ConnectionError
                except OSError:
                    connection = None
                    time.sleep(0.01)
                    continue
                error, parameters = reply
                if error in ("", "DeliveryForgotten"):
                    answered, sequence, totals["adds_answered"] = sequence, sequence + 1, totals["adds_answered"] + 1
                    if sequence % 25 == 0:
                        # What reads the journal.
                        for method, parameters in [("History", {}), ("Totals", {"bounds": [0, 1 << 60]}), ("Past", {"time": 1 << 50})]:
                            connection.send(method, **parameters)
                        for _ in range(3):
                            connection.reply()
                elif error == "StorageFailed":
                    totals["adds_refused"] += 1
                    if "memory" not in parameters["message"]:
                        raise AssertionError(f"a failed allocation is explained by: {parameters['message']}")
                    time.sleep(0.02)
                else:
                    raise AssertionError(f"a delivery was answered with {error}")
            if not core.is_running:
                totals["ends"] += 1
                if core.process.returncode < 0:
                    raise AssertionError(f"tallyd died of signal {-core.process.returncode}: {core.said}")
            core.kill()
        totals["runs_in_which_allocations_failed"] += "an allocation fails" in core.said
        for name in ("LD_PRELOAD", "FAIL_ONE_IN"):
            core.environment.pop(name)
        core.start()
        value = core.call("Get", counter="a")["counter"]["value"]
        if not answered <= value <= sequence:
            raise AssertionError(f"{answered} deliveries were answered, {sequence} sent, {value} counted: {core.said}")
        core.tally("verify", core.state)
