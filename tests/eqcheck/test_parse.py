import pytest

from eqcheck import LatexError, declare, parse, parse_expression, to_latex, with_functions
from eqcheck.tree import Absolute, Chain, Number, Power, Product, Reduce, Reference, Transpose

SYMBOLS = declare(
    {
        "X": ("T", "d"), r"\hat{X}": ("T", "d"), r"d\hat{X}": ("T", "d"), "dX": ("T", "d"),
        "dY": ("T", "d"), r"\sigma^2": ("T",), r"\mu": ("T",), "s": ("T",), r"\gamma": ("d",),
        "W": ("d", "m"), "b": ("m",), "L": (), r"\mathbf{h}": ("T",), r"\bar{x}": ("T",),
        "x'": ("T",), r"\tilde{x}": ("T",), r"\text{dxhat}": ("T", "d"), "std": ("T",),
        r"x_{\text{max}}": ("T",), "P": ("T", "d"), "S": ("T", "d"), "M": ("T", "T"), "d": (),
    }
)  # fmt: skip


def expression(latex: str) -> str:
    return to_latex(parse_expression(latex, SYMBOLS))


@pytest.mark.parametrize(
    ("latex", "same"),
    [
        (r"X_{t,i}", r"X_{ti}"),
        (r"\hat X_{ti}", r"\hat{X}_{ti}"),
        (r"\sigma_t^2", r"\sigma^2_t"),
        (r"\sigma_{t}^{2}", r"\sigma^2_t"),
        (r"s_t^3", r"(s_t)^3"),
        (r"s_t^{-3/2}", r"(s_t)^{-\frac{3}{2}}"),
        (r"dX_{ti}", r"{dX_{ti}}"),
        (r"d\,X_{ti}", r"d \cdot X_{ti}"),
        (r"d\hat X_{ti}", r"d\hat{X}_{ti}"),
        (r"\left(X_{ti} - \mu_t\right)\left(s_t\right)", r"(X_{ti} - \mu_t) s_t"),
        (r"\bigl[X_{ti}\bigr]^2", r"X_{ti}^2"),
        (r"\left\{X_{ti}\right\}^2", r"X_{ti}^2"),
        (r"\max_i X_{ti}", r"\operatorname{max}_i(X_{ti})"),
        (r"\operatorname*{mean}_i(X_{ti})", r"\operatorname{mean}_{i}\left(X_{ti}\right)"),
        (r"\mathrm{mean}_i(X_{ti})", r"\operatorname{mean}_i(X_{ti})"),
        (r"\exp s_t", r"\exp(s_t)"),
        (r"\ln s_t", r"\log(s_t)"),
        (r"\log\sum_i \exp(X_{ti})", r"\log\left(\sum_{i} \exp\left(X_{ti}\right)\right)"),
        (r"\sum_i X_{ti} s_t + 1", r"\left(\sum_i (X_{ti} s_t)\right) + 1"),
        (r"X_{ti} / d", r"\frac{X_{ti}}{d}"),
        (r"s_t \mu_t / d", r"\frac{s_t \mu_t}{d}"),
        (r"-s_t \mu_t", r"-(s_t \mu_t)"),
        (r"[t \le i]", r"\mathbb{1}[t \le i]"),
        (r"\mathbf{1}\left[t < i\right]", r"\mathbb{1}[t < i]"),
        (r"[s_t + 1] \mu_t", r"(s_t + 1) \mu_t"),
        (r"\mathbf h_t \bar x_t \tilde{x}_t x'_t", r"\mathbf{h}_t\,\bar{x}_t\,\tilde{x}_t\,x'_t"),
        (r"x_{\text{max},t}", r"x_{\text{max} t}"),
        (r"std_t", r"\left(std_t\right)"),
        (r"|X_{ti}|^2", r"\left|X_{ti}\right|^{2}"),
        (r"|X_{ti}| |s_t|", r"\lvert X_{ti} \rvert \left|s_t\right|"),
        (r"X^\top", r"X^{\top}"),
        (r"\sqrt[3]{s_t}", r"\sqrt[{3}]{s_t}"),
        (r"\sqrt s", r"\sqrt{s}"),
        (r"\frac{1}d", r"\frac{1}{d}"),
        (r"e^{-2\pi}", r"e^{-\left(2 \pi\right)}"),
        (r"\dfrac{1}{d}", r"\frac{1}{d}"),
        (
            r"\begin{cases} s_t & \text{if } s_t > 0 \\ 0 & \text{otherwise} \end{cases}",
            r"\begin{cases} s_t, & s_t > 0 \\ 0 \end{cases}",
        ),
    ],
)
def test_ways_to_write_the_same(latex: str, same: str) -> None:
    assert parse_expression(latex, SYMBOLS) == parse_expression(same, SYMBOLS)


def test_the_page_decides_what_a_superscript_is() -> None:
    with_square = declare({r"\sigma^2": ("T",)})
    with_sigma = declare({r"\sigma": ("T",)})
    both = declare({r"\sigma": ("T",), r"\sigma^2": ("T",)})
    squared = Reference(symbol=r"\sigma^2", axes=("T",), indices=("t",))
    sigma = Reference(symbol=r"\sigma", axes=("T",), indices=("t",))
    assert parse_expression(r"\sigma_t^2", with_square) == squared
    assert parse_expression(r"\sigma_t^2", both) == squared
    power = Power(base=sigma, exponent=Number(text="2"))
    assert parse_expression(r"\sigma_t^2", with_sigma) == power


def test_the_longest_symbol_wins() -> None:
    product = parse_expression(r"d\hat{X}_{ti} d X_{ti} d \hat{X}_{ti}", SYMBOLS)
    assert isinstance(product, Product)
    names = [factor.symbol for factor in product.factors if isinstance(factor, Reference)]
    assert names == [r"d\hat{X}", "dX", r"d\hat{X}"]


def test_a_dimension_needs_no_declaration() -> None:
    expected = Reference(symbol="m", axes=())
    assert parse_expression("m", declare({"W": ("d", "m")})) == expected


def test_several_chains() -> None:
    latex = r"s_t = \mu_t \approx 1,\quad \mu_t \le 2 < 3 , \mu_t \ge 0"
    chains = parse(latex, SYMBOLS)
    assert [chain.relations for chain in chains] == [("=", r"\approx"), (r"\le", "<"), (r"\ge",)]
    starts = [latex[slice(*chain.span)].strip() for chain in chains]
    assert starts == [r"s_t = \mu_t \approx 1", r"\mu_t \le 2 < 3", r"\mu_t \ge 0"]


def test_nodes_know_their_places() -> None:
    latex = r"s_t = \frac{1}{\sqrt{\sigma_t^2 + 1}} \left(X_{ti} - \mu_t\right)^2"
    ((chain,),) = (parse(latex, SYMBOLS),)
    product = chain.terms[1]
    assert isinstance(product, Product)
    places = [latex[slice(*factor.span)] for factor in product.factors]
    assert places == [r"\frac{1}{\sqrt{\sigma_t^2 + 1}}", r"\left(X_{ti} - \mu_t\right)^2"]


def test_places_take_no_part_in_comparisons() -> None:
    near, far = parse("s_t=1", SYMBOLS), parse("  s_t   =  1", SYMBOLS)
    assert near == far
    assert near[0].span != far[0].span


def test_kinds_of_nodes() -> None:
    assert isinstance(parse_expression("|s_t|", SYMBOLS), Absolute)
    assert isinstance(parse_expression(r"W^\top", SYMBOLS), Transpose)
    ranged = parse_expression(r"\sum_{i=1}^{d} X_{ti}", SYMBOLS)
    assert isinstance(ranged, Reduce)
    assert (ranged.lower, ranged.indices) == (Number(text="1"), ("i",))
    masked = parse_expression(r"\sum_{j \le t} M_{tj}", SYMBOLS)
    assert isinstance(masked, Reduce)
    assert masked.condition is not None
    chain = parse(r"\frac{\partial L}{\partial X_{ti}} = dX_{ti}", SYMBOLS)[0]
    assert isinstance(chain, Chain)
    assert to_latex(chain) == r"\frac{\partial L}{\partial X_{t i}} = d X_{t i}"


@pytest.mark.parametrize(
    ("latex", "caret", "message"),
    [
        ("s_t", "   ^", "relation"),
        ("s_t =", "     ^", "factor is missing"),
        ("s_t = q", "      ^", "q is not declared"),
        (r"s_t = \nu_t", "      ^", r"\\nu is not declared"),
        (r"s_t = \operatorname{foo}(s_t)", "      ^", "no function foo"),
        (r"s_t = \mu_{ti}", "      ^", r"axes \(T\), and here the indices t, i"),
        (r"s_t = L_t", "      ^", "L has no axes"),
        (r"s_t = \sigma_t", "      ^", r"the symbol declared is \\sigma\^2"),
        (r"s_t = X_{ts}", "          ^", "s has a meaning"),
        (r"s_t = \exp s_t \mu_t", "               ^", "bracket the argument of exp"),
        (r"s_t = \exp s_t / d", "               ^", "bracket the argument of exp"),
        (r"s_t = \max_i X_{ti} s_t", "                    ^", "bracket the argument of max"),
        (r"s_t = \exp(s_t)^2", "               ^", "belong to exp or to its argument"),
        (r"s_t = 1 / L s_t", "            ^", "bracket the denominator"),
        (r"s_t = 1 / d / d", "            ^", "bracket the denominator"),
        (r"s_t = s_t 2", "          ^", r"\\cdot before a number"),
        (r"s_t = 2 3", "        ^", r"\\cdot before a number"),
        (r"s_t = X_{T,d,1}", "      ^", r"axes \(T, d\), and here the indices T, d, 1"),
        (r"s_t = \exp^{-1}(s_t)", "          ^", "the inverse of exp, or 1 over it"),
        (r"s_t = d s_t", "      ^", "ds is not declared"),
        (r"s_t = [t \le s_t + 1]", "             ^", "not from values"),
        (r"s_t = s_t^12", "          ^", "braces around this number"),
        (r"s_t = s_t^2^3", "           ^", r"a second \^"),
        (r"s_t = \frac{1}{d}^2", "                 ^", "bracket the fraction"),
        (r"s_t = X_{ti}^\top", "      ^", "cannot be transposed"),
        (r"s_t = (s_t", "          ^", r"\) expected"),
        (r"s_t = s_t)", "         ^", "not expected here"),
        (r"s_t = \left(s_t)", "               ^", "belong together"),
        (r"s_t = \sqrt{s_t", "           ^", "not closed"),
        (r"s_t = s_t + ", "            ^", "factor is missing"),
        (r"s_t = s_t \cdot -1", "                ^", "a factor is expected, not -"),
        (r"s_t = \sum_{i=1} X_{ti}", "      ^", "both limits or none"),
        (r"s_t = \sum^{d} X_{ti}", "      ^", "both limits or none"),
        (r"s_t = \delta_{i}", "      ^", "Kronecker"),
        (r"s_t = \frac{\partial s_t}{\mu_t}", "                          ^", r"\\partial expected"),
        (r"s_t = \frac{\partial s_t^2}{\partial \mu_t}", "                     ^", "power"),
        (r"s_t = \frac{\partial q}{\partial \mu_t}", "                     ^", "not declared"),
        (r"s_t = \partial s_t", "      ^", "factor is expected"),
        (r"s_t = W X \odot X", "          ^", "which comes first"),
        (r"s_t = X \odot X W", "        ^", "which comes first"),
        (r"s_t = \mathbb{1}[s_t]", "                    ^", "needs a comparison"),
        (r"s_t = \begin{cases} 1 & \text{otherwise} \end{cases}", "      ^", "no condition"),
        (r"s_t = \operatorname{softmax}(S_{ti})", "      ^", "along which axis"),
        (r"s_t = x_t'", "         ^", "a prime stands before"),
        (r"s_t = s_t'", "         ^", "a prime stands before"),
        (r"s_t = (s_t)_t", "       ^", "only a symbol has indices"),
        ("s_t = " + "(" * 100 + "1", None, "nested too deeply"),
    ],
)
def test_what_cannot_be_read_is_an_error_with_a_caret(
    latex: str, caret: str | None, message: str
) -> None:
    with pytest.raises(LatexError, match=message) as caught:
        parse(latex, SYMBOLS)
    if caret is not None:
        assert caught.value.show(latex).split("\n")[1][: len(caret)] == caret


@pytest.mark.parametrize("latex", ["", "1", "+", "X + Y", "{", r"\frac{1}{2}", r"\hat{X},\, s"])
def test_what_is_no_symbol_is_refused(latex: str) -> None:
    with pytest.raises(ValueError, match="is no symbol"):
        declare({latex: ()})


def test_batch_axes_come_first() -> None:
    with pytest.raises(ValueError, match="must come first"):
        declare({"X": ("T", "B")}, batch=("B",))
    symbols = declare({"X": ("B", "T")}, batch=("B",))
    inner = Reference(symbol="X", axes=("B", "T"), implicit=1, indices=("t",))
    assert parse_expression("X_t", symbols) == inner
    full = Reference(symbol="X", axes=("B", "T"), indices=("b", "t"))
    assert parse_expression("X_{bt}", symbols) == full


def test_a_function_that_another_display_defines_can_be_used() -> None:
    definition = r"\operatorname{half}(x) = \frac12 x"
    symbols = with_functions(SYMBOLS, (definition, r"\frac{broken"))
    used = parse_expression(r"\operatorname{half}(s_t)", symbols)
    assert used == parse_expression(r"\frac{1}{2} s_t", SYMBOLS)
    with pytest.raises(LatexError, match="compares nothing"):
        parse(definition, SYMBOLS)
    with pytest.raises(LatexError, match="no function half"):
        parse_expression(r"\operatorname{half}(s_t)", SYMBOLS)
