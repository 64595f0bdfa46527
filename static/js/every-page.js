// What every page of the site loads.

import { followAliases } from "./aliases.js";
import { offerCopies } from "./copy.js";
import { connectLineRanges } from "./line-ranges.js";
import { keepSite } from "./offline.js";
import { offerSearch } from "./search/offer.js";

followAliases();
connectLineRanges();
keepSite();
offerSearch();
offerCopies();
