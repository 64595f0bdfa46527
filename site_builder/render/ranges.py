"""Places for links to several lines: without JavaScript they lead to the first of them."""

import posixpath
import re
from collections.abc import Mapping

_LINK = re.compile(r'href="([^"#:]*)#(((?:[^"#]+-)?L\d+)-L\d+)"')


def place_ranges(pages: Mapping[str, str]) -> dict[str, str]:
    """The pages with an id such as `L43-L45` in line 43, for each range that any of them links to.

    Args:
        pages: the text of each HTML file of the site by its path.
    """
    wanted: dict[str, dict[str, set[str]]] = {}
    for path, text in pages.items():
        for file, range_, first in set(_LINK.findall(text)):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), file))
            lines = wanted.setdefault(target if file else path, {})
            lines.setdefault(first, set()).add(range_)
    return {path: _placed(text, wanted.get(path, {})) for path, text in pages.items()}


def _placed(text: str, wanted: Mapping[str, set[str]]) -> str:
    def with_ranges(match: re.Match[str]) -> str:
        ranges = sorted(wanted.get(match["id"], ()))
        return match[0] + "".join(f'<span class="range" id="{range_}"></span>' for range_ in ranges)

    return (
        re.sub(r'<span class="line" id="(?P<id>[^"]+)"[^>]*>', with_ranges, text)
        if wanted
        else text
    )
