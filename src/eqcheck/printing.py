r"""Write an expression tree as LaTeX that `parse` reads as the same tree."""

from collections.abc import Callable

from eqcheck.symbols import symbol
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

_COMMANDS = frozenset(["exp", "log", "tanh", "sin", "cos", "sinh", "cosh"])
_CONSTANTS = {"pi": r"\pi", "e": "e", "infty": r"\infty"}


def to_latex(tree: Expression | Chain) -> str:
    """Write a tree as LaTeX."""
    if isinstance(tree, Chain):
        words = [to_latex(tree.terms[0])]
        for relation, term in zip(tree.relations, tree.terms[1:], strict=True):
            words += [relation, to_latex(term)]
        return " ".join(words)
    match tree:
        case Add():
            return _sum(tree)
        case Negate():
            return f"-{_product(tree.operand)}"
        case _:
            return _product(tree)


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


def _factor(tree: Expression, *, last: bool) -> str:
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
    name = f"\\{tree.function}" if command else rf"\operatorname{{{tree.function}}}"
    return f"{name}{_bracketed(tree.argument)}"


def _reference(tree: Reference) -> str:
    declared = symbol(tree.symbol, tree.axes)
    words = [*declared.subscript, *tree.indices]
    text = " ".join(declared.base)
    if words:
        text += f"_{{{' '.join(words)}}}"
    if declared.superscript:
        text += f"^{{{' '.join(declared.superscript)}}}"
    return text


def _reduce(tree: Reduce) -> str:
    big = tree.operator in {"sum", "prod"}
    command = big or tree.operator in {"max", "min"}
    text = f"\\{tree.operator}" if command else rf"\operatorname{{{tree.operator}}}"
    if tree.lower is not None and tree.upper is not None:
        text += f"_{{{tree.indices[0]} = {to_latex(tree.lower)}}}^{{{to_latex(tree.upper)}}}"
    elif tree.condition is not None:
        text += f"_{{{_condition(tree.condition)}}}"
    elif tree.indices:
        text += f"_{{{' '.join(tree.indices)}}}"
    return f"{text} {_product(tree.body)}" if big else f"{text}{_bracketed(tree.body)}"


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
    Position: lambda tree: tree.index,
    Reference: _reference,
    Delta: lambda tree: rf"\delta_{{{tree.first} {tree.second}}}",
    Fraction: _fraction,
    Derivative: _derivative,
    Root: _root,
    Absolute: lambda tree: rf"\left|{to_latex(tree.operand)}\right|",
    Call: _call,
    Softmax: lambda tree: rf"\operatorname{{softmax}}_{{{tree.index}}}{_bracketed(tree.argument)}",
    Indicator: lambda tree: rf"\mathbb{{1}}\left[{_condition(tree.condition)}\right]",
    Cases: _cases,
}
