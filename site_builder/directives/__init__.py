"""The directives by name. To add one, write a module in this package and list it here."""

from site_builder.directives.about import About
from site_builder.directives.alias import Alias
from site_builder.directives.argument import Argument
from site_builder.directives.cell import EditableCode
from site_builder.directives.check import Check
from site_builder.directives.claim import Claim
from site_builder.directives.code import Code
from site_builder.directives.connections import Connections
from site_builder.directives.dataflow import DataFlowFigure
from site_builder.directives.equation import DisplayedEquation
from site_builder.directives.example import Example
from site_builder.directives.exercise import Exercise
from site_builder.directives.figure import Figure
from site_builder.directives.implemented import Implemented
from site_builder.directives.note import Note
from site_builder.directives.parameters import Parameters
from site_builder.directives.printed import Printed
from site_builder.directives.shapes import Shapes
from site_builder.directives.symbols import Symbols
from site_builder.directives.trace import Trace
from site_builder.directives.usage import Usage
from site_builder.directives.variables import Variables
from site_builder.resolve.directive import Directives

DIRECTIVES: Directives = {
    "about": About,
    "alias": Alias,
    "argument": Argument,
    "cell": EditableCode,
    "check": Check,
    "claim": Claim,
    "code": Code,
    "connections": Connections,
    "dataflow": DataFlowFigure,
    "equation": DisplayedEquation,
    "example": Example,
    "exercise": Exercise,
    "figure": Figure,
    "implemented": Implemented,
    "note": Note,
    "parameters": Parameters,
    "printed": Printed,
    "shapes": Shapes,
    "step": DisplayedEquation,
    "symbols": Symbols,
    "trace": Trace,
    "usage": Usage,
    "variables": Variables,
}
