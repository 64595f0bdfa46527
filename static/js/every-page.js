// What every page of the site loads.
import { followAliases } from "./aliases.js";
import { connectLineRanges } from "./line-ranges.js";
import { keepSite } from "./offline.js";

followAliases();
connectLineRanges();
keepSite();
