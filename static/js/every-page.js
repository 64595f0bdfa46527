// What every page of the site loads.
import { offerCopies } from "./copy.js";
import { keepSite } from "./offline.js";
import { offerSearch } from "./search/offer.js";

keepSite();
offerSearch();
offerCopies();
