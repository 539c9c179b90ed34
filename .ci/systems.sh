#!/usr/bin/env bash
# Tests the program of a release on other systems; run it by hand for each release: .ci/systems.sh [aarch64] [windows]
# Installs its tools (as root, from Debian): an emulator of ARM, wine, their compilers. Uses the archives of
# .ci/release.sh, or makes them. Then it runs on each system: the tests of the command line, with the same test binary and
# another program; three studies; outputs of many kinds, compared with those of this system byte by byte; the engine's
# vectors on ARM; features that only Windows has.
set -euo pipefail
cd "$(dirname "$0")/.."
systems=${*:-aarch64 windows}
STUDIES="estep-2024 languages simulating-dice-2022"
missing=
for tool in qemu-aarch64:qemu-user aarch64-linux-gnu-gcc:"gcc-aarch64-linux-gnu libc6-dev-arm64-cross" wine:"wine wine64" \
  x86_64-w64-mingw32-gcc:gcc-mingw-w64-x86-64 python3:python3 curl:curl; do
  command -v "${tool%%:*}" >/dev/null || missing="$missing ${tool#*:}"
done
if [ -n "$missing" ]; then
  sudo=$([ "$(id -u)" = 0 ] || echo sudo)
  $sudo apt-get update -qq
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -qq -y --no-install-recommends $missing >/dev/null
fi

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
releases=$PWD/target/releases/$version
arm=$releases/flipcost-$version-aarch64-unknown-linux-musl.tar.gz
windows=$releases/flipcost-$version-x86_64-pc-windows-gnu.zip
if [ ! -f "$arm" ] || [ ! -f "$windows" ]; then
  .ci/release.sh "$version" --targets aarch64-unknown-linux-musl x86_64-pc-windows-gnu --without checks wheels crates
fi
cargo build --quiet --locked --release --package flipcost-cli
here=$PWD/target/release/flipcost
tests=$(cargo test --quiet --locked --release --package flipcost-cli --test it --no-run --message-format json |
  sed -n 's/.*"executable":"\([^"]*deps\/it-[^"]*\)".*/\1/p' | tail -n 1)
work=$(mktemp -d)
export WINEPREFIX=$work/prefix WINEDEBUG=-all
trap 'wineserver -k 2>/dev/null || true; rm -rf "$work"' EXIT
step() { printf '\n== %s\n' "$*"; "$@"; }
fail() {
  echo "$*" >&2
  exit 1
}

# Runs the tests of the command line with another program instead of the one that they were built with.
tests_with() {
  local program=$1
  shift
  unshare --mount sh -c 'mount --bind "$1" "$2" && shift 2 && cd crates/cli && exec "$@"' sh "$program" "$here" "$tests" "$@"
}

# A run may be slow on these systems and announce its time. The book does not show such lines, so
# its tests use one pipe for both outputs.
command_line() {
  local program=$1
  shift
  printf '#!/bin/bash\n%s "$@" 2>&1 | sed "/^note: this takes/d"\nexit "${PIPESTATUS[0]}"\n' "$program" >"$work/shown"
  chmod +x "$work/shown"
  tests_with "$work/shown" every_command_prints_what_is_shown
  tests_with "$program" --skip every_command_prints_what_is_shown "$@" | tee "$work/tests" || true
  local late
  late=$(sed -n 's/^test \([^ ]*\) \.\.\. FAILED$/\1/p' "$work/tests")
  [ -n "$late" ] || grep -q "^test result: ok" "$work/tests" || fail "the tests did not end"
  # runs tests that failed because the machine was busy once more, alone
  # shellcheck disable=SC2086
  [ -z "$late" ] || tests_with "$program" --test-threads 1 --exact $late
}

studies() {
  local root=$work/root study
  rm -rf "$root"
  mkdir "$root"
  cp -R analysis "$root"
  # shellcheck disable=SC2086
  "$1" reproduce --root "$root" $STUDIES >/dev/null
  for study in $STUDIES; do
    diff -r "$root/data/$study" "data/$study"
    [ ! -d "figures/$study" ] || diff -r "$root/figures/$study" "figures/$study"
  done
}

outputs() {
  local count=0 line
  while read -r line; do
    rm -rf "$work/a" "$work/b"
    mkdir "$work/a" "$work/b"
    # shellcheck disable=SC2086
    (cd "$work/a" && "$here" $line >stdout 2>stderr) || true
    # shellcheck disable=SC2086
    (cd "$work/b" && "$1" $line >stdout 2>stderr) || true
    sed -i '/^note: this takes/d' "$work/a/stderr" "$work/b/stderr" # of a busy machine
    diff -r "$work/a" "$work/b" || fail "\`flipcost $line\` is not what it is here"
    count=$((count + 1))
  done <<'LINES'
cost 6
cost 1..300 -f json
cost zipf:n=50 -f csv
cost 4:7:8 --source 10 -c expected_exact,variance_exact,expected -f jsonl
cost 3d6 --source 2^32 -f csv
plan 13 --dice 6,10
plan 7 --dice 2,6 -f json
sequence A136043 --terms 1000
oeis check A136043
cost 1..3000 -a fast-dice-roller -c n,expected_exact,toll -o sweep.csv
cost 1..500 -a interval -f json -o sweep.json
libraries python -f csv
show 6 --as tree -o tree.svg
show 4:7:8 -o tree.png
figure toll --to 1000 -o toll.svg
figure toll --to 1000 -o toll.png
verify --that expected<log2(n)+2 -a fast-dice-roller --to 300
roll 6 --seed 1 --count 1000
distribution 6 --upto 40
export drn 6
shuffle 52
cost nothing
cost 6 -o no/such/folder.csv
d7 from d6
help
LINES
  echo "$count outputs are the same bytes"
}

on_aarch64() {
  mkdir "$work/aarch64"
  tar -xzf "$arm" -C "$work/aarch64" --strip-components 1
  printf '#!/bin/sh\nexec qemu-aarch64 %s "$@"\n' "$work/aarch64/flipcost" >"$work/flipcost-aarch64"
  chmod +x "$work/flipcost-aarch64"
  step outputs "$work/flipcost-aarch64"
  step studies "$work/flipcost-aarch64"
  # These tests are skipped, since they do not depend on the system: parts of certificates take half
  # an hour each under the emulator, and screens without progress need fast answers.
  step command_line "$work/flipcost-aarch64" --skip the_certificates_of_the_records_hold --skip no_line_is_wider_than_the_terminal \
    --skip answering_columns_are_never_hidden
  # Checks that ARM's vector instructions give the same results. The development profile suffices for that.
  rustup --quiet target add aarch64-unknown-linux-gnu
  CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc \
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu" \
    step cargo test --quiet --package flipcost --lib --target aarch64-unknown-linux-gnu roller::lanes
}

# Tests features that only Windows has. The files are in a folder whose name has blanks and umlauts.
only_windows() {
  local flipcost=$1 folder="$work/Würfel und Münzen" rows pid
  mkdir "$folder"
  cd "$folder"
  # A killed run is resumed, and gives the same bytes as an uninterrupted run.
  "$here" cost 1..60000 -a fast-dice-roller -c n,expected_exact -o whole.csv
  "$flipcost" cost 1..60000 -a fast-dice-roller -c n,expected_exact -o "größer.csv" &
  pid=$!
  for _ in $(seq 600); do
    [ "$(cat "./größer.csv.part.journal" 2>/dev/null | wc -l)" -lt 2 ] || break
    sleep 0.05
  done
  kill -9 $pid
  wait $pid 2>/dev/null || true
  sleep 1
  [ -f "größer.csv.part" ] || fail "nothing is left of the killed run to continue"
  "$flipcost" cost 1..60000 -a fast-dice-roller -c n,expected_exact -o "größer.csv" --resume
  cmp whole.csv "größer.csv"
  # A file that another program has open is replaced completely, or kept with a message.
  "$flipcost" cost 6 -f csv -o open.csv
  cp open.csv before.csv
  wine "$work/windows/hold.exe" open.csv &
  pid=$!
  for _ in $(seq 200); do [ -f held ] && break; sleep 0.05; done
  if "$flipcost" cost 7 -f csv -o open.csv 2>said; then
    fail "a file that another program holds was replaced"
  fi
  wait $pid
  cmp open.csv before.csv
  grep -q "another program has it open" said || fail "it is not said that the file is open: $(cat said)"
  [ "$(find . -name '.flipcost-*' | wc -l)" = 0 ] || fail "a temporary file is left"
  "$flipcost" cost 7 -f csv -o open.csv 2>/dev/null
  "$here" cost 7 -f csv | cmp - open.csv
  # Files with the line ends of Windows are read: weights, lists of the OEIS, studies.
  printf '4\r\n7\r\n8\r\n' >weights.txt
  printf '4\n7\n8\n' >weights-unix.txt
  "$flipcost" cost @weights.txt -f csv >windows.csv
  "$here" cost @weights-unix.txt -f csv | cmp - windows.csv
  "$here" sequence A136043 --terms 50 -f b-file -o b136043.txt
  sed 's/$/\r/' b136043.txt >b-windows.txt
  "$flipcost" oeis check A136043 --against b-windows.txt >windows.txt
  "$here" oeis check A136043 --against b136043.txt | cmp - windows.txt
  "$here" reproduce --keys example >study.toml
  sed 's/$/\r/' study.toml >"prüfung.toml"
  cp study.toml "$work/prüfung.toml"
  "$flipcost" reproduce "prüfung.toml" --root . >claims.csv
  (mkdir "$work/unix" && cd "$work/unix" && "$here" reproduce "$work/prüfung.toml" --root . >claims.csv)
  cmp "$work/unix/claims.csv" claims.csv
  diff -r "$work/unix/data" data
  diff -r "$work/unix/figures" figures
  # A console with a code page still shows Unicode.
  cat >console.py <<'PYTHON'
import os, pty, sys
shown = b""
def read(fd):
    global shown
    part = os.read(fd, 4096)
    shown += part
    return part
os.environ["TERM"] = "xterm"
pty.spawn(["wine", "cmd", "/c", "chcp 850 & " + sys.argv[1] + " cost 6 --no-pager"], read)
text = shown.decode("utf-8")
assert "11/3 ≈ 3.667" in text, text
PYTHON
  python3 console.py "$(winepath -w "$work/windows/flipcost.exe")" </dev/null >console.txt
  # The page is opened by the system's default program for addresses.
  mkdir bin
  printf '#!/bin/sh\necho "$1" >"%s/opened"\n' "$folder" >bin/xdg-open
  chmod +x bin/xdg-open
  PATH="$folder/bin:$PATH" "$flipcost" explore --open --port 0 >url &
  pid=$!
  for _ in $(seq 200); do [ -s opened ] && break; sleep 0.05; done
  [ "$(cat opened)" = "$(tr -d '\r' <url)" ] || fail "explore --open opened $(cat opened)"
  curl -fsS "$(tr -d '\r' <url)" | grep -q "<title>flipcost"
  kill -9 $pid
  cd - >/dev/null
  echo "what only Windows has is well"
}

on_windows() {
  mkdir "$work/windows"
  python3 -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])' "$windows" "$work/unpacked"
  mv "$work"/unpacked/*/flipcost.exe "$work/windows"
  # wine 8 has no bcryptprimitives.dll, from which Rust's standard library takes its random words
  x86_64-w64-mingw32-gcc -O -shared -o "$work/windows/bcryptprimitives.dll" -x c - -ladvapi32 <<'C'
#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count) { return RtlGenRandom(bytes, count); }
C
  # a program that keeps a file open for three seconds, as a spreadsheet does
  x86_64-w64-mingw32-gcc -O -municode -o "$work/windows/hold.exe" -x c - <<'C'
#include <windows.h>
int wmain(int count, wchar_t **words) {
  HANDLE file = CreateFileW(words[1], GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, 0, OPEN_EXISTING, 0, 0);
  if (file == INVALID_HANDLE_VALUE) return 1;
  CloseHandle(CreateFileW(L"held", GENERIC_WRITE, 0, 0, CREATE_ALWAYS, 0, 0));
  Sleep(3000);
  return 0;
}
C
  # In about one of a thousand runs, a thread starts while its process ends, finds wine's socket
  # closed, and wine 8 prints a message.
  gcc -O -shared -fPIC -o "$work/windows/ends.so" -x c - <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>
ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
  ssize_t (*send)(int, const struct msghdr *, int) = dlsym(RTLD_NEXT, "sendmsg");
  ssize_t sent = send(socket, message, flags);
  while (sent < 0 && (errno == ENOTSOCK || errno == EBADF)) pause();
  return sent;
}
C
  printf '#!/bin/sh\nLD_PRELOAD=%s exec wine %s "$@"\n' "$work/windows/ends.so" "$work/windows/flipcost.exe" >"$work/flipcost-windows"
  chmod +x "$work/flipcost-windows"
  wine wineboot --init >/dev/null 2>&1 || true
  wineserver -w || true
  wineserver -p # until the end, lest a run meets one that ends
  step outputs "$work/flipcost-windows"
  step studies "$work/flipcost-windows"
  step only_windows "$work/flipcost-windows"
  # These tests need features of Unix that Windows lacks: links, permissions, locks of a Unix
  # program, named pipes, devices as files, closed outputs, terminals of Linux. One test uses a word
  # that is too long for a command line of Windows.
  step command_line "$work/flipcost-windows" --skip does_not_follow_links --skip links_and_permissions \
    --skip standard_input_is_checked --skip standard_output_can_be_named_by_its_path --skip two_runs_do_not_write_one_file \
    --skip files_that_cannot_be_continued --skip unwritable_output --skip waits_until_the_last_run_removed_its_journal \
    --skip other_files_are_not_taken_for_a_part --skip a_sentence_fits_a_terminal --skip terminal::
}

for system in $systems; do
  case $system in
  aarch64 | windows) "on_$system" ;;
  *) fail "\"$system\" is no system: aarch64 and windows were expected" ;;
  esac
done
echo "$systems: all is as it is here"
