"""Prints the licences of everything inside a package that is built for a target: .ci/licences.py PACKAGE TARGET [FILE...]

Lists the packages that cargo resolves for the target, without those that are used only to build or test. Then it prints
their licences and those of the files. Equal texts are printed once; a package without a licence text is listed with its
authors above the text of MIT.
"""

import json
import pathlib
import subprocess
import sys

NAMES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE", "COPYRIGHT")
ROOT = pathlib.Path(__file__).parent.parent
ABOUT = """\
flipcost is under MIT or Apache-2.0, at your choice. The letters of its figures come from DejaVu Sans; terms and titles of
sequences are from The On-Line Encyclopedia of Integer Sequences, CC BY-SA 4.0. Inside the program are Rust's standard
library, whose licences are in LICENSES-rust.html, the C runtime of the system where it is linked in (musl: MIT;
mingw-w64: public domain and Zope Public License 2.1), and the packages of this list, each unchanged and as source in
Rust's registry under its name and version."""


def inside(package: str, target: str) -> list[dict]:
    """Returns the metadata of the third-party packages that are linked into this one."""
    known = json.loads(output("cargo", "metadata", "--format-version", "1", "--locked"))["packages"]
    known = {f"{found['name']} v{found['version']}": found for found in known}
    tree = ["cargo", "tree", "--locked", "--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"]
    lines = output(*tree, "--package", package, "--target", target).splitlines()
    names = sorted({" ".join(line.split()[:2]) for line in lines if line})
    return [known[name] for name in names if known[name]["source"]]


def output(*command: str) -> str:
    """Runs a command and returns its output."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT, text=True).stdout


def texts(package: dict) -> list[str]:
    """Returns the texts of the licences beside the package's manifest."""
    folder = pathlib.Path(package["manifest_path"]).parent
    files = [file for file in sorted(folder.iterdir()) if file.is_file() and file.name.upper().startswith(NAMES)]
    return [file.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n").strip() for file in files]


def main(package: str, target: str, *files: str) -> None:
    """Prints the list, then the texts."""
    print(ABOUT + "\n")
    own = ("LICENSE-MIT", "LICENSE-APACHE", "LICENSE-DejaVu")
    holders = {(ROOT / name).read_text(encoding="utf-8").strip(): ["flipcost"] for name in own}
    for found in inside(package, target):
        name = f"{found['name']} {found['version']}"
        print(f"{name}: {found['license'] or 'see its text'}")
        for text in texts(found):
            holders.setdefault(text, []).append(name)
        if not texts(found):
            by = f"{name} (by {', '.join(found['authors']) or 'its authors'})"
            next(iter(holders.values())).append(by)
    for file in map(pathlib.Path, files):
        holders.setdefault(file.read_text(encoding="utf-8").strip(), []).append(f"{file.parent.name}: {file.name}")
    line = "\n" + "=" * 100 + "\n"
    for text, names in holders.items():
        print(line + ", ".join(dict.fromkeys(names)) + line + "\n" + text)


if __name__ == "__main__":
    main(*sys.argv[1:])
