import ast

import pytest

from site_builder.read.anchors import AnchorError, Anchors, stores
from tests.site_builder.read.modules import codebase

TEXT = """\
from dataclasses import dataclass

SCALE = 2.0


@dataclass
class Config:
    eps: float = 1e-5


def forward(X, gamma,
            epsilon=1e-5):
    mu = X.mean(axis=-1, keepdims=True)
    s: float = 1.0
    Xhat, (first, *rest) = (
        X - mu) * s, (1, 2)
    cache["mu"] = mu
    größe = "→" + str(gamma)
    for row in rest:  # rows
        s += row
    with open(mu) as file:
        s = (Xhat *
             X).mean()
    if s:
        return Xhat, (mu, s)
    return gamma * Xhat + größe, (
        mu, s)


def outer():
    def inner():
        hidden = 1
        return hidden
    return inner


class Thing:
    def method(self):
        self.count = 1
"""


def anchors() -> Anchors:
    return Anchors(codebase(ops=TEXT, more="def outer(): ...\ndef single(): ...\n"))


@pytest.mark.parametrize(
    ("anchor", "kind", "first", "last", "name", "code"),
    [
        ("forward", "function", 11, 27, "forward", "def forward(X, gamma,"),
        ("ops.forward", "function", 11, 27, "forward", "def forward(X, gamma,"),
        ("gpt.ops.forward", "function", 11, 27, "forward", "def forward(X, gamma,"),
        ("Thing.method", "function", 38, 39, "method", "def method(self):"),
        ("Config.eps", "field", 8, 8, "eps", "eps: float = 1e-5"),
        ("ops.SCALE", "constant", 3, 3, "SCALE", "SCALE = 2.0"),
        ("ops", "module", 1, 39, "gpt.ops", ""),
        ("forward:mu", "assignment", 13, 13, "mu", "mu = X.mean(axis=-1, keepdims=True)"),
        ("forward: mu ", "assignment", 13, 13, "mu", "mu = X.mean(axis=-1, keepdims=True)"),
        ("forward:Xhat", "assignment", 15, 16, "Xhat", None),
        ("forward:first", "assignment", 15, 16, "first", None),
        ("forward:rest", "assignment", 15, 16, "rest", None),
        ("forward:cache['mu']", "assignment", 17, 17, "cache['mu']", 'cache["mu"] = mu'),
        ('forward:cache["mu"]', "assignment", 17, 17, "cache['mu']", 'cache["mu"] = mu'),
        ("forward:größe", "assignment", 18, 18, "größe", 'größe = "→" + str(gamma)'),
        ("forward:row", "assignment", 19, 19, "row", None),
        ("forward:file", "assignment", 21, 21, "file", None),
        ("forward:s#1", "assignment", 14, 14, "s", "s: float = 1.0"),
        ("forward:s#2", "assignment", 20, 20, "s", "s += row"),
        ("forward:s#3", "assignment", 22, 23, "s", None),
        ("forward:gamma", "parameter", 11, 11, "gamma", "def forward(X, gamma,"),
        ("forward:epsilon", "parameter", 12, 12, "epsilon", "epsilon=1e-5):"),
        ("forward:return#1", "return", 25, 25, "return", "return Xhat, (mu, s)"),
        ("forward:return[0]#2", "return", 26, 27, "return[0]", None),
        ("forward:(Xhat * X).mean()", "expression", 22, 23, "(Xhat * X).mean()", None),
        ("forward:(X - mu)*s", "expression", 15, 16, "(X - mu) * s", None),
        ("forward:'→'", "expression", 18, 18, "'→'", '"→"'),
        ("forward:str(gamma)", "expression", 18, 18, "str(gamma)", "str(gamma)"),
        ("Thing.method:self.count", "assignment", 39, 39, "self.count", "self.count = 1"),
        ("ops.outer:return", "return", 34, 34, "return", "return inner"),
    ],
)
def test_what_an_anchor_names(  # noqa: PLR0913 - the columns of the table
    anchor: str, kind: str, first: int, last: int, name: str, code: str | None
) -> None:
    place = anchors().find(anchor)
    assert (place.kind, place.span.first, place.span.last) == (kind, first, last)
    assert place.name == name
    assert place.span.path == "src/gpt/ops.py"
    assert code is None or place.code == code


def test_the_index_of_a_returned_tuple() -> None:
    assert anchors().find("forward:return[1][0]#1").index == (1, 0)
    assert anchors().find("forward:return#1").index == ()


@pytest.mark.parametrize(
    ("anchor", "what", "remedy"),
    [
        ("ops.backward", "there is no function, field, constant or module 'ops.backward'",
         "correct the name"),
        ("nothing.single", "there is no", "did you mean gpt.more.single?"),
        ("backward:mu", "there is no function 'backward' in the code", "correct the name"),
        ("outer", "'outer' is ambiguous: gpt.ops.outer, gpt.more.outer", "write more of the name"),
        ("forward:sigma", "gpt.ops.forward has no 'sigma'", "name a value that the function"),
        ("forward:s", "'s' is ambiguous in gpt.ops.forward: lines 14, 20, 22", "write s#1"),
        ("forward:return", "'return' is ambiguous in gpt.ops.forward: lines 25, 26",
         "write return#1"),
        ("forward:s#4", "gpt.ops.forward has only 3 of 's#4'", "write a number from 1 to 3"),
        ("forward:s#0", "gpt.ops.forward has only 3 of 's#0'", "write a number from 1 to 3"),
        ("forward:X", "", ""),
        ("forward:X +", "'X +' is not a valid Python expression", "write it as the code does"),
        ("forward:", "gpt.ops.forward has no ''", "name a value"),
        ("ops.outer:hidden", "gpt.ops.outer has no 'hidden'", "name a value"),
        ("forward:mu, s", "'mu, s' is ambiguous", "write mu, s#1"),
    ],
)  # fmt: skip
def test_what_names_nothing_or_too_much(anchor: str, what: str, remedy: str) -> None:
    if not what:  # a parameter that expressions use, too, is the parameter
        assert anchors().find(anchor).kind == "parameter"
        return
    with pytest.raises(AnchorError) as caught:
        anchors().find(anchor)
    assert caught.value.what.startswith(what)
    assert caught.value.remedy.startswith(remedy)


def test_the_expression_in_a_head_is_found_and_comments_below_it_are_not_part_of_it() -> None:
    text = "def f(xs):\n    for x in sorted(xs):\n        # about y\n        y = x\n"
    found = Anchors(codebase(ops=text))
    assert found.find("f:sorted(xs)").span.first == 2
    assert found.find("f:x").span.last == 2


def test_what_a_function_stores_outlives_it() -> None:
    source = (
        "def f(self, X, grads):\n    global total\n    mu = X.mean()\n    X -= mu\n"
        "    total = mu\n    self.t += 1\n    for name in grads:\n        grads[name] *= 2\n"
        "    def inner():\n        self.hidden = 1\n    return mu\n"
    )
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert stores(function) == ["X", "grads[name]", "self.t", "total"]
