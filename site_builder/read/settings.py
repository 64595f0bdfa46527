"""Read content/site.toml."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from site_builder.problem import Place, Report
from site_builder.read.text import read_text

SETTINGS_PATH = "content/site.toml"
_KNOWN = {
    "title",
    "description",
    "url",
    "repository",
    "code",
    "dimensions",
    "map",
    "moved",
    "observe",
}
_STUDY = {"configuration", "runs", "sizes"}
_OBSERVE = _STUDY | {"lessons", "parameters", "decayed", "time_limit"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """Code that is run under several configurations, and the names of its sizes.

    Attributes:
        configuration: dotted name of a function that returns the configuration, a dataclass.
        runs: dotted names of functions of one argument, a configuration.
        sizes: two sets of fields to override, in each of which all sizes are distinct.
        dimensions: symbol -> attribute of the configuration, such as `T` -> `seq_len`.
    """

    configuration: str
    runs: tuple[str, ...]
    sizes: tuple[dict[str, int], ...]
    dimensions: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ObserveSettings:
    """How the code is run for observation.

    Attributes:
        studies: the subject first, then the lessons that have sizes of their own.
        parameters: dotted name of a function from the subject's configuration to arrays by name.
        decayed: dotted name of a function from that configuration to the names with weight decay.
        time_limit: seconds for all runs together.
    """

    studies: tuple[Study, ...]
    parameters: str
    decayed: str
    time_limit: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MapSettings:
    """The map of the model on the index page.

    Attributes:
        of: anchor of the variable at its end.
        without: parameters to omit.
    """

    of: str
    without: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The whole of site.toml.

    Attributes:
        url: where the site will be served, or empty.
        repository: web address of the repository, or empty.
        folders: pairs of a folder and its package name.
        subject: the package that the site explains.
        map: None if the index page has no map.
        moved: old name -> new name of pages that were renamed.
    """

    title: str
    description: str
    url: str
    repository: str
    folders: tuple[tuple[str, str], ...]
    subject: str
    moved: dict[str, str]
    observe: ObserveSettings
    map: MapSettings | None

    def address(self, path: str) -> str | None:
        """The address of a file of the site; None if `url` is empty."""
        return f"{self.url}/{'' if path == 'index.html' else path}" if self.url else None


def read_settings(root: Path, report: Report) -> Settings | None:
    """Read and check the settings; None after a report."""
    text = read_text(root, SETTINGS_PATH, report)
    if text is None:
        return None
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = int(str(error).partition("at line ")[2].partition(",")[0] or 0)
        report.add(
            Place(path=SETTINGS_PATH, line=line), f"is not valid TOML ({error})", "correct it"
        )
        return None
    try:
        return _settings(table)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        what = f"a setting is missing, unknown or of the wrong kind ({error})"
        report.add(Place(path=SETTINGS_PATH), what, "compare it with docs/authoring.md")
        return None


def _settings(table: dict[str, Any]) -> Settings:
    observe = table["observe"]
    lessons = observe.get("lessons", [])
    for name, keys, known in (
        ("the top", table, _KNOWN),
        ("[code]", table["code"], {"subject", "folders"}),
        ("[observe]", observe, _OBSERVE),
        ("[map]", table.get("map", {}), {"of", "without"}),
        *(("[[observe.lessons]]", lesson, _STUDY | {"dimensions"}) for lesson in lessons),
    ):
        unknown = sorted(keys.keys() - known)
        if unknown:
            raise KeyError(f"{', '.join(unknown)} at {name}")
    return Settings(
        title=table["title"],
        description=table["description"],
        url=table.get("url", "").rstrip("/"),
        repository=table.get("repository", ""),
        folders=tuple(table["code"]["folders"].items()),
        subject=table["code"]["subject"],
        moved={old: str(new) for old, new in table.get("moved", {}).items()},
        observe=ObserveSettings(
            studies=(
                _study(observe, table["dimensions"]),
                *(_study(lesson, lesson["dimensions"]) for lesson in lessons),
            ),
            parameters=observe["parameters"],
            decayed=observe["decayed"],
            time_limit=float(observe["time_limit"]),
        ),
        map=_map(table["map"]) if "map" in table else None,
    )


def _map(table: dict[str, Any]) -> MapSettings:
    return MapSettings(of=table["of"], without=tuple(table.get("without", ())))


def _study(table: dict[str, Any], dimensions: dict[str, str]) -> Study:
    return Study(
        configuration=table["configuration"],
        runs=tuple(table["runs"]),
        sizes=tuple(table["sizes"]),
        dimensions=dimensions,
    )
