// The scales of the figures.
export { scaleLinear, scaleLog, scalePoint } from "d3-scale";
