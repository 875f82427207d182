"""Builds vouch._core: the extension in src/_core, with the library of the same checkout linked into it.

The library is built by CMake, once for each build folder. VOUCH_LIBRARY names a libvouch.a that is there already.
A source distribution carries the library's sources in the folder library/, and is built from these.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # before setuptools 70.1
    from wheel.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent
CARRIED = HERE / "library"
ROOT = CARRIED if CARRIED.is_dir() else HERE.parent
LIMITED_API = 0x030B0000
# What CMake needs to build the library.
SOURCES = ["CMakeLists.txt", "LICENSE", "vouch.pc.in", "include", "src"]
SOURCES += ["bench/trees.c", "bench/draws.c", "bench/forecast_draws.c"]


def version() -> str:
    """The version that the library's CMakeLists.txt gives."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"project\(vouch VERSION ([0-9.]+)", text)
    if not found:
        raise SystemExit(f"{ROOT / 'CMakeLists.txt'}: expected project(vouch VERSION ...)")
    return found.group(1)


def static_library(build: Path) -> str:
    """The path of libvouch.a, which is built in the folder `build` if it is not given."""
    given = os.environ.get("VOUCH_LIBRARY")
    if given:
        return given
    configure = ["cmake", "-S", str(ROOT), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF"]
    subprocess.run(configure, check=True)
    jobs = str(os.cpu_count() or 1)
    subprocess.run(["cmake", "--build", str(build), "--target", "vouch_static", "-j", jobs], check=True)
    return str(build / "libvouch.a")


class BuildExtension(build_ext):
    def build_extension(self, ext: Extension) -> None:
        library = static_library(Path(self.build_temp).resolve() / "libvouch")
        ext.extra_objects = [library]
        ext.depends = [*ext.depends, library]
        super().build_extension(ext)


class SourcesOfAll(sdist):
    """A source distribution that carries the library's sources, too."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        for name in SOURCES:
            to = Path(base_dir, "library", name)
            to.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, to, dirs_exist_ok=True)
            else:
                shutil.copy2(ROOT / name, to)


class StableWheel(bdist_wheel):
    """One wheel for every CPython from 3.11 on."""

    def finalize_options(self) -> None:
        self.py_limited_api = "cp311"
        super().finalize_options()


core = Extension(
    "vouch._core",
    sources=sorted(str(path.relative_to(HERE)) for path in (HERE / "src/_core").glob("*.c")),
    depends=[*sorted(str(path.relative_to(HERE)) for path in (HERE / "src/_core").glob("*.h")),
             str(ROOT / "include/vouch.h")],
    include_dirs=[str(ROOT / "include")],
    define_macros=[("Py_LIMITED_API", hex(LIMITED_API)), ("_POSIX_C_SOURCE", "200809L")],
    extra_compile_args=["-std=c11", "-Wall", "-Wextra", "-Wshadow", "-Wstrict-prototypes", "-fvisibility=hidden"],
    libraries=["archive", "jansson", "utf8proc", "m"],
    extra_link_args=["-pthread"],
    py_limited_api=True,
)

setup(
    version=version(),
    ext_modules=[core],
    cmdclass={"build_ext": BuildExtension, "bdist_wheel": StableWheel, "sdist": SourcesOfAll},
)
