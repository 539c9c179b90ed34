#!/bin/sh
# Installs Debian packages; scripts that run at the same time wait for one another.
set -eu
exec flock "${TMPDIR:-/tmp}/flipcost-install" sh -ec '
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null' -- "$@"
