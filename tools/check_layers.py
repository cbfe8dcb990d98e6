#!/usr/bin/env python3
"""Check who includes whom. The rooms and what each may use are read from CMakeLists.txt.

  check_layers.py [ROOT]

- A file of src/ROOM includes "ROOM/..." , "tare.h" and headers of rooms that its tare_room() line
  names; src/cli is on the outside and sees "tare.h" and itself only.
- The headers of an outside library belong to one room.
- The library prints nothing, never exits, installs no signal handler, sets no locale, and
  allocates through base/mem.h only.
"""
import os
import re
import sys

# Headers of outside libraries, and the room that may touch the library.
OUTSIDE = {
    "zlib.h": "table", "yaml.h": "table",
    "spng.h": "image", "jpeglib.h": "image", "jerror.h": "image", "lcms2.h": "image",
    "webp/decode.h": "image", "webp/demux.h": "image", "tiffio.h": "image",
    "sqlite3.h": "store",
    "utf8proc.h": "scorer",
    "sndfile.h": "sound", "soxr.h": "sound",
}
# C11 and POSIX, and what the compiler brings for a kind of processor: free for all rooms.
STANDARD = set("""
assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h
setjmp.h signal.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h
stdnoreturn.h string.h tgmath.h time.h uchar.h wchar.h wctype.h
dirent.h dlfcn.h fcntl.h langinfo.h poll.h pthread.h sched.h semaphore.h spawn.h strings.h unistd.h
sys/file.h sys/ioctl.h sys/mman.h sys/resource.h sys/socket.h sys/stat.h sys/time.h sys/types.h
sys/wait.h emmintrin.h immintrin.h cpuid.h
""".split())

# What a library does not do. (pattern, what is wrong, rooms that may)
CALLS = [
    (r"\b(?:printf|vprintf|puts|putchar|perror)\s*\(", "prints", {"cli"}),
    (r"\b(?:stdout|stderr)\b", "uses a standard stream", {"cli"}),
    (r"(?<![_\w])(?:exit|abort|quick_exit)\s*\(", "ends the program", {"cli"}),
    (r"(?<![_\w.>])(?:signal|sigaction)\s*\(", "installs a signal handler", {"cli"}),
    (r"\b(?:pthread_create|thrd_create)\s*\(", "starts threads of its own", {"base"}),
    (r"\bsetlocale\s*\(", "sets the locale", set()),
    (r"(?<![_\w.>])(?:malloc|calloc|realloc|strdup|asprintf)\s*\(",
     "allocates past base/mem.h", {"cli", "base/mem.c"}),
    # image: what libjpeg and libspng have allocated is given back with free()
    (r"(?<![_\w.>])free\s*\(", "frees past base/mem.h", {"cli", "base/mem.c", "image"}),
]


def rooms_of(root):
    """{room: rooms it may use}, from the tare_room() lines."""
    with open(os.path.join(root, "CMakeLists.txt"), encoding="utf-8") as f:
        lines = re.findall(r"^tare_room\((\w+)([^)]*)\)", f.read(), re.M)
    names = {name for name, _ in lines}
    return {name: {word for word in rest.split() if word in names} for name, rest in lines}


def strip_comments(text):
    """Comments and the inside of string and character literals become blanks."""
    pattern = r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"

    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())
    return re.sub(pattern, blank, text, flags=re.S)


def check_include(room, allowed, quoted, name):
    """What is wrong with one include, or None."""
    if not quoted:
        owner = OUTSIDE.get(name)
        if owner is None and name not in STANDARD:
            return f"<{name}> is not a header that tools/check_layers.py knows"
        if owner not in (None, room):
            return f"<{name}> belongs to src/{owner}"
        return None
    if name == "tare.h":
        return None
    target = name.split("/")[0]
    if "/" not in name:
        return f'"{name}": write "room/file.h"'
    if target == room or target in allowed:
        return None
    return f"src/{room} may not include from src/{target}"


def check_file(root, path, rooms):
    """All faults of one file, as (line, text)."""
    parts = os.path.relpath(path, os.path.join(root, "src")).split(os.sep)
    room = parts[0]
    if room not in rooms:
        yield 1, f"src/{room} is no room of CMakeLists.txt"
        return
    with open(path, encoding="utf-8") as f:
        text = f.read()
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)', line)
        if match:
            wrong = check_include(room, rooms[room], match.group(1) is not None,
                                  match.group(1) or match.group(2))
            if wrong:
                yield number, wrong
    for number, line in enumerate(strip_comments(text).splitlines(), 1):
        for pattern, wrong, may in CALLS:
            if room not in may and "/".join(parts) not in may and re.search(pattern, line):
                yield number, f"a room of the library {wrong}"


def check(root):
    """The faults of a tree, as lines of text."""
    rooms = rooms_of(root)
    faults = []
    for folder, _, files in sorted(os.walk(os.path.join(root, "src"))):
        for name in sorted(files):
            if name.endswith((".c", ".h")):
                path = os.path.join(folder, name)
                faults += [f"{os.path.relpath(path, root)}:{line}: {wrong}"
                           for line, wrong in check_file(root, path, rooms)]
    return faults


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(__file__)) or "."
    faults = check(root)
    print("\n".join(faults) if faults else "layers: in order")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
