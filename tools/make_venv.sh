#!/bin/sh
# Makes .venv with the machine's Python. Debian splits ensurepip off into python3-venv; root gets it from apt.
set -eu
python="${PYTHON:-python3}"
say() { echo "$*" >&2; exit 1; }

command -v "$python" >/dev/null || say "Python 3.11 or newer is needed: install python3 and python3-venv."
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
  say "Python 3.11 or newer is needed; $python is $("$python" --version). Name another one: make PYTHON=python3.12 run"

if ! "$python" -c 'import ensurepip' 2>/dev/null; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing python3-venv ..."
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq python3-venv >/dev/null
  else
    say "This Python cannot make environments yet: run 'sudo apt-get install python3-venv' and try again."
  fi
fi
rm -rf .venv
"$python" -m venv .venv
