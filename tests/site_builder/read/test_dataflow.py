"""The data flow of functions: small ones by hand, and random ones against what they do."""

import sys
from collections.abc import Mapping
from textwrap import indent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from site_builder.read.dataflow import DataFlow, DataFlows, Node, UnmappableError
from tests.site_builder.projects import REPOSITORY
from tests.site_builder.read.modules import codebase


def flow(body: str, parameters: str = "x, y", **modules: str) -> DataFlow:
    """The data flow of a function `gpt.ops.f`, whose body begins in line 3."""
    text = f"import numpy as np\ndef f({parameters}):\n{indent(body.strip(), '    ')}\n"
    code = codebase(ops=text + modules.pop("after", ""), **modules)
    return DataFlows(code).of(code.functions["gpt.ops.f"])


def short(node: Node) -> str:
    return node.name if node.kind == "parameter" else f"{node.name}@{node.span.first}"


def edges(graph: DataFlow) -> dict[str, str]:
    """By node, what it is computed from; `*` marks what comes from the iteration before."""
    names = {node.id: short(node) for node in graph.nodes}
    return {
        names[node.id]: " ".join(
            sorted(names[e.source] + "*" * e.carried for e in graph.edges if e.target == node.id)
        )
        for node in graph.nodes
        if node.kind != "parameter"
    }


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("a = x\nb = a + y", {"a@3": "x", "b@4": "a@3 y"}),
        ("a = x\na = a * y", {"a@3": "x", "a@4": "a@3 y"}),
        ("a = 1\na += x", {"a@3": "", "a@4": "a@3 x"}),
        ("a, b = y, x", {"a@3": "y", "b@3": "x"}),
        ("a, (b, c) = x, (y, 1)", {"a@3": "x", "b@3": "y", "c@3": ""}),
        ("a, b = np.divmod(x, y)", {"a@3": "x y", "b@3": "x y"}),
        ("a, *b = x, y, 1", {"a@3": "x y", "b@3": "x y"}),
        ("a = b = x", {"a@3": "x", "b@3": "x"}),
        ("_, a = np.frexp(x)", {"a@3": "x"}),
        ("a: float = x.mean(axis=-1)", {"a@3": "x"}),
        ("a: float\nb = y", {"b@4": "y"}),
        ("a = np.exp(np.log(x) + f(y, 1))", {"a@3": "x y"}),
        ("a = [y for x in range(3)]", {"a@3": "y"}),
        ("a = {k: v * y for k, v in x.items() if k}", {"a@3": "x y"}),
        ("a = (lambda x: x + y)(1)", {"a@3": "y"}),
        ("a = x if y else 0", {"a@3": "x y"}),
        ("a = f'{x}.'", {"a@3": "x"}),
        ("a = (b := x) + y", {"b@3": "x", "a@3": "x y"}),
        ("def a(z):\n    return z + x\nb = a(y)", {"a@3": "x", "b@5": "a@3 y"}),
        ("with x as a:\n    b = a", {"a@3": "x", "b@4": "a@3"}),
        ("a = x\ndel a\nb = y", {"a@3": "x", "b@5": "y"}),
        ("assert x > 0\na = y", {"a@4": "y"}),
        ("if x:\n    raise ValueError(y)\na = x", {"a@5": "x"}),
    ],
)
def test_what_is_computed_from_what(body: str, expected: dict[str, str]) -> None:
    assert edges(flow(body)) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("a = {}\na[x] = y", {"a@3": "", "a[x]@4": "a@3 x y"}),
        ("x['b'] += y", {"x['b']@3": "x y"}),
        ("x.step = y\na = x", {"x.step@3": "x y", "a@4": "x.step@3"}),
        ("x[0][y] = 1", {"x[0][y]@3": "x y"}),
        ("a = []\na.append(x)\nb = a", {"a@3": "", "a@4": "a@3 x", "b@5": "a@4"}),
        ("a = x.copy()\nnp.add.at(a, y, 1)", {"a@3": "x", "a@4": "a@3 y"}),
        ("a = np.exp(x, out=y)\nb = y", {"y@3": "x y", "a@3": "x y", "b@4": "y@3"}),
        ("print(x)\na = y", {"a@4": "y"}),
        ("DONE[x] = y", {"DONE[x]@3": "x y"}),
        ("a = x.pop()\nb = x", {"x@3": "x", "a@3": "x", "b@4": "x@3"}),
        ("a = x.partition(y)\nb = x", {"a@3": "x y", "b@4": "x"}),
        ("np.add(x, 1, out=y)\na = y", {"y@3": "x y", "a@4": "y@3"}),
    ],
)
def test_changes_in_place(body: str, expected: dict[str, str]) -> None:
    assert edges(flow(body)) == expected


def test_what_a_called_function_changes() -> None:
    after = "\n\ndef g(to, n):\n    h(to, n)\n    return n\n\n\ndef h(a, b):\n    a[0] += b\n"
    graph = flow("g(x, y)\na = x", after=after)
    assert edges(graph) == {"x@3": "x y", "a@4": "x@3"}
    assert graph.changed == {"x"}
    assert edges(flow("a = g(to=x, n=y)", after=after)) == {"x@3": "x y", "a@3": "x y"}
    assert edges(flow("a = g(*x)", after=after)) == {"a@3": "x"}  # which, only a run could tell


def test_a_copy_of_a_parameter_is_not_the_parameter() -> None:
    assert flow("x = x + 1\nx[0] = y").changed == set()
    assert flow("x += 1").changed == {"x"}


def test_functions_that_call_one_another_in_a_circle() -> None:
    after = "\n\ndef g(a, n):\n    f(a, n)\n    a[0] = n\n"
    assert flow("g(x, y)", after=after).changed == {"x"}


def test_an_answer_that_depends_on_recursion_is_not_kept() -> None:
    code = codebase(ops="def f(a):\n    g(a)\n    a[0] = 1\n\n\ndef g(b):\n    f(b)\n")
    flows = DataFlows(code)
    assert flows.of(code.functions["gpt.ops.f"]).changed == {"a"}
    assert flows.of(code.functions["gpt.ops.g"]).changed == {"b"}


def test_what_is_changed_in_a_loop_may_be_a_parameter() -> None:
    assert flow("a = x\nfor i in y:\n    x[i] = 1\n    x = x.copy()").changed == {"x"}
    assert flow("for i in y:\n    x = x.copy()\n    x[i] = 1").changed == set()


def test_branches_meet() -> None:
    body = "if x:\n    a = x\nelif y:\n    a = y\nelse:\n    a = 1\nb = a"
    assert edges(flow(body))["b@9"] == "a@4 a@6 a@8"
    assert edges(flow("a = x\nif y:\n    a = 1\nb = a"))["b@6"] == "a@3 a@5"


def test_what_an_iteration_leaves_to_the_next() -> None:
    graph = flow("a = x\nfor i in y:\n    b = a + i\n    a = b * 2\nc = a")
    assert edges(graph) == {
        "a@3": "x",
        "i@4": "y",
        "b@5": "a@3 a@6* i@4",
        "a@6": "b@5",
        "c@7": "a@6",
    }
    loops = {short(node): node.loop.code if node.loop else "" for node in graph.nodes}
    assert loops == {"x": "", "y": "", "a@3": "", "i@4": "for i in y", "b@5": "for i in y",
                     "a@6": "for i in y", "c@7": ""}  # fmt: skip


def test_loops_in_loops() -> None:
    graph = flow("a = x\nwhile y:\n    for i in a:\n        a = a + i\n    b = a")
    assert edges(graph)["a@6"] == "a@3 a@6* i@5"
    assert edges(graph)["i@5"] == "a@3 a@6*"
    (inner,) = {node.loop for node in graph.nodes if node.name == "i"}
    assert inner
    assert inner.outer
    assert (inner.code, inner.outer.code) == ("for i in a", "while y")


def test_what_is_first_assigned_later_in_the_body() -> None:
    graph = flow("for i in y:\n    if i:\n        b = a\n    a = i\nc = a")
    assert edges(graph) == {"i@3": "y", "b@5": "a@6*", "a@6": "i@3", "c@7": "a@6"}


def test_what_leaves_a_loop_is_not_of_an_iteration_before() -> None:
    body = "a = x\nfor i in y:\n    if i:\n        break\n    a = i\nelse:\n    a = 0\nc = a"
    assert edges(flow(body))["c@10"] == "a@3 a@7 a@9"


def test_a_return_in_a_loop() -> None:
    graph = flow("a = x\nfor i in y:\n    if i:\n        return a\n    a = i")
    marks = {short(node): node.returned for node in graph.nodes if node.returned}
    assert marks == {"a@3": ("return",), "a@7": ("return",)}


def test_break_and_continue() -> None:
    body = """
a = x
for i in y:
    if i > 1:
        a = i
        break
    if i < 0:
        a = 2
        continue
    a = 3
else:
    b = a
c = a
"""
    found = edges(flow(body))
    assert found["b@13"] == "a@11 a@9"
    assert found["c@14"] == "a@11 a@6 a@9"


def test_what_is_returned() -> None:
    graph = flow("a = x\nb = y\nreturn a, (x + b, b), {'k': a}")
    marks = {short(node): node.returned for node in graph.nodes if node.returned}
    assert marks == {
        "a@3": ("return[0]", "return[2]['k']"),
        "b@4": ("return[1][1]",),
        "return[1][0]@5": ("return[1][0]",),
    }
    assert edges(graph)["return[1][0]@5"] == "b@4 x"
    assert next(node.index for node in graph.nodes if node.kind == "return") == (1, 0)


def test_early_returns() -> None:
    graph = flow("if x:\n    return y\na = x\nreturn a + 1")
    assert edges(graph) == {"a@5": "x", "return@6": "a@5"}
    assert [short(node) for node in graph.nodes if node.returned] == ["y", "return@6"]
    assert graph.returns == 2
    assert edges(flow("return x\na = y")) == {}


@pytest.mark.parametrize(
    ("body", "line", "what"),
    [
        ("try:\n    a = x\nfinally:\n    pass", 3, "through 'try' cannot be followed"),
        ("a = 1\nmatch x:\n    case 1:\n        pass", 4, "through 'match' cannot be followed"),
        ("global a", 3, "through 'global' cannot be followed"),
        ("a = yield x", 3, "through '(yield x)' cannot be followed"),
        ("x.shuffle(y)", 3, "'x.shuffle' is called for what it changes, which is not known"),
        ("save(x)", 3, "'save' is called for what it changes"),
        ("f(x).b = y", 3, "'f(x).b' changes something that has no name"),
        ("a = [b := y for _ in x]", 3, "assigned inside a comprehension"),
        ("a = [x.pop() for _ in y]", 3, "what '[x.pop() for _ in y]' changes cannot be followed"),
    ],
)
def test_what_is_not_known_has_a_place(body: str, line: int, what: str) -> None:
    with pytest.raises(UnmappableError) as caught:
        flow(body)
    assert what in caught.value.what
    assert (caught.value.path, caught.value.line) == ("src/gpt/ops.py", line)
    assert caught.value.remedy


def test_a_graph_without_some_names() -> None:
    graph = flow("a = x + y\nb = a * y").without(frozenset({"y"}))
    assert edges(graph) == {"a@3": "x", "b@4": "a@3"}


def test_the_layer_norm() -> None:
    text = (REPOSITORY / "src/tinygpt/ops.py").read_text("utf-8")
    code = codebase(ops=text)
    graph = DataFlows(code).of(code.functions["gpt.ops.layer_norm_forward"])
    names = {key.partition("@")[0]: value for key, value in edges(graph).items()}
    assert {
        name: {s.partition("@")[0] for s in value.split()} for name, value in names.items()
    } == {
        "d": {"X"},
        "mu": {"X", "d"},
        "var": {"X", "mu", "d"},
        "s": {"var", "epsilon"},
        "Xhat": {"X", "mu", "s"},
        "return[0]": {"gamma", "Xhat", "beta"},
    }


NAMES = "abc"
_names = st.sampled_from(NAMES)
_sums = st.lists(_names, min_size=1, max_size=3).map(" + ".join)
_simple = st.one_of(
    st.builds("{} = {}".format, _names, _sums),
    st.builds("{} += {}".format, _names, _sums),
    st.builds("{}, {} = {}, {}".format, _names, _names, _names, _sums),
)


def _block(lines: list[str]) -> str:
    return indent("\n".join(lines), "    ")


_compound = st.recursive(
    _simple,
    lambda inner: st.one_of(
        st.builds(
            lambda n, body, other: f"if {n} % 2:\n{_block(body)}\nelse:\n{_block(other)}",
            _names,
            st.lists(inner, min_size=1, max_size=3),
            st.lists(inner, min_size=1, max_size=3),
        ),
        st.builds(
            lambda n, total, body: f"for {n} in [{total}, 1]:\n{_block(body)}",
            _names,
            _sums,
            st.lists(inner, min_size=1, max_size=3),
        ),
    ),
    max_leaves=6,
)


class _Watched(dict[str, int]):
    """The variables of a program, which note what each line reads and writes."""

    def __init__(self, values: Mapping[str, int]) -> None:
        super().__init__(values)
        self.written = dict.fromkeys(values, 2)  # the line that gave each its value
        self.read: dict[int, set[tuple[str, int]]] = {}
        self.writing: set[int] = set()

    def __getitem__(self, name: str) -> int:
        line = sys._getframe(1).f_lineno  # noqa: SLF001 - the line of the program
        if name in self:
            self.read.setdefault(line, set()).add((name, self.written[name]))
        return super().__getitem__(name)

    def __setitem__(self, name: str, value: int) -> None:
        line = sys._getframe(1).f_lineno  # noqa: SLF001 - likewise
        self.writing.add(line)
        self.written[name] = line
        super().__setitem__(name, value % 1000)


def _seen(program: str) -> dict[int, set[tuple[str, int]]]:
    """By line that assigns, the variables that it read, each with the line that assigned them."""
    watched = _Watched({"a": 3, "b": 4, "c": 5})
    exec(compile("\n\n" + program, "program", "exec"), {}, watched)  # noqa: S102 - it is ours
    return {line: watched.read.get(line, set()) for line in watched.writing}


def _followed(program: str) -> dict[int, set[tuple[str, int]]]:
    graph = flow(program, "a, b, c")
    nodes = {node.id: node for node in graph.nodes}
    found: dict[int, set[tuple[str, int]]] = {}
    for node in graph.nodes:
        found.setdefault(node.span.first, set())
    for edge in graph.edges:
        source, target = nodes[edge.source], nodes[edge.target]
        found[target.span.first].add((source.name, source.span.first))
    return found


@given(st.lists(_simple, min_size=1, max_size=8))
@settings(max_examples=60, deadline=None)
def test_straight_code_reads_what_it_was_seen_to_read(lines: list[str]) -> None:
    program = "\n".join(lines)
    followed = _followed(program)
    for line, read in _seen(program).items():
        assert followed[line] == read


@given(st.lists(_compound, min_size=1, max_size=5))
@settings(max_examples=100, deadline=None)
def test_nothing_that_a_program_reads_is_missing(parts: list[str]) -> None:
    program = "\n".join(parts)
    followed = _followed(program)
    for line, read in _seen(program).items():
        assert read <= followed[line], program
