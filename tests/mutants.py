"""Make small mistakes in every equation of the site and see whether the checks notice.

Run it as `make mutants`: it prints the score and fails unless it is 100 %.
"""

import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

from eqcheck import EquationError, Sample, check_chain, parse
from eqcheck.tree import Chain
from runner.equations import samples_of
from site_builder.cache import Cache
from site_builder.directives import DIRECTIVES
from site_builder.observe.process import SubjectProcess
from site_builder.observe.run import observe
from site_builder.observe.verdicts import check_request
from site_builder.problem import Report
from site_builder.resolve.directive import checked_equations
from site_builder.resolve.project import read_project
from tests.eqcheck.mutate import mutants

ROOT = Path(__file__).parent.parent
EQUAL = Path(__file__).with_name("equal_mutants.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What became of the mutants of one equation."""

    equation: str
    caught: tuple[str, ...]
    survived: tuple[str, ...]
    equal: frozenset[str]

    @property
    def missed(self) -> list[str]:
        """Those that survived although they say something else."""
        return sorted(name for name in self.survived if name not in self.equal)

    @property
    def wrongly_listed(self) -> list[str]:
        """Those that are listed as equal and were all caught, or do not exist."""
        return sorted(self.equal.difference(self.survived))


def scores(root: Path = ROOT) -> list[Score]:
    """Check every mutant of every equation that is executed."""
    report = Report()
    project = read_project(root, DIRECTIVES, report)
    listed = tomllib.loads(EQUAL.read_text("utf-8"))
    with (
        SubjectProcess(root, 600) as process,
        tempfile.TemporaryDirectory() as cache,
    ):
        observation = observe(
            process,
            project.settings,
            project.codebase,
            project.requests,
            Cache(Path(cache)),
            report,
        )
        report.raise_if_any()
        found: dict[str, list[tuple[str, bool]]] = {}
        for page in checked_equations(project.documents):
            if page.check is None:
                continue
            request = check_request(page.check, page, project.codebase, observation, report)
            report.raise_if_any()
            assert request
            symbols, samples, _ = samples_of(request)  # here: no mutant can harm this process
            for equation in page.equations:
                if equation.unchecked is None:
                    found[equation.id] = [
                        (mutant.description, _is_caught(mutant.chain, samples))
                        for chain in parse(equation.latex, symbols)
                        for mutant in mutants(chain, symbols)
                    ]
    return [
        Score(
            equation=equation,
            caught=tuple(name for name, caught in results if caught),
            survived=tuple(name for name, caught in results if not caught),
            equal=frozenset(listed.get(equation, {}).get("equal", ())),
        )
        for equation, results in found.items()
    ]


def _is_caught(chain: Chain, samples: tuple[Sample, ...]) -> bool:
    try:
        return not all(check_chain(chain, [sample]).holds for sample in samples)
    except EquationError:
        return True


def main() -> int:
    """Print the score; returns the exit code."""
    found = scores()
    for score in found:
        print(f"{score.equation:32} {len(score.caught):4} caught {len(score.survived):3} equal")
        for name in score.missed:
            print(f"  not caught: {name}")
        for name in score.wrongly_listed:
            print(f"  listed as equal, and is not: {name}")
    caught = sum(len(score.caught) for score in found)
    missed = sum(len(score.missed) for score in found)
    wrong = sum(len(score.wrongly_listed) for score in found)
    print(f"{caught} of {caught + missed} mutants caught: {caught / (caught + missed):.1%}")
    return 1 if missed or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
