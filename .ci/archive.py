"""Packs a folder, so that the same files give the same bytes: .ci/archive.py FOLDER FILE.tar.gz|FILE.zip

The files are sorted by name, have the time SOURCE_DATE_EPOCH, and have no particular owner.
"""

import gzip
import io
import os
import pathlib
import sys
import tarfile
import time
import zipfile


def main(folder: str, file: str) -> None:
    """Writes the file."""
    root = pathlib.Path(folder)
    files = sorted(path for path in root.rglob("*") if path.is_file())
    when = max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800)  # the earliest time in a zip file is in 1980
    packed = io.BytesIO()
    if file.endswith(".zip"):
        with zipfile.ZipFile(packed, "w") as archive:
            for path in files:
                name = path.relative_to(root.parent).as_posix()
                entry = zipfile.ZipInfo(name, time.gmtime(when)[:6])
                entry.external_attr = (0o100755 if os.access(path, os.X_OK) else 0o100644) << 16
                entry.create_system = 3
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    else:
        with (
            gzip.GzipFile("", "wb", 9, packed, when) as unpacked,
            tarfile.open("", "w", unpacked, format=tarfile.USTAR_FORMAT) as archive,
        ):
            for path in files:
                entry = tarfile.TarInfo(path.relative_to(root.parent).as_posix())
                entry.size, entry.mtime = path.stat().st_size, when
                entry.mode = 0o755 if os.access(path, os.X_OK) else 0o644
                archive.addfile(entry, io.BytesIO(path.read_bytes()))
    pathlib.Path(file).write_bytes(packed.getvalue())


if __name__ == "__main__":
    main(*sys.argv[1:])
