#!/bin/sh
# Makes a release and publishes nothing: .ci/release.sh VERSION [--targets TARGET...] [--without PART...]
# Writes into target/releases/VERSION: an archive for each target, wheels and the source for pip, the
# packages of Rust in crates/ (crates/ORDER has the order in which they must be published), and SHA256SUMS.
# The parts are checks (of licences and workflows), archives, wheels, crates, and verify (of crates).
# Needs cargo with rustup, Python and git. The linkers are Rust's own and zig's, which is in the virtual
# environment target/tools/release, whose packages have fixed versions. With the same compilers, the same
# files give the same bytes in every folder: paths are removed, and times are SOURCE_DATE_EPOCH, the time
# of the commit.
set -eu
cd "$(dirname "$0")/.."
complain() {
  echo "$*" >&2
  exit 2
}
all="x86_64-unknown-linux-musl aarch64-unknown-linux-musl x86_64-pc-windows-gnu aarch64-apple-darwin x86_64-apple-darwin"
targets= without= list= version=
for word; do
  case $word in
  --targets | --without) list=$word ;;
  -*) complain "\"$word\" is no option: --targets and --without were expected" ;;
  *)
    for one in $(echo "$word" | tr ',' ' '); do
      case $list in
      --targets)
        case " $all " in *" $one "*) targets="$targets $one" ;; *) complain "\"$one\" is no target of a release: choose of $all" ;; esac
        ;;
      --without)
        case " checks archives wheels crates verify " in *" $one "*) without="$without $one " ;; *) complain "\"$one\" is no part: checks, archives, wheels, crates or verify was expected" ;; esac
        ;;
      *)
        [ -z "$version" ] || complain "one VERSION was expected, and \"$version\" and \"$one\" are two"
        version=$one
        ;;
      esac
    done
    ;;
  esac
done
is=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
[ -n "$version" ] || complain "the version was expected, such as .ci/release.sh $is"
[ "$version" = "$is" ] || complain "this is version $is and not \"$version\": Cargo.toml says it in [workspace.package] and [workspace.dependencies]"
targets=${targets:-$all}
wants() { case $without in *" $1 "*) return 1 ;; esac; }
step() {
  echo "$*" | sed 's/.*CARGO_ENCODED_RUSTFLAGS[^ ]* //; s/^/\n== /' >&2
  "$@"
}

SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
# the seed of a package that would otherwise use random values when it is built
export CONST_RANDOM_SEED=flipcost
# the oldest macOS on which the program runs
export MACOSX_DEPLOYMENT_TARGET=11.0
# removes the paths of this machine, which panic messages would show
home=${CARGO_HOME:-$HOME/.cargo}
cargo fetch --quiet --locked
flags="--remap-path-prefix=$PWD=flipcost"
hash=$(rustc -vV | sed -n 's/^commit-hash: //p')
flags="$flags$(printf '\037')--remap-path-prefix=$(rustc --print sysroot)/lib/rustlib/src/rust=/rustc/$hash"
for packages in "$home"/registry/src/*; do
  flags="$flags$(printf '\037')--remap-path-prefix=$packages=packages"
done
# For size: functions with frame pointers need less unwind information for panic messages.
flags="$flags$(printf '\037')-Cforce-frame-pointers=yes"
export CARGO_ENCODED_RUSTFLAGS="$flags"

tools=$PWD/target/tools/release
needs="ziglang==0.17.1 cargo-zigbuild==0.24.1 maturin==1.16.0"
if [ "$(cat "$tools/needs" 2>/dev/null)" != "$needs" ]; then
  rm -rf "$tools"
  python3 -m venv "$tools"
  "$tools/bin/python" -m pip install --quiet --disable-pip-version-check $needs
  echo "$needs" >"$tools/needs"
fi
# maturin 1.16 passes a wrong function name to the linker for Windows, made of the package's and the
# module's name; this wrapper corrects it when maturin calls cargo.
mkdir -p "$tools/mended"
cat >"$tools/mended/cargo" <<SH
#!/bin/sh
sed -i 's/PyInit_flipcost[.]_engine/PyInit__engine/' "$PWD/target/maturin/flipcost._engine.def" 2>/dev/null
exec "$(command -v cargo)" "\$@"
SH
chmod +x "$tools/mended/cargo"
PATH="$tools/bin:$PATH"
zig=$(python -c 'import pathlib, ziglang; print(pathlib.Path(ziglang.__file__).parent)')

out=$PWD/target/releases/$version
rm -rf "$out"
mkdir -p "$out"
left=

if wants checks; then
  step .ci/workflows.sh
  PATH="$(.ci/tools.sh cargo-deny@0.20.2):$PATH"
  # Advisories need a database from the network: run `cargo deny check advisories` by hand.
  step cargo deny --locked --workspace check --hide-inclusion-graph licenses sources bans
fi

# Prints the paths of the licences of the C runtime that is linked in.
runtime() {
  case $1 in
  *-musl) echo "$zig/lib/libc/musl/COPYRIGHT" ;;
  *-windows-gnu) echo "$zig/lib/libc/mingw/COPYING" ;;
  esac
}

# Prints the flags for a target. Without the option for macOS, zig's linker would name unused
# libraries in the program.
flags_of() {
  printf %s "$flags"
  case $1 in *-darwin) printf '\037-Clink-arg=-Wl,-dead_strip_dylibs' ;; esac
}

# Makes the archive of a target; the arguments are the ending of the program's name and that of the archive's.
archive() {
  folder=$out/flipcost-$version-$1
  mkdir "$folder"
  cp "target/$1/dist/flipcost$2" README.md CHANGELOG.md LICENSE-* "$folder"
  cp -R "$out/pages/." "$folder"
  python .ci/licences.py flipcost-cli "$1" $(runtime "$1") >"$folder/LICENSES-packages.txt"
  cp "$(rustc --print sysroot)/share/doc/rust/COPYRIGHT-library.html" "$folder/LICENSES-rust.html"
  python .ci/archive.py "$folder" "$folder.$3"
  rm -r "$folder"
}

# Builds the program. A static program needs only Rust's own linker and no relocation table; equal functions are merged.
program() {
  case $1 in
  *-musl)
    step env "CARGO_ENCODED_RUSTFLAGS=$(printf '%s\037' "$flags" -Clinker=rust-lld -Clink-arg=--icf=all)-Crelocation-model=static" \
      cargo build --quiet --locked --profile dist --target "$1" --package flipcost-cli
    ;;
  *) step env "CARGO_ENCODED_RUSTFLAGS=$(flags_of "$1")" cargo zigbuild --quiet --locked --profile dist --target "$1" --package flipcost-cli ;;
  esac
}

if wants archives; then
  here=
  linked=
  for target in $targets; do
    rustup --quiet target add "$target"
    if program "$target"; then
      linked="$linked $target"
      ! "target/$target/dist/flipcost" --version >/dev/null 2>&1 || here=target/$target/dist/flipcost
    else
      left="$left
the archive for $target is left out: it could not be built, see above"
    fi
  done
  # The manual and the completions are the same for all targets. A program that runs on this system
  # makes them.
  if [ -z "$here" ]; then
    step env -u CARGO_ENCODED_RUSTFLAGS cargo build --quiet --locked --release --package flipcost-cli
    here=target/release/flipcost
  fi
  mkdir -p "$out/pages/man" "$out/pages/completions"
  "$here" man --output "$out/pages/man"
  for shell in bash elvish fish powershell zsh; do
    "$here" completions $shell >"$out/pages/completions/flipcost.$shell"
  done
  for target in $linked; do
    case $target in *windows*) archive "$target" .exe zip ;; *) archive "$target" "" tar.gz ;; esac
  done
  rm -r "$out/pages"
fi

wheel() {
  rustup --quiet target add "$1"
  python .ci/licences.py flipcost-python "$1" >python/LICENSE-packages
  step env "PATH=$tools/mended:$PATH" "CARGO_ENCODED_RUSTFLAGS=$(flags_of "$1")" maturin build --quiet --locked --profile dist --zig --target "$1" $2 --manifest-path python/Cargo.toml --out "$out" ||
    left="$left
the wheel for $1 is left out: it could not be built, see above"
}

if wants wheels; then
  for target in $targets; do
    case $target in
    *-linux-musl)
      wheel "$target" "--compatibility musllinux_1_2"
      wheel "${target%musl}gnu" "--compatibility manylinux2014"
      ;;
    *) wheel "$target" "" ;;
    esac
  done
  rm -f python/LICENSE-packages
  step maturin sdist --manifest-path python/Cargo.toml --out "$out"
fi

if wants crates; then
  mkdir "$out/crates"
  # The packages are in the order of their dependencies; each is built from its packed files.
  order=$(cargo metadata --format-version 1 --no-deps --locked | python -c '
import json, sys
found = {p["name"]: p for p in json.load(sys.stdin)["packages"] if p["publish"] != []}
done = []
while len(done) < len(found):
    done += sorted(n for n, p in found.items() if n not in done
                   and all(d["name"] not in found or d["name"] in done or d["kind"] == "dev" for d in p["dependencies"]))
print("\n".join(done))')
  wants verify && verify= || verify=--no-verify
  step env -u CARGO_ENCODED_RUSTFLAGS cargo package --quiet --locked --allow-dirty $verify $(echo "$order" | sed 's/^/--package /')
  echo "$order" >"$out/crates/ORDER"
  for name in $order; do cp "target/package/$name-$version.crate" "$out/crates"; done
fi

(cd "$out" && find . -type f ! -name SHA256SUMS | sed 's,^\./,,' | LC_ALL=C sort | xargs python -c '
import hashlib, pathlib, sys
for name in sys.argv[1:]:
    print(hashlib.sha256(pathlib.Path(name).read_bytes()).hexdigest() + "  " + name)' >SHA256SUMS)
ls -l "$out"
if [ -n "$left" ]; then
  echo "$left" >&2
  exit 1
fi
