"""What programs do to files, recorded by strace and read as operations. Which calls there are differs by processor."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

# Calls that change files, make them last, or say something.
CALLS = ("open openat creat write pwrite64 writev pwritev lseek ftruncate fallocate rename renameat renameat2 unlink unlinkat rmdir "
         "link linkat mkdir mkdirat fsync fdatasync copy_file_range sendfile truncate pwritev2 sync_file_range syncfs symlink symlinkat")
LONGEST = 1 << 24
WHOLE = re.compile(r"(\d+) +(\w+)\((.*)\) += (-?\d+|\?)(.*)")
UNFINISHED = re.compile(r"(\d+) +(\w+\(.*) <unfinished \.\.\.>")
RESUMED = re.compile(r"(\d+) +<\.\.\. \w+ resumed>(.*)")
TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')
DESCRIPTOR = re.compile(r"(\w+)<((?:\\x[0-9a-f]{2})*)>")
AT_END = "O_APPEND"


@dataclass
class Operation:
    """One change; `kind` is create, folder, write, truncate, rename, exchange, link, unlink, sync, datasync or say."""

    kind: str
    path: str = ""
    # The new name, of rename, exchange and link.
    other: str = ""
    # Where a write begins, None at the file's end; the size after a truncation.
    offset: int | None = 0
    data: bytes = b""


def decoded(text):
    return bytes.fromhex(text.replace("\\x", ""))


def record(command, folder, log, **options):
    """Runs a command to its end; returns the operations on files below the folder, and what was printed, in order."""
    subprocess.run(
        ["strace", "-f", "-y", "-q", "-xx", "-s", str(LONGEST), "-o", log, "-e", f"trace={','.join(f'?{call}' for call in CALLS.split())}", *command],
        check=True, **options)
    reader = Reader(Path(folder))
    unfinished = {}
    for line in Path(log).read_text().split("\n"):
        if match := UNFINISHED.fullmatch(line):
            unfinished[match[1]] = match[2]
            continue
        # A call counts when it returns.
        if match := RESUMED.fullmatch(line):
            line = f"{match[1]} {unfinished.pop(match[1])}{match[2]}"
        if (match := WHOLE.fullmatch(line)) and match[4] not in ("?", "-1"):
            reader.read(*match.groups())
    return reader.operations


class Reader:
    def __init__(self, folder):
        self.folder, self.operations = folder, []
        # Positions of open files, for writes that do not name theirs: by process and descriptor.
        self.positions = {}

    def read(self, process, name, arguments, result, rest):
        texts = [decoded(text) for text, _ in TEXT.findall(arguments)]
        if any(more for _, more in TEXT.findall(arguments)):
            raise AssertionError(f"strace has not recorded all of a call: {name}")
        descriptors = [(number, decoded(path).decode()) for number, path in DESCRIPTOR.findall(arguments)]
        handler = getattr(self, f"on_{name}", None)
        if handler:
            words = re.sub(r"<[^>]*>", "", TEXT.sub('""', arguments)).split(", ")
            handler(process, texts, descriptors, words, int(result), rest)

    def below(self, path):
        """The path within the folder; None for one elsewhere."""
        path = Path(path)
        return str(path.relative_to(self.folder)) if path.is_relative_to(self.folder) else None

    def named(self, texts, descriptors):
        """The paths that a call names, each from its own folder."""
        folders = [Path(path) for _, path in descriptors] or [Path()]
        paths = [folders[min(place, len(folders) - 1)] / text.decode() for place, text in enumerate(texts)]
        if not all(path.is_absolute() for path in paths):
            raise AssertionError(f"a path without its folder: {paths}")
        return [self.below(path) for path in paths]

    def add(self, kind, *paths, **more):
        if any(path is not None for path in paths):
            if None in paths:
                raise AssertionError(f"{kind} crosses the border of the recorded folder")
            self.operations.append(Operation(kind, *paths, **more))

    # Calls

    def on_openat(self, process, texts, descriptors, words, result, _):
        path = self.named(texts, descriptors[:1])[0]
        flags = next((word for word in words if word.startswith("O_")), "")
        self.positions[process, result] = None if AT_END in flags else 0
        if path is None or "O_TMPFILE" in flags:
            return
        if "O_CREAT" in flags:
            self.add("create", path)
        if "O_TRUNC" in flags:
            self.add("truncate", path)

    def on_open(self, process, texts, descriptors, words, result, rest):
        self.on_openat(process, texts, [], words, result, rest)

    def on_creat(self, process, texts, descriptors, words, result, rest):
        self.on_openat(process, texts, [], ["O_CREAT|O_TRUNC"], result, rest)

    def on_lseek(self, process, texts, descriptors, words, result, _):
        self.positions[process, int(descriptors[0][0])] = result

    def on_write(self, process, texts, descriptors, words, result, _):
        number, path = int(descriptors[0][0]), descriptors[0][1]
        data = b"".join(texts)[:result]
        if (below := self.below(path)) is None:
            if number == 1:
                self.add("say", "", data=data)
            return
        if (process, number) not in self.positions:
            raise AssertionError(f"a write to {below} by a thread that has not opened it: where it begins is not known")
        position = self.positions[process, number]
        self.add("write", below, offset=position, data=data)
        if position is not None:
            self.positions[process, number] = position + result

    on_writev = on_write

    def on_pwrite64(self, process, texts, descriptors, words, result, _):
        if (below := self.below(descriptors[0][1])) is not None:
            self.add("write", below, offset=int(words[-1]), data=b"".join(texts)[:result])

    on_pwritev = on_pwrite64

    def on_ftruncate(self, process, texts, descriptors, words, result, _):
        self.add("truncate", self.below(descriptors[0][1]), offset=int(words[1]))

    def on_rename(self, process, texts, descriptors, words, result, _):
        one, other = self.named(texts, descriptors)
        self.add("exchange" if "RENAME_EXCHANGE" in words[-1] else "rename", one, other)

    on_renameat = on_renameat2 = on_rename

    def on_link(self, process, texts, descriptors, words, result, _):
        self.add("link", *self.named(texts, descriptors))

    on_linkat = on_link

    def on_unlink(self, process, texts, descriptors, words, result, _):
        self.add("unlink", self.named(texts, descriptors)[0])

    on_unlinkat = on_rmdir = on_unlink

    def on_mkdir(self, process, texts, descriptors, words, result, _):
        self.add("folder", self.named(texts, descriptors)[0])

    on_mkdirat = on_mkdir

    def on_fsync(self, process, texts, descriptors, words, result, _):
        self.add("sync", self.below(descriptors[0][1]))

    def on_fdatasync(self, process, texts, descriptors, words, result, _):
        self.add("datasync", self.below(descriptors[0][1]))

    # Calls that the model of the disk does not know

    def refuse(self, paths):
        if any(path is not None for path in paths):
            raise AssertionError("the model of the disk does not know a call of a program")

    def on_fallocate(self, process, texts, descriptors, words, result, _):
        self.refuse(self.below(path) for _, path in descriptors)

    on_copy_file_range = on_sendfile = on_pwritev2 = on_sync_file_range = on_syncfs = on_fallocate

    def on_truncate(self, process, texts, descriptors, words, result, _):
        # Of a link the last path is its own; the first one may be any text.
        self.refuse(self.named(texts[-1:], descriptors))

    on_symlink = on_symlinkat = on_truncate
