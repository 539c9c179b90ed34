#!/bin/sh
# Installs Debian packages. If two scripts run this at the same time, one waits for the other.
set -eu
exec flock "${TMPDIR:-/tmp}/flipcost-install" sh -ec '
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null' -- "$@"
