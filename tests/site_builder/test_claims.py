"""Sentences whose conditions the build evaluates: on a tiny page, and those of the real one."""

import json
import re

import pytest

from tests.site.html import parse
from tests.site_builder.projects import OPS, PAGE, Project

REAL_PAGE = "content/layer-norm.md"
TRANSFORMER = "src/tinygpt/transformer.py"
OPERATIONS = "src/tinygpt/ops.py"


def role(sentence: str, condition: str) -> str:
    return f"\nThe page says: {{claim}}``{sentence} | {condition}``.\n"


def directive(sentence: str, condition: str) -> str:
    return f"\n:::{{claim}} {condition}\n{sentence}\n:::\n"


TRUE = {
    "Centring is done in two places": 'len(calls("ops.centre")) == 2',
    "The second shifts by one": '[c.shift for c in calls("ops.centre")] == [None, "1.0"]',
    "It keeps the shape": 'shape("ops.centre:return") == shape("ops.centre:X")',
    "A row has six features": "config.width == 6 and not config.rows == 6",
    "The scale `g` starts as ones": 'params["g"].starts == "ones" and params["g"].ndim == 1',
    "Nothing decays": 'not params["g"].decays',
    "There is no shift unless asked for": 'function("ops.centre").defaults.shift == "0.0"',
    "A test holds it": 'function("ops.centre").tested_by == ["test_centre"]',
    "It stores nothing": 'function("ops.centre").stores == []',
    "The second call has a line": 'code("ops.twice:Y#2") == "Y = centre(Y, 1.0)"',
    "The mean has a name": 'has("ops.centre:mu") and not has("ops.centre:nu")',
}


def test_true_claims_are_marked_with_their_conditions(tiny: Project) -> None:
    for number, (sentence, condition) in enumerate(TRUE.items()):
        tiny.append(PAGE, (role, directive)[number % 2](sentence, condition))
    outcome = tiny.build()
    assert outcome.code == 0, outcome.errors
    claims = parse(tiny.page()).all("*", "claim")
    shown = {claim.words.removesuffix("✓").replace("`", "").strip(): claim for claim in claims}
    assert [*shown] == [sentence.replace("`", "") for sentence in TRUE]
    for claim, condition in zip(claims, TRUE.values(), strict=True):
        mark = claim.one("a", "checked")
        assert mark.text == "✓"
        assert mark.get("title") == f"Checked by the build: {condition}"
        assert mark.get("href") == "freshness.html#claims"
    told = json.loads(tiny.page("explain.json"))["claims"]
    assert {claim["sentence"]: claim["condition"] for claim in told} == TRUE
    lines = tiny.read(PAGE).split("\n")
    assert all(c["sentence"] in lines[c["source"]["line"] - 1] for c in told)


WRITE = {"role": role, "directive": directive}


@pytest.mark.parametrize("way", WRITE)
@pytest.mark.parametrize("condition", TRUE.values())
def test_a_false_claim_is_reported_with_its_sentence(
    tiny: Project, way: str, condition: str
) -> None:
    false = f"not ({condition})"
    tiny.append(PAGE, WRITE[way]("So it *is*", false))
    line = tiny.line(PAGE, "So it *is*")
    assert tiny.problem() == (
        f"{PAGE}:{line}: this claim is false: “So it *is*” (the build evaluated {false});"
        " correct the sentence, or the code"
    )


@pytest.mark.parametrize(
    ("condition", "why"),
    [
        ("nonsense(1)", "'nonsense' is not defined; defined names are calls, code, config, "),
        ("1 +", "it is not a valid Python expression"),
        ("1", "it is neither true nor false, but 1"),
        ('calls("ops.nothing")', "there is no function 'ops.nothing' in the code"),
        ('params["h"].decays', "there is no 'h'; there is g"),
        ('shape("ops.centre") == [1]', "'ops.centre' was not computed, or is not an array"),
        ("1 / 0 == 1", "ZeroDivisionError: division by zero"),
        ("().__class__ == 1", "'.__class__' is a part of a value that is not a fact"),
        ('open("/etc/passwd") == 1', "'open' is not defined"),
    ],
)
@pytest.mark.parametrize("way", WRITE)
def test_a_condition_that_cannot_be_evaluated(
    tiny: Project, way: str, condition: str, why: str
) -> None:
    tiny.append(PAGE, WRITE[way]("So it is", condition))
    line = tiny.line(PAGE, "So it is")
    said = f"{PAGE}:{line}: the condition '{condition}' cannot be evaluated: {why}"
    problem = tiny.problem()
    assert problem.startswith(said)
    assert problem.endswith("; correct it")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{claim}`So it is`", "'So it is' has no condition; write sentence | condition"),
        (":::{claim}\nSo it is\n:::", "{claim} lacks an argument; give it a condition"),
        (":::{claim} 1 == 1\n:::", "{claim} lacks a body; give it a sentence"),
    ],
)
def test_a_claim_with_a_part_missing(tiny: Project, text: str, said: str) -> None:
    line = tiny.append(PAGE, f"\n{text}\n") + 1
    assert tiny.problem() == f"{PAGE}:{line}: {said}"


MARKUP = r"*The* `mu`, $\mu$ of [it](#eq-mean), is at {line}`ops.centre:mu`"


def test_markup_in_a_sentence(tiny: Project) -> None:
    tiny.append(PAGE, directive(MARKUP, "1 == 1"))
    tiny.append(PAGE, "\n{claim}``the `mu` *is* $\\mu$ | 1 == 1``\n")
    outcome = tiny.build()
    assert outcome.code == 0, outcome.errors
    first, second = parse(tiny.page()).all("*", "claim")
    assert first.one("em").text == "The"
    assert [code.text for code in first.all("code")] == ["mu"]
    assert [a.get("href") for a in first.all("a")][:2] == ["#eq-mean", "source/ops.html#L6"]
    assert first.one("annotation").text == second.one("annotation").text == r"\mu"
    assert (second.one("code").text, second.one("em").text) == ("mu", "is")
    sentences = [claim["sentence"] for claim in json.loads(tiny.page("explain.json"))["claims"]]
    assert sentences == [MARKUP, r"the `mu` *is* $\mu$"]


def test_markup_in_a_sentence_is_checked(tiny: Project) -> None:
    tiny.append(PAGE, directive("See [it](#nowhere), {line}`ops.centre:nu`", "1 == 1"))
    line = tiny.line(PAGE, "#nowhere")
    problems = tiny.problems()
    assert len(problems) == 2
    assert all(problem.startswith(f"{PAGE}:{line}: ") for problem in problems)


def test_a_change_of_the_code_makes_a_claim_false(tiny: Project) -> None:
    """And where the code cannot be run, nothing is said of claims."""
    tiny.append(PAGE, role("There are two", 'len(calls("ops.centre")) == 2'))
    assert tiny.build().code == 0
    tiny.replace(OPS, "    Y = centre(Y, 1.0)\n", "    Y = Y + 1.0\n")
    assert any("this claim is false: “There are two”" in p for p in tiny.problems())
    tiny.replace(OPS, "    mu = X.mean", "    mu = X.median")
    assert not any("claim" in problem for problem in tiny.problems())


@pytest.mark.site
@pytest.mark.parametrize(
    ("path", "old", "new", "sentences"),
    [
        pytest.param(
            TRANSFORMER,
            "    Xf, c_lnf = layer_norm_forward(",
            '    layer_norm_forward(X, params["lnf_g"], params["lnf_b"], cfg.ln_eps)\n'
            "    Xf, c_lnf = layer_norm_forward(",
            ["in two places in a block and once after the last"],
            id="a fourth call",
        ),
        pytest.param(
            TRANSFORMER, 'params["lnf_b"], cfg.ln_eps)', 'params["lnf_b"], 1e-6)',
            ["Every call in the model passes `cfg.ln_eps`"], id="another epsilon",
        ),
        pytest.param(
            TRANSFORMER, 'params["lnf_g"] = np.ones(', 'params["lnf_g"] = np.zeros(',
            ["Each scale starts as ones and each shift as zeros"], id="another start",
        ),
        pytest.param(
            "src/tinygpt/optimizer.py", "param.ndim > 1", "param.ndim > 0",
            ["None of these vectors decays"], id="decay of vectors",
        ),
        pytest.param(
            OPERATIONS, "    Xhat = (X - mu) * s\n",
            "    Xhat = (X - mu) * s\n    layer_norm_forward.__dict__['mean'] = mu\n",
            ["It keeps no running averages"], id="a running average",
        ),
        pytest.param(
            TRANSFORMER, "    return dX1 + dX_branch\n", "    return dX_branch + dX1\n",
            ["no parameter's gradient"], id="another way of adding",
        ),
    ],
)  # fmt: skip
def test_the_claims_of_the_real_page(
    site: Project, path: str, old: str, new: str, sentences: list[str]
) -> None:
    site.replace(path, old, new)
    false = [p for p in site.problems() if "this claim is false" in p]
    found = [s for s in sentences if any(s in problem for problem in false)]
    assert found == sentences
    assert len(false) == len(sentences)
    lines = site.read(REAL_PAGE).split("\n")
    for problem, sentence in zip(false, sentences, strict=True):
        match = re.match(rf"{REAL_PAGE}:(\d+): this claim is false: “", problem)
        assert match
        assert sentence.split()[0].lower() in lines[int(match[1]) - 1].lower()
