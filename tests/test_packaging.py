"""The pane is built only when its sources changed, packages carry it, locks fit what is asked for."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

from build_pane import NODE_WHEEL, Pane, PaneBuildError  # noqa: E402

FAKE_NPM = """#!{python}
import pathlib, sys
log = pathlib.Path("../npm.log")
log.write_text((log.read_text() if log.exists() else "") + " ".join(sys.argv[1:]) + "\\n")
if sys.argv[1] == "run":
    source = pathlib.Path("src/main.tsx").read_text()
    if source == "broken":
        sys.exit(3)
    output = pathlib.Path("../server/static")
    output.mkdir(parents=True, exist_ok=True)
    (output / "index.html").write_text(source)
else:
    pathlib.Path("node_modules").mkdir(exist_ok=True)
"""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project whose npm on PATH copies `main.tsx` to `index.html`, and logs what it was asked."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "npm").write_text(FAKE_NPM.format(python=sys.executable))
    (programs / "node").write_text("#!/bin/sh\necho v22.1.0\n")
    for program in programs.iterdir():
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    source = tmp_path / "taskpane" / "src"
    source.mkdir(parents=True)
    (source / "main.tsx").write_text("first")
    (tmp_path / "taskpane" / "package-lock.json").write_text("{}")
    return tmp_path


def npm_calls(checkout: Path) -> list[str]:
    log = checkout / "npm.log"
    return [line.split()[0] for line in log.read_text().splitlines()] if log.exists() else []


def test_the_pane_is_built_once_and_again_only_when_a_source_changed(checkout: Path) -> None:
    assert Pane(checkout).build()
    assert not Pane(checkout).build()
    assert npm_calls(checkout) == ["ci", "run"]

    (checkout / "taskpane" / "src" / "main.tsx").write_text("second")
    assert Pane(checkout).build()
    assert npm_calls(checkout) == ["ci", "run", "run"]
    assert (checkout / "server" / "static" / "index.html").read_text() == "second"


def test_neither_times_nor_tests_nor_modules_make_the_pane_stale(checkout: Path) -> None:
    Pane(checkout).build()
    os.utime(checkout / "taskpane" / "src" / "main.tsx", (1, 1))
    for folder in ("test", "node_modules/preact", "coverage"):
        (checkout / "taskpane" / folder).mkdir(parents=True)
        (checkout / "taskpane" / folder / "new.ts").write_text("new")
    assert Pane(checkout).is_fresh()


def test_a_renamed_source_makes_the_pane_stale(checkout: Path) -> None:
    Pane(checkout).build()
    source = checkout / "taskpane" / "src"
    (source / "other.tsx").write_text("")
    assert not Pane(checkout).is_fresh()


def test_modules_are_installed_again_when_the_lock_changed(checkout: Path) -> None:
    pane = Pane(checkout)
    pane.install_modules(everything=True)
    pane.install_modules(everything=False)
    assert npm_calls(checkout) == ["ci"], "what the tests need holds what building needs"
    (checkout / "taskpane" / "package-lock.json").write_text('{"lockfileVersion": 3}')
    pane.install_modules(everything=False)
    assert npm_calls(checkout) == ["ci", "ci"]


def test_modules_for_tests_are_not_thinned_out_by_a_build(checkout: Path) -> None:
    Pane(checkout).install_modules(everything=True)
    (checkout / "taskpane" / "package-lock.json").write_text('{"lockfileVersion": 3}')
    Pane(checkout).install_modules(everything=False)
    assert "--omit=dev" not in (checkout / "npm.log").read_text()


def test_a_failed_build_leaves_the_pane_stale_and_says_which_command_failed(checkout: Path) -> None:
    Pane(checkout).build()
    (checkout / "taskpane" / "src" / "main.tsx").write_text("broken")
    with pytest.raises(PaneBuildError, match=r"npm run .* exit code 3"):
        Pane(checkout).build()
    assert not Pane(checkout).is_fresh()


@pytest.mark.parametrize("version", ["v18.20.0", "v20.18.9", "none"])
def test_without_a_usable_node_one_sentence_says_what_to_do(checkout: Path, version: str) -> None:
    (checkout / "bin" / "node").write_text(f"#!/bin/sh\necho {version}\n")
    with pytest.raises(PaneBuildError, match=r"needs Node 20\.19 or newer.*pip install"):
        Pane(checkout).build()


def test_a_package_without_pane_sources_needs_no_npm(checkout: Path) -> None:
    Pane(checkout).build()
    (checkout / "taskpane").rename(checkout / "elsewhere")
    assert not Pane(checkout).build()


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's wheel and sdist, built by its own build backend."""
    folder = tmp_path_factory.mktemp("packages")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_the_wheel_carries_the_built_pane_the_licence_and_the_command(packages: Path) -> None:
    (wheel,) = packages.glob("stet_word-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (entry_points,) = (name for name in names if name.endswith("entry_points.txt"))
        assert "stet = server.cli:main" in archive.read(entry_points).decode()
        (metadata,) = (name for name in names if name.endswith("dist-info/METADATA"))
        assert "License-Expression: MIT" in archive.read(metadata).decode()
    assert {"server/static/index.html", "server/static/taskpane.html", "server/manifest.xml"} <= names
    assert any(name.startswith("server/static/assets/") and name.endswith(".js") for name in names)
    assert any(name.endswith("licenses/LICENSE") for name in names)
    tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == {"agent", "server"}


def test_what_the_sdist_holds_is_installed_without_node(packages: Path, tmp_path: Path) -> None:
    (sdist,) = packages.glob("stet_word-*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.iterdir()
    assert (unpacked / "taskpane" / "src").is_dir()
    assert not (unpacked / "taskpane" / "node_modules").exists()
    assert Pane(unpacked).is_fresh()


def test_the_build_asks_for_node_only_when_it_must_build_and_has_none(checkout: Path) -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from hatch_build import PaneBuildHook\n"
        "hook = PaneBuildHook.__new__(PaneBuildHook)\n"
        "hook._BuildHookInterface__root = sys.argv[2]\n"
        "print(hook.dependencies())\n"
    )

    def asked() -> str:
        command = [sys.executable, "-c", program, str(ROOT), str(checkout)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    assert asked() == "[]", "there is a Node"
    (checkout / "bin" / "node").rename(checkout / "bin" / "not-node")
    assert asked() == f"['{NODE_WHEEL}']"
    (checkout / "bin" / "not-node").rename(checkout / "bin" / "node")
    Pane(checkout).build()
    (checkout / "bin" / "node").unlink()
    assert asked() == "[]", "the pane is fresh"


def project_table() -> dict[str, list[str]]:
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = table["optional-dependencies"]
    return {
        "requirements.lock": table["dependencies"],
        "requirements-dev.lock": table["dependencies"] + extras["dev"] + extras["test"],
        "requirements-intent.lock": table["dependencies"] + extras["intent"],
    }


def pins(lock: str) -> dict[str, list[Requirement]]:
    """Name to its pins; a package may be pinned apart for different Pythons."""
    found: dict[str, list[Requirement]] = {}
    for line in (ROOT / lock).read_text(encoding="utf-8").splitlines():
        requirement = Requirement(line)
        found.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return found


@pytest.mark.parametrize("lock", sorted(project_table()))
def test_each_dependency_is_pinned_within_what_the_project_asks_for(lock: str) -> None:
    pinned = pins(lock)
    for line in project_table()[lock]:
        wanted = Requirement(line)
        assert canonicalize_name(wanted.name) in pinned, f"{wanted.name} is not in {lock}: run `make lock`"
        for pin in pinned[canonicalize_name(wanted.name)]:
            (exact,) = pin.specifier
            assert exact.operator == "=="
            assert wanted.specifier.contains(exact.version), f"{pin} does not fit {wanted}: run `make lock`"


def test_the_locks_agree_where_they_pin_the_same() -> None:
    run = {name: list(map(str, found)) for name, found in pins("requirements.lock").items()}
    for lock in ("requirements-dev.lock", "requirements-intent.lock"):
        other = pins(lock)
        differing = {
            name
            for name in run
            if {str(pin).split(";")[0] for pin in other[name]} != {pin.split(";")[0] for pin in run[name]}
        }
        assert not differing, f"{lock} differs from requirements.lock in {differing}: run `make lock`"


def test_no_lock_names_where_a_package_is_downloaded_from() -> None:
    lock = json.loads((ROOT / "taskpane" / "package-lock.json").read_text(encoding="utf-8"))
    assert not [name for name, entry in lock["packages"].items() if "resolved" in entry]
    for path in ROOT.glob("requirements*.lock"):
        assert "://" not in path.read_text(encoding="utf-8")


FAKE_PYTHON = """#!/bin/sh
case "$*" in
  *"import ensurepip"*) test -e "{folder}/python3-venv-installed" ;;
  *version_info*) exit {too_old} ;;
  --version) echo "Python 3.9.2" ;;
  "-m venv .venv") mkdir -p .venv/bin && touch .venv/bin/python ;;
esac
"""


@pytest.fixture
def debian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with programs of a Debian whose Python comes without ensurepip, alone on PATH; we are root."""
    installed = tmp_path / "python3-venv-installed"
    programs = {
        "python3": FAKE_PYTHON.format(folder=tmp_path, too_old=0),
        "apt-get": f'#!/bin/sh\ncase "$*" in *python3-venv*) touch "{installed}" ;; esac\n',
        "id": "#!/bin/sh\necho 0\n",
    }
    for name, text in programs.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    for name in ("sh", "rm", "mkdir", "touch"):
        found = shutil.which(name)
        assert found
        (tmp_path / name).symlink_to(found)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("PYTHON", raising=False)
    return tmp_path


def make_venv(folder: Path) -> subprocess.CompletedProcess[str]:
    command = ["sh", str(ROOT / "tools" / "make_venv.sh")]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_root_gets_the_missing_ensurepip_from_apt(debian: Path) -> None:
    done = make_venv(debian)
    assert done.returncode == 0, done.stderr
    assert (debian / ".venv" / "bin" / "python").exists()


def test_another_user_is_told_which_package_is_missing(debian: Path) -> None:
    (debian / "id").write_text("#!/bin/sh\necho 1000\n")
    done = make_venv(debian)
    assert done.returncode == 1
    assert done.stderr.strip().splitlines() == [
        "This Python cannot make environments yet: run 'sudo apt-get install python3-venv' and try again."
    ]
    assert not (debian / ".venv").exists()


def test_a_python_that_is_too_old_is_named(debian: Path) -> None:
    (debian / "python3").write_text(FAKE_PYTHON.format(folder=debian, too_old=1))
    done = make_venv(debian)
    assert done.returncode == 1
    assert "Python 3.11 or newer is needed; python3 is Python 3.9.2" in done.stderr
