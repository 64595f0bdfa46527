// What every content page loads.
import "./live-example.js";
import { makeScrollersFocusable } from "./scrollers.js";

makeScrollersFocusable();
