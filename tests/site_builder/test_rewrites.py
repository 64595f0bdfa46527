"""Code that computes the same passes, and nothing is executed again that need not be."""

import pytest

from runner.protocol import EquationsAnswer, EquationsRequest, StudiesAnswer, StudiesRequest
from site_builder.observe.process import SubjectProcess, TaskResult
from tests.site_builder.projects import Project

pytestmark = pytest.mark.site

PAGE = "content/layer-norm.md"
OPS = "src/tinygpt/ops.py"
TOKENIZER = "src/tinygpt/tokenizer.py"
LESSON = "src/lessons/layer_norm_row.py"
MEAN = "mu = X.sum(axis=-1, keepdims=True) / d\n"
VARIANCE = "var = ((X - mu) ** 2).sum(axis=-1, keepdims=True) / d\n"
NORMALISED = "Xhat = (X - mu) * s\n"
DGAMMA = "    dgamma = (dY * Xhat).sum(axis=0)\n"
DBETA = "    dbeta = dY.sum(axis=0)\n    return dX, dgamma"

Asked = list[tuple[str, set[str]]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """What the subject's process is asked to do for equations: the task, and for which."""
    asked: Asked = []
    studies, equations = SubjectProcess.studies, SubjectProcess.equations

    def run(self: SubjectProcess, request: StudiesRequest) -> TaskResult[StudiesAnswer]:
        asked.append(("studies", set()))
        return studies(self, request)

    def check(self: SubjectProcess, request: EquationsRequest) -> TaskResult[EquationsAnswer]:
        asked.append(("equations", {equation["id"] for equation in request["equations"]}))
        return equations(self, request)

    monkeypatch.setattr(SubjectProcess, "studies", run)
    monkeypatch.setattr(SubjectProcess, "equations", check)
    return asked


@pytest.mark.parametrize(
    "edits",
    [
        pytest.param(
            [
                (MEAN, "mu = X.mean(-1, keepdims=True)\n"),
                (VARIANCE, "var = X.var(-1, keepdims=True)\n"),
            ],
            id="NumPy's own mean and variance",
        ),
        pytest.param(
            [
                (DGAMMA, '    dgamma = np.einsum("ti,ti->i", dY, Xhat)\n'),
                ("Xhat = (X - mu) * s\n", 'Xhat = np.einsum("...i,...j->...i", X - mu, s)\n'),
            ],
            id="einsum",
        ),
        pytest.param(
            [
                (VARIANCE, "deviations = X - mu\n    var = (deviations**2).mean(-1)[..., None]\n"),
                (NORMALISED, "Xhat = deviations * s\n"),
                (DGAMMA, "    products = dY * Xhat\n    dgamma = products.sum(axis=0)\n"),
            ],
            id="temporaries that no page names",
        ),
        pytest.param(
            [
                (DGAMMA, ""),
                (DBETA, DBETA.replace("    return", f"{DGAMMA}    return")),
                ("gamma * Xhat + beta", "beta + Xhat * gamma"),
                ("s = 1.0 / np.sqrt(var + epsilon)", "s = (epsilon + var) ** -0.5"),
            ],
            id="another order",
        ),
    ],
)
def test_code_that_computes_the_same_passes(
    site: Project, asked: Asked, edits: list[tuple[str, str]]
) -> None:
    for old, new in edits:
        site.replace(OPS, old, new)
    outcome = site.build()
    assert outcome.code == 0, outcome.errors
    (_, watched), (task, equations) = asked
    assert not watched
    assert task == "equations"
    assert len(equations) >= 16


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        pytest.param(PAGE, "All sums run over", "All of these sums run over", id="prose"),
        pytest.param(PAGE, ":caption: Mean of one row", ":caption: The mean", id="a caption"),
        pytest.param(
            TOKENIZER,
            "return len(self.alphabet)",
            "return len([*self.alphabet])",
            id="a module that is not imported",
        ),
        pytest.param(OPS, NORMALISED, f"# Its mean is 0.\n\n    {NORMALISED}", id="a comment"),
        pytest.param(OPS, "import numpy as np\n", "\n\nimport numpy as np\n", id="blank lines"),
        pytest.param(
            OPS, "Normalise each row of X, then", "Normalise every row of X, then", id="a docstring"
        ),
    ],
)
def test_verdicts_are_kept(site: Project, asked: Asked, path: str, old: str, new: str) -> None:
    """Where code has changed, it is watched, as shapes may differ; no equation is executed."""
    site.replace(path, old, new)
    outcome = site.build()
    assert outcome.code == 0, outcome.errors
    assert [task for task, _ in asked] == ["studies"] * path.startswith("src/")


def test_a_comment_is_found_where_it_moved_the_code_and_the_verdicts_still_bite(
    site: Project, asked: Asked
) -> None:
    """A verdict that was kept is not one for code that changed after it moved."""
    site.replace(OPS, "import numpy as np\n", "\n\n\nimport numpy as np\n")
    site.replace(OPS, NORMALISED, "Xhat = (X - mu) / s\n")
    line = site.line(OPS, "Xhat = (X - mu) / s")
    assert any(f"the code of {OPS}:{line} disagree" in problem for problem in site.problems())
    assert [task for task, _ in asked] == ["studies", "equations"]


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        pytest.param(OPS, NORMALISED, "Xhat = s * (X - mu)\n", id="a function"),
        pytest.param(LESSON, "    _, cache = layer_norm_forward(X, gamma, beta)\n    return",
                     "    Y, cache = layer_norm_forward(X, gamma, beta)\n    return",
                     id="the program"),
        pytest.param(PAGE, r"| d\beta | ops.layer_norm_backward:dbeta |",
                     r"| d\beta | ops.layer_norm_backward:return[2] |", id="a symbol's anchor"),
    ],
)  # fmt: skip
def test_everything_is_executed_again(
    site: Project, asked: Asked, path: str, old: str, new: str
) -> None:
    site.replace(path, old, new)
    outcome = site.build()
    assert outcome.code == 0, outcome.errors
    assert asked[-1][0] == "equations"
    assert len(asked[-1][1]) >= 16


@pytest.mark.parametrize(
    ("old", "new", "executed"),
    [
        (r"d\beta_i = \sum_{t} dY_{ti}", r"d\beta_i = \sum_{t}\, dY_{ti}", {"eq-ln-dbeta"}),
        (
            r"Y_{ti} = \gamma_i \hat{X}_{ti} + \beta_i",
            r"Y_{ti} = \hat{X}_{ti} \gamma_i + \beta_i",
            # The chain rule has dY in it, which to the keys looks like a product with Y.
            {"eq-ln-output", "eq-ln-step-output", "eq-ln-parameters", "eq-ln-step-chain"},
        ),
        (
            r":define: L = \sum_{t} \sum_{i}",
            r":define: L = \sum_{i} \sum_{t}",
            {"definition 0", "eq-ln-step-output"},
        ),
    ],
)
def test_of_an_edited_equation_only_itself_and_what_it_defines_are_executed_again(
    site: Project, asked: Asked, old: str, new: str, executed: set[str]
) -> None:
    site.replace(PAGE, old, new)
    outcome = site.build()
    assert outcome.code == 0, outcome.errors
    assert asked == [("equations", executed)]


def test_nothing_is_executed_when_nothing_changed(site: Project, asked: Asked) -> None:
    assert site.build("--force").code == 0
    assert asked == []
