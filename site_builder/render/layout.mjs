// Lays out graphs in one process: a JSON list of {graphs} on standard input, a JSON list of {graphs}
// with places or {error} on standard output. A graph has boxes, arrows and groups, and flows down; one
// that is `upward` is turned over. What a second graph has in common with the first, its boxes'
// `twin`s, stands in the same rows.
import { readFileSync } from "node:fs";
import { graphlib, layout } from "@dagrejs/dagre";
import { longestWay, straighten } from "./layout-columns.mjs";
import { drawn, makeRoomForHeads } from "./layout-picture.mjs";

const BETWEEN_ROWS = 30;
const BETWEEN_BOXES = 16;

/** @param {any} question */
function place({ graphs }) {
  /** @type {Map<string, number>} */
  const rows = new Map();
  return {
    graphs: graphs.map((graph) => {
      const placed = placeGraph(graph, rows);
      for (const box of placed.boxes) rows.set(box.id, box.row);
      return placed;
    }),
  };
}

/**
 * @param {any} graph
 * @param {Map<string, number>} rows where the boxes of the graph before stand
 */
function placeGraph(graph, rows) {
  const laid = new graphlib.Graph({ compound: true });
  laid.setGraph({ nodesep: BETWEEN_BOXES, edgesep: BETWEEN_BOXES, ranksep: BETWEEN_ROWS });
  const boxes = new Map(graph.boxes.map((box) => [box.id, box]));
  for (const group of graph.groups) laid.setNode(group.id, {});
  for (const { id, width, height } of graph.boxes) laid.setNode(id, { width, height });
  for (const { id, group } of [...graph.boxes, ...graph.groups]) {
    if (group) laid.setParent(id, group);
  }
  const edges = graph.arrows.filter(({ carried }) => !carried);
  for (const { source, target } of edges) {
    const [from, to] = [rows.get(boxes.get(source).twin), rows.get(boxes.get(target).twin)];
    const apart = from === undefined || to === undefined ? 1 : from - to;
    laid.setEdge(source, target, { minlen: Math.max(1, apart), weight: 1 });
  }
  layout(laid);
  const even = graph.groups.length === 0;
  const pitch = Math.max(...graph.boxes.map((box) => box.height)) + BETWEEN_ROWS;
  const placed = graph.boxes.map((box) => {
    const { x, y, rank } = laid.node(box.id);
    return { ...box, x, y: even ? (rank / 2) * pitch : y, row: even ? rank / 2 : y };
  });
  const at = new Map(placed.map((box) => [box.id, box]));
  const arrows = graph.arrows.map((arrow) => {
    const ways = arrow.carried ? [] : laid.edge(arrow.source, arrow.target).points.slice(1, -1);
    return {
      ...arrow,
      ways: even ? atRows(ways, at.get(arrow.source).row, pitch) : beside(ways, placed),
    };
  });
  straighten(placed, arrows, longestWay(graph.boxes, edges));
  makeRoomForHeads(graph.groups, placed, arrows);
  return drawn(graph, placed, arrows);
}

/** What an arrow passes in the rows between its ends: every second point, since dagre puts one
 * between rows, too. */
function atRows(points, row, pitch) {
  return points
    .filter((_, index) => index % 2 === 1)
    .map(({ x }, index) => ({ x, y: (row + 1 + index) * pitch, half: (pitch - BETWEEN_ROWS) / 2 }));
}

/** The points that an arrow passes beside boxes. */
function beside(points, boxes) {
  return points.flatMap(({ x, y }) => {
    const halves = boxes.filter((box) => Math.abs(box.y - y) < 0.5).map((box) => box.height / 2);
    return halves.length ? [{ x, y, half: Math.max(...halves) }] : [];
  });
}

const answers = JSON.parse(readFileSync(0, "utf8")).map((question) => {
  try {
    return place(question);
  } catch (error) {
    return { error: String(error.message) };
  }
});
process.stdout.write(JSON.stringify(answers));
