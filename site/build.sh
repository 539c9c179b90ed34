#!/bin/sh
# Builds the page with its engine as WebAssembly into a folder (default site/dist), for any static host:
#   site/build.sh [FOLDER]
# FLIPCOST_ADDRESS is the page's future address, such as https://dice.example/flipcost: the page then
# names this address, and a picture for sites that link to it.
# FLIPCOST_SITE_TARGET is the folder in which cargo builds (by default target/site).
# The build uses rustup's target (rustup target add wasm32-unknown-unknown) if it is installed, else
# Debian's packages rustc-web, cargo-web, rust-web-src and lld. With the package binaryen the module
# becomes smaller and is split in two. If site/studies exists (.ci/site.sh makes it), it becomes part of
# the page.
set -eu
cd "$(dirname "$0")/.."
out=${1:-site/dist}
target=wasm32-unknown-unknown
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
address=${FLIPCOST_ADDRESS:-}
case $address in
*[!A-Za-z0-9./:_~-]*) place= ;;
http://?* | https://?*)
  place='<link rel="canonical" href="'${address%/}/'">\
<meta property="og:url" content="'${address%/}/'">\
<meta property="og:image" content="'${address%/}/page.png'">\
<meta name="twitter:card" content="summary_large_image">\
'
  ;;
*) place= ;;
esac
if [ -n "$address" ] && [ -z "$place" ]; then
  echo "FLIPCOST_ADDRESS is \"$address\": the address of a folder was expected, such as https://dice.example/flipcost" >&2
  exit 2
fi
# A worker has no randomness of an operating system: the page passes seeds from the browser instead.
# Users' programs may be recursive: the stack has room for the depth that they are allowed.
export RUSTFLAGS='--cfg getrandom_backend="unsupported" -C link-arg=-zstack-size=4194304'
# The seed of a package that rhai uses, which would otherwise be random, so that equal sources make equal modules.
export CONST_RANDOM_SEED=flipcost
export CARGO_TARGET_DIR="${FLIPCOST_SITE_TARGET:-target/site}"

if rustc --print target-libdir --target $target >/dev/null 2>&1 &&
  [ -d "$(rustc --print target-libdir --target $target)" ]; then
  cargo build --quiet --locked --profile page --target $target --package flipcost-page-wasm
elif [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ] && command -v wasm-ld >/dev/null; then
  PATH="/usr/bin:$PATH" RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld \
    /usr/bin/cargo build --quiet --locked --profile page --target $target --package flipcost-page-wasm \
    -Zbuild-std=std,panic_abort
else
  echo "there is no compiler for WebAssembly: rustup target add $target, or apt-get install rustc-web cargo-web rust-web-src lld" >&2
  exit 2
fi
built=$CARGO_TARGET_DIR/$target/page/flipcost_page_wasm.wasm

rm -rf "$out"
mkdir -p "$out"
# Copies the book's glossary, to which the page's terms lead.
cp -R crates/page/page/. docs/glossary.md "$out"
mv "$out/engine-wasm.js" "$out/engine.js"
cp figures/page.png "$out/page.png"
sed "s/{version}/$version/; s,^</head>,$place&," crates/page/page/index.html >"$out/index.html"
# Compresses the module, because not every host compresses its responses; the worker unpacks it.
pack() {
  node site/strip.mjs "$out/$1"
  bytes=$(wc -c <"$out/$1")
  gzip -9n "$out/$1"
  echo "$out/$1.gz: $(wc -c <"$out/$1.gz") bytes, $bytes unpacked"
}
if command -v wasm-split >/dev/null; then
  flags="--enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int --enable-mutable-globals --enable-reference-types --enable-multivalue"
  work=$CARGO_TARGET_DIR/split
  mkdir -p "$work"
  # Keeps only the exports that the worker calls; others belong to packages that expect a binding generator.
  wasm-metadce $flags "$built" -f site/exports.json -o "$work/called.wasm" >/dev/null
  wasm-opt $flags -Oz -tnh --low-memory-unused --strip-debug --strip-producers "$work/called.wasm" -o "$work/whole.wasm"
  # Splits the module in two: the functions that the first view runs, and the rest, which is fetched when needed.
  wasm-split $flags --instrument "$work/whole.wasm" -o "$work/watched.wasm"
  node site/first.mjs "$work/watched.wasm" "$work/profile"
  wasm-split $flags "$work/whole.wasm" --profile="$work/profile" --placeholder-namespace=p --export-prefix=% \
    -o1 "$out/engine.wasm" -o2 "$out/rest.wasm"
  pack engine.wasm
  pack rest.wasm
else
  cp "$built" "$out/engine.wasm"
  pack engine.wasm
fi
if [ -d site/studies ]; then
  cp -R site/studies "$out/studies"
fi
# Lists the files that the browser keeps for use without a network.
(cd "$out" && find . -type f ! -name offline.js ! -name page.png ! -path './studies/*' | sed 's,^\./,,' | LC_ALL=C sort |
  sed 's/.*/"&"/' | paste -sd, - | sed 's/.*/[&]/') >"$out/files.json"
