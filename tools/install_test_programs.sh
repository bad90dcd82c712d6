#!/bin/sh
# Chromium (browser tests) and LibreOffice Writer (tests that open what Stet wrote), from apt when root.
# Without root the tests that need them are skipped and say so; with CI=true they fail instead.
set -eu
missing=""
command -v chromium >/dev/null || missing="$missing chromium"
command -v soffice >/dev/null || missing="$missing libreoffice-writer-nogui"
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing$missing ..."
  apt-get update -qq
  # shellcheck disable=SC2086  # one word per package
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing fonts-dejavu-core >/dev/null
else
  echo "Some tests will be skipped; to run them: sudo apt-get install$missing" >&2
fi
