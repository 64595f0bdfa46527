// What every page of the site loads.
import { offerCopies } from "./copy.js";
import { keepSite } from "./offline.js";

keepSite();
offerCopies();
