"""Builds vouch._core, the extension in src/_core with the library of the same checkout linked into it, and the program.

The library and the program are built by CMake, once for each build folder; `pip install -v` shows how far it is.
The program is one without the server, whose libraries have no place in a wheel (VOUCH_SERVE in CMakeLists.txt).
VOUCH_LIBRARY names a libvouch.a that is there already, with the program beside it. A source distribution carries the
sources of both in the folder library/, and is built from these.
"""

import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # before setuptools 70.1
    from wheel.bdist_wheel import bdist_wheel
try:
    from setuptools.command.build_scripts import build_scripts
except ImportError:
    from distutils.command.build_scripts import build_scripts

HERE = Path(__file__).resolve().parent
CARRIED = HERE / "library"
ROOT = CARRIED if CARRIED.is_dir() else HERE.parent
LIMITED_API = 0x030B0000
# Where Debian's package unicode-data is, and what the library is built with of it; a source distribution carries that.
UNICODE = CARRIED / "unicode" if CARRIED.is_dir() else Path("/usr/share/unicode")
PROPERTIES = ["auxiliary/WordBreakProperty.txt", "emoji/emoji-data.txt", "PropList.txt"]
# What CMake needs to build the library and the program, and the manual.
SOURCES = ["CMakeLists.txt", "LICENSE", "vouch.pc.in", "include", "src", "tools", "web", "man"]
LIBRARIES = {
    "libarchive": "libarchive-dev", "jansson": "libjansson-dev", "libutf8proc": "libutf8proc-dev",
    "libxxhash": "libxxhash-dev",
}  # fmt: skip
SERVER_PAGES = ["vouch-serve", "vouch-store"]  # of commands that the program does not have here
LINKED = ["libarchive", "jansson", "libutf8proc"]  # of xxHash, vouch uses the header
COMPILER = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"


def version() -> str:
    """The version that the library's CMakeLists.txt gives."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"project\(vouch VERSION ([0-9.]+)", text)
    if not found:
        raise SystemExit(f"{ROOT / 'CMakeLists.txt'}: expected project(vouch VERSION ...)")
    return found.group(1)


def succeeds(*command: str) -> bool:
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        return False


def missing_packages() -> list[str]:
    """The Debian packages of what is needed to build and is not there."""
    missing = [] if shutil.which("cmake") else ["cmake"]
    if not shutil.which("ninja") and not shutil.which("make"):
        missing.append("ninja-build")
    compiler = COMPILER.split()
    if not succeeds(*compiler, "-E", "-include", "stdio.h", "-x", "c", os.devnull):
        missing += ["gcc", "libc6-dev"]
    elif not succeeds(*compiler, "-E", "-include", "Random123/philox.h", "-x", "c", os.devnull):
        missing.append("librandom123-dev")
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        missing.append("python3-dev")
    if shutil.which("pkg-config"):
        missing += [package for name, package in LIBRARIES.items() if not succeeds("pkg-config", "--exists", name)]
    else:
        missing += ["pkg-config", *LIBRARIES.values()]
    if not all((UNICODE / name).exists() for name in PROPERTIES):
        missing.append("unicode-data")
    return missing


def build_folder(temporary: str) -> Path:
    """The folder that has libvouch.a and the program `vouch`, which are built if they are not given."""
    given = os.environ.get("VOUCH_LIBRARY")
    if given:
        return Path(given).resolve().parent
    missing = missing_packages()
    if missing:
        raise SystemExit(f"vouch: something is missing to build it: apt install {' '.join(missing)}")
    build = Path(temporary).resolve() / "libvouch"
    configure = ["cmake", "-S", str(ROOT), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF",
                 "-DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON", "-DVOUCH_SERVE=OFF", "-DVOUCH_COLD_FLAGS=-O1",
                 "-Wno-dev"]  # fmt: skip
    if shutil.which("ninja") and not (build / "CMakeCache.txt").exists():
        configure += ["-G", "Ninja"]
    if not (build / "vouch").exists():
        print("vouch: building the library and the program, which takes a minute of a processor's time", flush=True)
    subprocess.run(configure, check=True)
    jobs = str(os.cpu_count() or 1)
    targets = ["--target", "vouch_static", "vouch_command"]
    subprocess.run(["cmake", "--build", str(build), "-j", jobs, *targets], check=True)
    return build


def libraries() -> tuple[list[str], list[str]]:
    """What the extension is linked with besides libvouch.a, and the folders where that is looked for first."""
    done = subprocess.run(["pkg-config", "--libs", *LINKED], capture_output=True, encoding="utf-8")
    flags = done.stdout.split() if done.returncode == 0 else ["-larchive", "-ljansson", "-lutf8proc"]
    names, folders = ([flag[2:] for flag in flags if flag.startswith(start)] for start in ("-l", "-L"))
    return [*names, "m"], folders


class BuildExtension(build_ext):
    def build_extension(self, ext: Extension) -> None:
        library = str(build_folder(self.build_temp) / "libvouch.a")
        ext.extra_objects = [library]
        ext.libraries, ext.library_dirs = libraries()
        ext.depends = [*ext.depends, library]
        super().build_extension(ext)


class BuildProgram(build_scripts):
    """The program goes where scripts go, as it is: pip puts it on the PATH."""

    def get_source_files(self) -> list[str]:
        return []

    def run(self) -> None:
        program = build_folder(self.get_finalized_command("build_ext").build_temp) / "vouch"
        self.mkpath(self.build_dir)
        self.copy_file(str(program), self.build_dir)


class SourcesOfAll(sdist):
    """A source distribution that carries the library's sources, too."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        # The manual comes with the sources below; files outside of this folder would be copied outside of base_dir.
        super().make_release_tree(base_dir, [name for name in files if not name.startswith(os.pardir)])
        for name in SOURCES:
            to = Path(base_dir, "library", name)
            to.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, to, ignore=shutil.ignore_patterns("node_modules"), dirs_exist_ok=True)
            else:
                shutil.copy2(ROOT / name, to)
        for name in PROPERTIES:
            to = Path(base_dir, "library/unicode", name)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(UNICODE / name, to)


class StableWheel(bdist_wheel):
    """One wheel for every CPython from 3.11 on."""

    def finalize_options(self) -> None:
        self.py_limited_api = "cp311"
        super().finalize_options()


def documents() -> list[tuple[str, list[str]]]:
    """The manual, where man(1) looks for that of an environment's programs, and licences of what is linked statically.

    VOUCH_LICENSES names the folder of these: script/wheel sets it.
    """
    pages = sorted(page for page in (ROOT / "man").glob("*.[1-8]") if page.stem not in SERVER_PAGES)
    found = [(f"share/man/man{n}", [os.path.relpath(page, HERE) for page in pages if page.suffix == f".{n}"])
             for n in sorted({page.suffix[1:] for page in pages})]  # fmt: skip
    licenses = os.environ.get("VOUCH_LICENSES")
    if licenses:
        found.append(("share/doc/vouch", sorted(os.path.relpath(path, HERE) for path in Path(licenses).iterdir())))
    return found


core = Extension(
    "vouch._core",
    sources=sorted(str(path.relative_to(HERE)) for path in (HERE / "src/_core").glob("*.c")),
    depends=[*sorted(str(path.relative_to(HERE)) for path in (HERE / "src/_core").glob("*.h")),
             str(ROOT / "include/vouch.h")],
    include_dirs=[str(ROOT / "include")],
    define_macros=[("Py_LIMITED_API", hex(LIMITED_API)), ("_POSIX_C_SOURCE", "200809L")],
    extra_compile_args=["-std=c11", "-Wall", "-Wextra", "-Wshadow", "-Wstrict-prototypes", "-fvisibility=hidden"],
    extra_link_args=["-pthread", "-Wl,--exclude-libs,ALL"],
    py_limited_api=True,
)

setup(
    version=version(),
    ext_modules=[core],
    scripts=["vouch"],  # which BuildProgram makes
    data_files=documents(),
    cmdclass={"build_ext": BuildExtension, "build_scripts": BuildProgram, "bdist_wheel": StableWheel,
              "sdist": SourcesOfAll},
)
