// What every content page loads.
import "./live-example.js";
import "./live-figure.js";
import "./step-through.js";
import { makeScrollersFocusable } from "./scrollers.js";

makeScrollersFocusable();
