"""The map of a model follows its code."""

import pytest

from site_builder.read.anchors import Anchors
from site_builder.read.dataflow import DataFlows, ModelMap, UnmappableError, map_model
from tests.site_builder.projects import REPOSITORY
from tests.site_builder.read.modules import codebase

OPS = """
def embed(ids, p):
    return p[ids]


def norm(x, p):
    return x * p, x


def mix(x):
    return x.mean()


def note(notes, x):
    notes.append(x)
"""
MODEL = """
import numpy as np
from gpt.ops import embed, mix, norm, note


def block(x, p):
    n, cache = norm(x, p)
    return x + mix(n), cache


def forward(ids, p, layers):
    caches = []
    x = embed(ids, p)
    for i in range(layers):
        x, c = block(x, p)
        caches.append(c)
    return norm(x, p)[0], caches


def loss(ids, targets, p, layers):
    if len(ids) != len(targets):
        raise ValueError(ids)
    y, caches = forward(ids, p, layers)
    total = np.abs(y - targets).sum()
    return total
"""


def mapped(model: str = MODEL, anchor: str = "model.loss:total", ops: str = OPS) -> ModelMap:
    code = codebase(ops=ops, model=model)
    return map_model(Anchors(code).find(anchor), ("p", "layers"), DataFlows(code))


def lines(found: ModelMap) -> list[str]:
    """Each node with what flows into it; `*` marks what comes from the iteration before."""
    names = {node.id: f"{node.name}:{node.span.first}" for node in found.nodes}
    return [
        f"{names[node.id]} <- "
        + ", ".join(
            sorted(names[e.source] + "*" * e.carried for e in found.edges if e.target == node.id)
        )
        for node in found.nodes
    ]


def replaced(old: str, new: str) -> str:
    assert MODEL.count(old) == 1
    return MODEL.replace(old, new)


def test_the_parts_in_the_order_of_the_code() -> None:
    assert lines(mapped()) == [
        "ids:20 <- ",
        "targets:20 <- ",
        "embed:13 <- ids:20",
        "x:14 <- embed:13, x + …:8*",
        "norm:7 <- x:14",
        "mix:8 <- norm:7",
        "x + …:8 <- mix:8, x:14",
        "norm:17 <- x + …:8",
        "np.abs(y - targets).sum():24 <- norm:17, targets:20",
    ]


def test_a_loop_is_a_group() -> None:
    found = mapped()
    loops = {node.name: node.loop.code for node in found.nodes if node.loop}
    assert loops == dict.fromkeys(["norm", "mix", "x + …", "x"], "for i in range(layers)")
    opened = [(function.name, loop and loop.line) for function, loop in found.opened]
    assert opened == [("forward", None), ("block", 14)]


def test_which_element_of_a_result_goes_on() -> None:
    found = mapped()
    elements = {(node.name, node.span.first): node.index for node in found.nodes}
    assert elements["norm", 7] == elements["norm", 17] == (0,)
    assert elements["mix", 8] == ()
    results = {node.name: node.result.name for node in found.nodes if node.result}
    assert results["norm"] in {"n", "y"}
    assert results["x + …"] == "x"
    assert results["embed"] == "x"


def test_an_element_that_a_loop_reads_but_does_not_change() -> None:
    found = mapped(
        replaced(
            "        x, c = block(x, p)\n", "        x = mix(e[0]) + x\n        c = e[1]\n"
        ).replace("    x = embed(ids, p)\n", "    x = embed(ids, p)\n    e = norm(x, p)\n")
    )
    assert "norm:14 <- embed:13" in lines(found)
    assert "mix:16 <- norm:14" in lines(found)
    assert next(node.index for node in found.nodes if node.span.first == 14) == (0,)  # fmt: skip
    assert [node.name for node in found.nodes if node.kind == "joint"] == ["x"]


def test_a_tuple_that_a_loop_reads_but_does_not_change() -> None:
    found = mapped(
        replaced(
            "        x, c = block(x, p)\n", "        x = mix(e[0]) + x\n        c = 0\n"
        ).replace("    x = embed(ids, p)\n", "    x = embed(ids, p)\n    e = x, mix(x)\n")
    )
    assert "mix:16 <- embed:13" in lines(found)


def test_what_is_first_assigned_later_in_the_body() -> None:
    found = mapped(
        replaced(
            "        x, c = block(x, p)\n",
            "        if i:\n            x = mix(late)\n        c = 0\n        late = mix(x)\n",
        )
    )
    assert "late:14 <- mix:18*" in lines(found)
    assert "mix:16 <- late:14" in lines(found)


def test_counters_are_no_data() -> None:
    found = mapped(
        replaced("    caches = []\n", "    caches = []\n    n = 0\n")
        .replace("        caches.append(c)\n", "        n = n + 1\n")
        .replace("return norm(x, p)[0]", "return norm(x, p)[0] / n")
    )
    assert not any(node.name == "n" or "n + 1" in node.name for node in found.nodes)


def test_the_map_follows_the_code() -> None:
    without_residual = mapped(replaced("return x + mix(n), cache", "return mix(n), cache"))
    assert "norm:7 <- x:14" in lines(without_residual)
    assert "x:14 <- embed:13, mix:8*" in lines(without_residual)
    after = mapped(replaced("x + mix(n), cache", "norm(x + mix(x), p)[0], cache"))
    assert lines(after)[4:7] == ["mix:8 <- x:14", "x + …:8 <- mix:8, x:14", "norm:8 <- x + …:8"]
    no_loop = mapped(
        replaced(
            "    for i in range(layers):\n        x, c = block(x, p)\n",
            "    if p:\n        c = 1\n",
        )
    )
    assert "norm:17 <- embed:13" in lines(no_loop)
    assert not any(node.loop for node in no_loop.nodes)


def test_lines_move_with_the_code() -> None:
    moved = mapped(MODEL.replace("def block", "# one\n# two\ndef block"))
    assert "norm:9 <- x:16" in lines(moved)


def test_either_way_of_a_branch_may_have_come() -> None:
    found = mapped(
        replaced("    y, caches =", "    if p:\n        ids = mix(ids)\n    y, caches =")
    )
    assert "embed:13 <- ids:20, mix:24" in lines(found)


def test_what_a_part_changes_flows_on() -> None:
    found = mapped(replaced("    total =", "    note(targets, y)\n    total ="))
    assert lines(found)[-1].endswith("<- norm:17, note:24, targets:20")
    changed = mapped(replaced("    total =", "    targets[0] = mix(y)\n    total ="))
    assert lines(changed)[-1].endswith("<- mix:24, norm:17, targets:20")


def test_what_an_opened_function_changes_flows_on() -> None:
    model = replaced("    total =", "    keep(targets, y)\n    total =")
    found = mapped(model + "\n\ndef keep(into, x):\n    into[1:] += mix(x)\n")
    assert lines(found)[-1].endswith("<- mix:30, norm:17, targets:20")


@pytest.mark.parametrize("added", ["targets", 'targets["b"]', "targets.mean"])
def test_what_is_added_to_a_name_joins_what_it_held(added: str) -> None:
    found = mapped(replaced("    total =", f"    y += {added}\n    total ="))
    assert lines(found)[-2] == f"y += {added}:24 <- norm:17, targets:20"


def test_sizes_are_no_data() -> None:
    found = mapped(replaced("ids, p)\n    for", "ids, p * ids.shape[0] * len(ids))\n    for"))
    assert "embed:13 <- ids:20" in lines(found)


@pytest.mark.parametrize(
    ("old", "new", "line", "what"),
    [
        ("    y, caches =", "    global y\n    y, caches =", 23, "through 'global'"),
        ("    n, cache = norm(x, p)", "    n, cache = norm(*block(x, p))", 7, "calls itself"),
        ("forward(ids, p, layers)\n    total", "forward(*ids)\n    total", 23,
         "passes to forward cannot be told"),
        ("    total =", "    y.shuffle()\n    total =", 24, "is called for what it changes"),
    ],
)  # fmt: skip
def test_what_is_not_known_has_a_place(old: str, new: str, line: int, what: str) -> None:
    with pytest.raises(UnmappableError) as caught:
        mapped(replaced(old, new))
    assert what in caught.value.what
    assert (caught.value.path, caught.value.line) == ("src/gpt/model.py", line)


def test_only_a_variable_can_be_mapped() -> None:
    with pytest.raises(UnmappableError, match="is no variable of a function"):
        mapped(anchor="model.loss")


def test_the_gpt() -> None:
    texts = {
        name: (REPOSITORY / f"src/tinygpt/{name}.py").read_text("utf-8").replace("tinygpt.", "gpt.")
        for name in ("ops", "attention", "transformer", "config", "arrays")
    }
    code = codebase(**texts)
    anchor = Anchors(code).find("transformer.loss_and_grads:loss")
    found = map_model(anchor, ("params", "cfg"), DataFlows(code))
    assert [(node.name, bool(node.loop)) for node in found.nodes if node.kind != "joint"] == [
        ("ids", False),
        ("targets", False),
        ("embedding_forward", False),
        ('… + params["pos_emb"][:T]', False),
        ("layer_norm_forward", True),
        ("self_attention_forward", True),
        ("X + attention", True),
        ("layer_norm_forward", True),
        ("linear_forward", True),
        ("gelu_forward", True),
        ("linear_forward", True),
        ("X1 + feed", True),
        ("layer_norm_forward", False),
        ("linear_forward", False),
        ("cross_entropy_forward", False),
    ]
