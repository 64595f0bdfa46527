// What every page of the site loads.
import { keepSite } from "./offline.js";

keepSite();
