r"""Write an expression tree as LaTeX that `parse` reads as the same tree."""

from collections.abc import Callable

from eqcheck.symbols import symbol
from eqcheck.tree import (
    Absolute,
    Add,
    Array,
    Call,
    Cases,
    Chain,
    Colon,
    Condition,
    Constant,
    Delta,
    Derivative,
    Diagonal,
    Element,
    Expression,
    Extent,
    Extreme,
    Fraction,
    Hadamard,
    Indicator,
    Inner,
    Interval,
    Inverse,
    Negate,
    Norm,
    Number,
    Ones,
    Position,
    Power,
    Product,
    Reduce,
    Reference,
    Restricted,
    Root,
    Softmax,
    Trace,
    Transpose,
)

_COMMANDS = frozenset(["exp", "log", "tanh", "sin", "cos", "sinh", "cosh"])
_CONSTANTS = {"pi": r"\pi", "e": "e", "infty": r"\infty"}


def to_latex(tree: Expression | Chain) -> str:
    """Write a tree as LaTeX."""
    if isinstance(tree, Chain):
        return _chain(tree)
    match tree:
        case Add():
            return _sum(tree)
        case Negate():
            return f"-{_product(tree.operand)}"
        case _:
            return _product(tree)


def _chain(tree: Chain) -> str:
    terms, where = tree.terms, ""
    while isinstance(terms[0], Restricted):
        where = rf" \quad {_where(terms[0].condition)}{where}"
        terms = tuple(term.body if isinstance(term, Restricted) else term for term in terms)
    words = [to_latex(terms[0])]
    for relation, term in zip(tree.relations, terms[1:], strict=True):
        words += [relation, to_latex(term)]
    return " ".join(words) + where


def _where(tree: Condition | Interval) -> str:
    if isinstance(tree, Condition):
        return _condition(tree)
    return rf"{_index(tree.index)} = {to_latex(tree.lower)}, \dots, {to_latex(tree.upper)}"


def _index(name: str) -> str:
    """An index; one of an expanded function has a number, which LaTeX would not take."""
    return name.split("#", maxsplit=1)[0] + "'" * name.count("#")


def _sum(tree: Add) -> str:
    words: list[str] = []
    for number, term in enumerate(tree.terms):
        if isinstance(term, Negate):
            words += ["-", _product(term.operand)]
        else:
            words += ["+"] * (number > 0) + [_product(term)]
    return " ".join(words)


def _product(tree: Expression) -> str:
    """Write what can stand between + and -."""
    match tree:
        case Product(factors=factors):
            words = [_factor(factors[0], last=False)]
            for number, factor in enumerate(factors[1:], start=2):
                word = _factor(factor, last=number == len(factors))
                words += [r"\cdot" if word[0].isdigit() else r"\,", word]
            return " ".join(words)
        case Hadamard(factors=factors):
            last = len(factors) - 1
            return r" \odot ".join(
                _factor(factor, last=number == last) for number, factor in enumerate(factors)
            )
        case _:
            return _factor(tree, last=True)


def _factor(tree: Expression, *, last: bool) -> str:  # noqa: PLR0911 - a case for each kind
    """Write a factor. Only the last one can be a sum without brackets."""
    match tree:
        case Add() | Negate() | Product() | Hadamard():
            return _bracketed(tree)
        case Reduce(operator="sum" | "prod") if not last:
            return _bracketed(tree)
        case Reduce():
            return _reduce(tree)
        case Power(base=base, exponent=exponent):
            return f"{_base(base)}^{{{to_latex(exponent)}}}"
        case Transpose(operand=operand):
            return rf"{_base(operand)}^{{\top}}"
        case Inverse(operand=operand):
            return rf"{_base(operand)}^{{-1}}"
        case _:
            return _atom(tree)


def _bracketed(tree: Expression) -> str:
    return rf"\left({to_latex(tree)}\right)"


def _base(tree: Expression) -> str:
    match tree:
        case Number() | Constant():
            return _atom(tree)
        case Reference():
            return f"{{{_atom(tree)}}}"
        case _:
            return _bracketed(tree)


def _atom(tree: Expression) -> str:
    return _ATOMS[type(tree)](tree)


def _fraction(tree: Fraction) -> str:
    return rf"\frac{{{to_latex(tree.numerator)}}}{{{to_latex(tree.denominator)}}}"


def _derivative(tree: Derivative) -> str:
    return rf"\frac{{\partial {_reference(tree.of)}}}{{\partial {_reference(tree.wrt)}}}"


def _root(tree: Root) -> str:
    degree = f"[{to_latex(tree.degree)}]" if tree.degree else ""
    return rf"\sqrt{degree}{{{to_latex(tree.radicand)}}}"


def _call(tree: Call) -> str:
    command = tree.function in _COMMANDS
    if tree.function in {"floor", "ceil"}:
        return rf"\l{tree.function} {to_latex(tree.argument)} \r{tree.function}"
    if tree.function == "Phi":
        return rf"\Phi{_bracketed(tree.argument)}"
    name = f"\\{tree.function}" if command else rf"\operatorname{{{tree.function}}}"
    return f"{name}{_bracketed(tree.argument)}"


def _reference(tree: Reference) -> str:
    declared = symbol(tree.symbol, tree.axes)
    words = [*declared.subscript, *_joined([_index(index) for index in tree.indices])]
    text = " ".join(declared.base)
    if words:
        text += f"_{{{' '.join(words)}}}"
    if declared.superscript:
        text += f"^{{{' '.join(declared.superscript)}}}"
    return text


def _joined(words: list[str]) -> list[str]:
    """Places with commas between, unless all are letters."""
    if all(word.strip("'").isalpha() for word in words):
        return words
    return [",".join(words)]


def _element(tree: Element) -> str:
    places = _joined([to_latex(place) for place in tree.places])
    if isinstance(tree.operand, Reference) and not tree.operand.indices:
        declared = symbol(tree.operand.symbol, tree.operand.axes)
        return f"{' '.join(declared.base)}_{{{' '.join([*declared.subscript, *places])}}}" + (
            f"^{{{' '.join(declared.superscript)}}}" if declared.superscript else ""
        )
    return f"{_bracketed(tree.operand)}_{{{' '.join(places)}}}"


def _norm(tree: Norm) -> str:
    kind = r"\infty" if tree.kind == "infty" else tree.kind
    return rf"\left\|{to_latex(tree.operand)}\right\|_{{{kind}}}"


def _extreme(tree: Extreme) -> str:
    return rf"\{tree.operator}\left({', '.join(map(to_latex, tree.arguments))}\right)"


def _extent(tree: Extent) -> str:
    return (
        rf"\text{{axes of }} {tree.symbol}"
        if tree.axis is None
        else (rf"\text{{size }} {tree.axis + 1} \text{{ of }} {tree.symbol}")
    )


def _reduce(tree: Reduce) -> str:
    big = tree.operator in {"sum", "prod"}
    command = big or tree.operator in {"max", "min"}
    text = f"\\{tree.operator}" if command else rf"\operatorname{{{tree.operator}}}"
    if tree.lower is not None and tree.upper is not None:
        text += (
            f"_{{{_index(tree.indices[0])} = {to_latex(tree.lower)}}}^{{{to_latex(tree.upper)}}}"
        )
    elif tree.condition is not None:
        own = isinstance(tree.condition.left, Position) and len(tree.indices) == 1
        own = own and tree.condition.left == Position(index=tree.indices[0])
        before = "" if own else f"{' '.join(map(_index, tree.indices))} : "
        text += f"_{{{before}{_condition(tree.condition)}}}"
    elif tree.indices:
        text += f"_{{{' '.join(map(_index, tree.indices))}}}"
    return f"{text} {_product(tree.body)}" if big else f"{text}{_bracketed(tree.body)}"


def _softmax(tree: Softmax) -> str:
    index = f"_{{{_index(tree.index)}}}" if tree.index else ""
    return rf"\operatorname{{softmax}}{index}{_bracketed(tree.argument)}"


def _condition(tree: Condition) -> str:
    return f"{to_latex(tree.left)} {tree.relation} {to_latex(tree.right)}"


def _cases(tree: Cases) -> str:
    rows = [
        f"{to_latex(value)} & {_condition(condition)}"
        for value, condition in zip(tree.values, tree.conditions, strict=False)
    ]
    if len(tree.values) > len(tree.conditions):
        rows.append(rf"{to_latex(tree.values[-1])} & \text{{otherwise}}")
    return r"\begin{cases} " + r" \\ ".join(rows) + r" \end{cases}"


_ATOMS: dict[type, Callable[..., str]] = {
    Number: lambda tree: tree.text,
    Constant: lambda tree: _CONSTANTS[tree.name],
    Position: lambda tree: _index(tree.index),
    Colon: lambda _: ":",
    Element: _element,
    Array: lambda tree: _bracketed(tree.body),
    Ones: lambda tree: rf"\mathbf{{1}}_{{{tree.dimension}}}",
    Extent: _extent,
    Extreme: _extreme,
    Norm: _norm,
    Inner: lambda tree: rf"\langle {to_latex(tree.left)}, {to_latex(tree.right)} \rangle",
    Trace: lambda tree: rf"\operatorname{{tr}}{_bracketed(tree.operand)}",
    Diagonal: lambda tree: rf"\operatorname{{diag}}{_bracketed(tree.operand)}",
    Reference: _reference,
    Delta: lambda tree: rf"\delta_{{{tree.first} {tree.second}}}",
    Fraction: _fraction,
    Derivative: _derivative,
    Root: _root,
    Absolute: lambda tree: rf"\left|{to_latex(tree.operand)}\right|",
    Call: _call,
    Softmax: _softmax,
    Indicator: lambda tree: rf"\mathbb{{1}}\left[{_condition(tree.condition)}\right]",
    Cases: _cases,
}
