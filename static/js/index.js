// What the index page loads.
import { lightArrows } from "./graphs.js";
import { makeScrollersFocusable } from "./scrollers.js";

makeScrollersFocusable();
lightArrows();
