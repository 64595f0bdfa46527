// What every content page loads.
import "./cell/code-cell.js";
import "./cell/code-exercise.js";
import "./cell/verdicts.js";
import "./live-example.js";
import "./live-figure.js";
import "./step-through.js";
import { lightArrows } from "./graphs.js";
import { makeScrollersFocusable } from "./scrollers.js";
import { linkSymbols } from "./symbols.js";

makeScrollersFocusable();
linkSymbols();
lightArrows();
