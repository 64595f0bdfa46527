import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from eqcheck import declare, parse, parse_expression, to_latex
from eqcheck.errors import LatexError
from eqcheck.tree import (
    Absolute,
    Add,
    Call,
    Cases,
    Chain,
    Condition,
    Constant,
    Delta,
    Derivative,
    Expression,
    Fraction,
    Hadamard,
    Indicator,
    Negate,
    Number,
    Position,
    Power,
    Product,
    Reduce,
    Reference,
    Root,
    Softmax,
    Transpose,
)

pytestmark = pytest.mark.slow

AXES = {
    "X": ("T", "d"), r"\hat{X}": ("T", "d"), "dX": ("T", "d"), r"d\hat{X}": ("T", "d"),
    r"\sigma^2": ("T",), r"\mu": ("T",), "s": ("T",), "x'": ("d",), "d": (), "L": (),
    r"\text{std}": ("T",), r"x_{\text{max}}": ("T",), r"\mathbf{W}": ("d", "d"),
    r"\gamma": ("d",), r"d\gamma": ("d",), "z": ("B", "T", "d"), "B": (), "m": ("B",),
}  # fmt: skip
SYMBOLS = declare(AXES, batch=("B",))
INDEX = st.sampled_from(["t", "i", "j", "k", "i'"])


@st.composite
def references(draw: st.DrawFn) -> Reference:
    symbol = draw(st.sampled_from(sorted(AXES)))
    axes = AXES[symbol]
    batch = sum(name == "B" for name in axes)
    count = draw(st.sampled_from(sorted({0, len(axes), len(axes) - batch})))
    indices = tuple(draw(INDEX) for _ in range(count))
    implicit = batch if count < len(axes) else 0
    return Reference(symbol=symbol, axes=axes, implicit=implicit, indices=indices)


def conditions(inside: st.SearchStrategy[Expression]) -> st.SearchStrategy[Condition]:
    relations = st.sampled_from(["=", r"\ne", r"\le", r"\ge", "<", ">"])
    positions = st.builds(Position, index=INDEX)
    return st.one_of(
        st.builds(Condition, left=inside, relation=relations, right=inside),
        st.builds(Condition, left=positions, relation=relations, right=positions),
    )


LIMITS = st.one_of(
    st.builds(Number, text=st.integers(2, 9).map(str)),
    st.just(Reference(symbol="d")),
    st.builds(Position, index=INDEX),
    st.builds(
        lambda index: Add(terms=(Position(index=index), Negate(operand=Number(text="1")))), INDEX
    ),
)


@st.composite
def reductions(draw: st.DrawFn, inside: st.SearchStrategy[Expression]) -> Reduce:
    operator = draw(st.sampled_from(["sum", "prod", "max", "min", "mean", "var", "std"]))
    form = draw(st.sampled_from(["indices", "limits", "condition"]))
    body = draw(inside)
    if form == "indices":
        indices = tuple(draw(st.lists(INDEX, max_size=2)))
        return Reduce(operator=operator, indices=indices, body=body)
    index = draw(INDEX)
    if form == "limits":
        lower, upper = Number(text="1"), draw(LIMITS)
        return Reduce(operator=operator, indices=(index,), lower=lower, upper=upper, body=body)
    condition = Condition(
        left=Position(index=index), relation=r"\le", right=Position(index=draw(INDEX))
    )
    return Reduce(operator=operator, indices=(index,), condition=condition, body=body)


@st.composite
def cases(draw: st.DrawFn, inside: st.SearchStrategy[Expression]) -> Cases:
    rows = tuple(draw(st.lists(conditions(inside), min_size=1, max_size=2)))
    count = len(rows) + draw(st.integers(0, 1))
    return Cases(values=tuple(draw(inside) for _ in range(count)), conditions=rows)


def several(inside: st.SearchStrategy[Expression]) -> st.SearchStrategy[tuple[Expression, ...]]:
    return st.lists(inside, min_size=2, max_size=3).map(tuple)


def whole(reference: Reference) -> bool:
    return not reference.indices


def larger(inside: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    functions = st.sampled_from(["exp", "log", "tanh", "sinh", "sigmoid", "sign", "relu"])
    return st.one_of(
        st.builds(Add, terms=several(inside)),
        st.builds(Negate, operand=inside),
        st.builds(Product, factors=several(inside)),
        st.builds(Hadamard, factors=several(inside)),
        st.builds(Fraction, numerator=inside, denominator=inside),
        st.builds(Power, base=inside, exponent=inside),
        st.builds(Root, radicand=inside, degree=st.none() | inside),
        st.builds(Absolute, operand=inside),
        st.builds(Transpose, operand=references().filter(whole)),
        st.builds(Call, function=functions, argument=inside),
        st.builds(Softmax, index=INDEX, argument=inside),
        st.builds(Indicator, condition=conditions(inside)),
        reductions(inside),
        cases(inside),
    )


NUMBERS = st.integers(0, 99).map(str) | st.sampled_from(["0.5", "0.044715", "1.5"])
LEAVES: st.SearchStrategy[Expression] = st.one_of(
    st.builds(Number, text=NUMBERS),
    st.builds(Constant, name=st.sampled_from(["pi", "e", "infty"])),
    references(),
    st.builds(Delta, first=INDEX, second=INDEX),
    st.builds(Derivative, of=references(), wrt=references()),
)
TREES = st.recursive(LEAVES, larger, max_leaves=12)


@settings(max_examples=300, deadline=None)
@given(TREES)
def test_what_is_printed_is_read_as_the_same_tree(tree: Expression) -> None:
    assert parse_expression(to_latex(tree), SYMBOLS) == tree


@settings(max_examples=50, deadline=None)
@given(st.lists(TREES, min_size=2, max_size=3), st.data())
def test_chains_too(terms: list[Expression], data: st.DataObject) -> None:
    relations = [r"=", r"\approx", r"\le", r"\ge", "<", ">"]
    drawn = [data.draw(st.sampled_from(relations)) for _ in terms[1:]]
    chain = Chain(terms=tuple(terms), relations=tuple(drawn))
    assert parse(to_latex(chain), SYMBOLS) == (chain,)


WORDS = (
    r"\frac \sqrt \sum \prod \max \exp \log \partial \left( \right) \left| \right| \odot \cdot "
    r"\top \delta \hat \mathbf \text \operatorname{mean} \begin{cases} \end{cases} \\ & \quad \, "
    r"\mathbb{1} \infty \pi \le = \approx X \hat{X} dX d \sigma \sigma^2 \mu s t i j { } ( ) [ ] "
    r"\forall \in \| \langle \rangle \lfloor \rfloor \mathbf{1} \nabla \boxed \dots \leftarrow : ; "
    r"\begin{aligned} \end{aligned} \text{for} \underbrace \operatorname{tr} \max( f( x'_t "
    r"| ' ^ _ + - / , . 1 23 0.5 \nonsense \left \{ \} \ \! é ∑"
)
TOKENS = WORDS.split()


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(TOKENS), max_size=25).map(" ".join) | st.text(max_size=40))
@example("(" * 5000)
@example("{" * 5000)
@example("-" * 5000)
@example(r"\frac{" * 5000)
@example(r"\hat" * 5000)
@example(r"\sum_i" * 5000 + "X_{ti}")
@example("X" + "^{X" * 5000)
@example("(" * 10_000)
@example("s_{" * 5000)
@example("X_{(" * 5000)
@example("X_{t,s_" * 5000)
@example(r"\boxed{" * 2000)
@example(r"\begin{aligned}" * 2000)
@example(r"\|" * 5000)
@example(r"\langle" * 5000)
@example(r"\lfloor" * 5000)
@example(r"\max(" * 5000)
@example("f(x) = f(x), " * 200)
@example("f(x) = x + x, " + "f(" * 50)
@example(r"\sum_{i=:}^{d} X_{ti} = 1")
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        parse(text, SYMBOLS)
    except LatexError as error:
        assert 0 <= error.position <= len(text)  # noqa: PT017 - either outcome is right


@settings(max_examples=200, deadline=None)
@given(TREES, TREES, st.data())
def test_damaged_latex_is_read_or_refused(
    left: Expression, right: Expression, data: st.DataObject
) -> None:
    latex = f"{to_latex(left)} = {to_latex(right)}"
    start = data.draw(st.integers(0, len(latex)))
    stop = data.draw(st.integers(start, min(len(latex), start + 5)))
    text = latex[:start] + data.draw(st.sampled_from(["", *TOKENS])) + latex[stop:]
    try:
        parse(text, SYMBOLS)
    except LatexError as error:
        assert 0 <= error.position <= len(text)  # noqa: PT017 - either is right


@pytest.mark.parametrize(
    "latex", [r"s_t^{3} = 1", r"\left(\sigma_t^2 + 1\right)^{-\frac{3}{2}} = d"]
)
def test_a_few_by_hand(latex: str) -> None:
    (chain,) = parse(latex, SYMBOLS)
    assert parse(to_latex(chain), SYMBOLS) == (chain,)
