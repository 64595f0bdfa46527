"""What pages need to have run: examples, programs, exercises and equations."""

from dataclasses import dataclass

from site_builder.problem import Place
from site_builder.read.anchors import CodePlace
from site_builder.read.code import Function
from site_builder.read.literals import Numbers
from site_builder.read.page import Option


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleRun:
    """Call a program with given numbers, and record the values at places in the code.

    Attributes:
        run: identifies program and starting values; requests with the same run share it.
        places: the values to record, each with the line of the page that shows it.
    """

    run: str
    program: Function
    starts: dict[str, Numbers]
    places: tuple[tuple[CodePlace, Place], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramRun:
    """Call a function without arguments, and record what it printed and returned."""

    program: Function


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseTrial:
    """Run the check of an exercise on its stub, which must fail, and on its solution.

    Attributes:
        solution: the functions of the worked solution, named as the check expects.
        check: a function that takes the answer's module and yields findings.
    """

    id: str
    stub: str
    stub_place: Place
    solution: tuple[Function, ...]
    solution_place: Place
    check: Function
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class EquationCheck:
    """Execute the equations of a page on what a program computes.

    Attributes:
        program: a function of arrays that runs the code of the equations.
        starts: its inputs in the worked example.
        main: the input to replace by edge cases (a constant row, one feature, a huge offset).
        definitions: LaTeX equations that define symbols which the code does not compute.
        gradients: a function without arguments that compares gradients with finite differences
            and returns the largest relative error of each by name.
        place: where the page requests it.
    """

    program: Function
    starts: dict[str, Numbers]
    main: str
    definitions: tuple[Option, ...]
    gradients: Function | None
    place: Place


Request = ExampleRun | ProgramRun | ExerciseTrial | EquationCheck
