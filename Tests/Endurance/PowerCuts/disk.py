"""A disk as programs see it, and the disks that may be left when the power fails now.

Two models. *Ordered*, as ext4, XFS and btrfs behave: changes of names last in the order in which they were made, at least those
up to the last one of a file or folder that was synced. *Posix*: only what was synced lasts; a name does when its folder was. In
both a file's bytes last when the file was synced; of later ones each sector may have reached the disk or not."""

from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

SECTOR = 512
# The most changes of names of which each prefix is tried; of more, the first ones are there or not together.
MOST_PREFIXES = 6


@dataclass(eq=False)
class File:
    """A file's bytes, those that last, and what was written since."""

    data: bytearray = field(default_factory=bytearray)
    lasting: bytes = b""
    later: list = field(default_factory=list)
    # The place of its last change of name among all.
    named: int = 0

    def change(self, change):
        change(self.data)
        self.later.append(change)

    def sync(self):
        self.lasting, self.later = bytes(self.data), []

    def chosen(self, chance):
        """The bytes that may be left: of each later write some sectors."""
        data = bytearray(self.lasting)
        for change in self.later:
            for part in change.parts():
                if chance.random() < 0.5:
                    part(data)
        return bytes(data)


@dataclass
class Write:
    offset: int
    data: bytes

    def __call__(self, content):
        content.extend(bytes(max(0, self.offset - len(content))))
        content[self.offset:self.offset + len(self.data)] = self.data

    def parts(self):
        for begin in range(self.offset - self.offset % SECTOR, self.offset + len(self.data), SECTOR):
            first, last = max(begin, self.offset), min(begin + SECTOR, self.offset + len(self.data))
            yield Write(first, self.data[first - self.offset:last - self.offset])


@dataclass
class Truncation:
    size: int

    def __call__(self, content):
        del content[self.size:]
        content.extend(bytes(self.size - len(content)))

    def parts(self):
        yield self


FOLDER = None


class Disk:
    """Names are paths below one folder; a name stands for a file, or for `FOLDER`."""

    def __init__(self, folder):
        """The disk of all that is below the folder, which lasts."""
        self.names = {}
        for path in sorted(Path(folder).rglob("*")):
            if path.is_dir():
                self.names[str(path.relative_to(folder))] = FOLDER
            elif path.is_file():
                self.names[str(path.relative_to(folder))] = File(bytearray(path.read_bytes()), path.read_bytes())
        # Ordered: names that last, and later changes of them, each a function.
        self.lasting, self.pending, self.renamings = dict(self.names), [], 0
        # Posix: names of each folder as of its last sync.
        self.synced = dict(self.names)

    def rename(self, change, *files):
        change(self.names)
        self.pending.append(change)
        self.renamings += 1
        for file in files:
            if file is not FOLDER:
                file.named = self.renamings

    def last(self, number):
        """Lets all changes of names up to this one last."""
        count = max(0, number - (self.renamings - len(self.pending)))
        for change in self.pending[:count]:
            change(self.lasting)
        del self.pending[:count]

    def apply(self, operation):
        path, other = operation.path, operation.other
        match operation.kind:
            case "create":
                if path not in self.names:
                    file = File()
                    self.rename(lambda names: names.__setitem__(path, file), file)
            case "folder":
                self.rename(lambda names: names.__setitem__(path, FOLDER))
            case "write":
                file = self.names.get(path)
                # A file without a name goes with the power.
                if file:
                    file.change(Write(len(file.data) if operation.offset is None else operation.offset, operation.data))
            case "truncate":
                if self.names.get(path) and len(self.names[path].data) != operation.offset:
                    self.names[path].change(Truncation(operation.offset))
            case "rename":
                if self.names[path] is FOLDER:
                    raise AssertionError(f"the model of POSIX does not know renamed folders: {path}")
                self.rename(lambda names: names.__setitem__(other, names.pop(path)), self.names[path])
            case "exchange":
                if FOLDER in (self.names[path], self.names[other]):
                    raise AssertionError(f"the model of POSIX does not know renamed folders: {path}")
                self.rename(lambda names: exchange(names, path, other), self.names[path], self.names[other])
            case "link":
                file = self.names[path]
                self.rename(lambda names: names.__setitem__(other, file), file)
            case "unlink":
                self.rename(lambda names: names.pop(path, None))
            case "sync" | "datasync":
                self.sync(path, operation.kind == "sync")

    def sync(self, path, is_whole):
        if path == "." or (path in self.names and self.names[path] is FOLDER):
            self.last(self.renamings)
            for name in [name for name in self.synced if parent(name) == path]:
                del self.synced[name]
            self.synced |= {name: file for name, file in self.names.items() if parent(name) == path}
        elif file := self.names.get(path):
            file.sync()
            # Syncing the data alone writes what is needed to find them.
            self.last(self.renamings if is_whole else file.named)

    def images(self, chance):
        """The disks that may be left, each as {path: (file, bytes), or FOLDER}, with the name of its model."""
        yield "as programs see it", contents(self.names, lambda file: bytes(file.data))
        yield "posix, the least", contents(
            {path: file for path, file in self.synced.items() if all(above in self.synced for above in folders(path))},
            lambda file: file.lasting)
        names = dict(self.lasting)
        prefixes = [dict(names)]
        for number, change in enumerate(self.pending):
            change(names)
            if number >= len(self.pending) - MOST_PREFIXES:
                prefixes.append(dict(names))
        for number, names in enumerate(prefixes):
            yield f"ordered, {number} of {len(prefixes) - 1} new names, the least", contents(names, lambda file: file.lasting)
        yield "ordered, some sectors", contents(chance.choice(prefixes), lambda file: file.chosen(chance))


def contents(names, of):
    return {path: file if file is FOLDER else (file, of(file)) for path, file in names.items()}


def parent(path):
    return str(PurePosixPath(path).parent)


def folders(path):
    return [str(above) for above in PurePosixPath(path).parents if str(above) != "."]


def exchange(names, path, other):
    names[path], names[other] = names[other], names[path]


def write(image, folder):
    """Makes the files of an image below a folder, which is empty. A file with several names has them there, too."""
    made = {}
    for path, content in sorted(image.items(), key=lambda entry: entry[0]):
        place = folder / path
        if content is FOLDER:
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
        else:
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file, data = content
            if file in made:
                place.hardlink_to(made[file])
                continue
            place.write_bytes(data)
            place.chmod(0o600)
            made[file] = place


