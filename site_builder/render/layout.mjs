// Lays out graphs in one process: a JSON list of {graphs} on standard input, a JSON list of {graphs}
// with places or {error} on standard output. A graph has boxes, arrows and groups, and flows down; one
// that is `upward` is turned over. What a second graph has in common with the first, its boxes'
// `twin`s, stands in the same rows.
import { readFileSync } from "node:fs";
import { graphlib, layout } from "@dagrejs/dagre";

const BETWEEN_ROWS = 30;
const BETWEEN_BOXES = 16;
const MARGIN = 1; // for the strokes at the edge
const PORTS = 12; // px between arrows that begin or end at one box, where there is room
const HEAD = 5; // length of an arrow's head
const GROUP_HEAD = 46; // room for a group's label
const LANE = 14; // px between a group's edge and what goes on to the next turn

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
  for (const { source, target, carried } of graph.arrows) {
    if (carried) continue;
    const apart =
      (rows.get(boxes.get(source).twin) ?? 0) - (rows.get(boxes.get(target).twin) ?? Infinity);
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
    return { ...arrow, ways: even ? atRows(ways, at.get(arrow.source).row, pitch) : beside(ways, placed) };
  });
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

/** The picture: everything moved to where it is seen, turned over if it flows up. */
function drawn(graph, boxes, arrows) {
  const at = new Map(boxes.map((box) => [box.id, box]));
  const ports = portsOf(at, arrows);
  const groups = graph.groups.map((group) => around(group, graph.groups, boxes, arrows));
  const lanes = new Map();
  const left = Math.min(...[...boxes, ...groups].map((box) => box.x - box.width / 2));
  const right = Math.max(
    ...[...boxes, ...groups].map((box) => box.x + box.width / 2),
    ...arrows.flatMap(({ ways }) => ways.map(({ x }) => x)),
  );
  const top = Math.min(...[...boxes, ...groups].map((box) => box.y - box.height / 2));
  const bottom = Math.max(...[...boxes, ...groups].map((box) => box.y + box.height / 2));
  const least = Math.min(left, ...arrows.flatMap(({ ways }) => ways.map(({ x }) => x)));
  const width = Math.ceil(right - least + 2 * MARGIN);
  const height = Math.ceil(bottom - top + 2 * MARGIN);
  const sign = graph.upward ? -1 : 1;
  const see = ({ x, y }) => ({
    x: round(x - least + MARGIN),
    y: round(graph.upward ? bottom - y + MARGIN : y - top + MARGIN),
  });
  const corner = (box) => {
    const { x, y } = see(box);
    return { x: round(x - box.width / 2), y: round(y - box.height / 2) };
  };
  return {
    width,
    height,
    boxes: boxes.map((box) => ({ ...box, ...corner(box) })),
    groups: groups.map((group) => ({ ...group, ...corner(group) })),
    arrows: arrows.map((arrow) => ({
      source: arrow.source,
      target: arrow.target,
      carried: arrow.carried,
      ...(arrow.carried
        ? aroundLoop(arrow, at, groups, lanes, see)
        : downwards(arrow, ports, see, sign)),
    })),
  };
}

/** Where each arrow leaves and reaches its boxes: side by side, in the order of their other ends. */
function portsOf(at, arrows) {
  const forward = arrows.filter(({ carried }) => !carried);
  const ports = new Map(forward.map((arrow) => [arrow, { from: null, to: null }]));
  for (const box of at.values()) {
    for (const [end, other, way, side] of [
      ["source", "target", 0, 1],
      ["target", "source", -1, -1],
    ]) {
      const own = forward.filter((arrow) => arrow[end] === box.id);
      const across = (arrow) => (arrow.ways.at(way) ?? at.get(arrow[other])).x;
      own.sort((a, b) => across(a) - across(b));
      const apart = Math.min(PORTS, (box.width - 16) / own.length);
      own.forEach((arrow, index) => {
        const x = box.x + (index - (own.length - 1) / 2) * apart;
        ports.get(arrow)[side > 0 ? "from" : "to"] = { x, y: box.y + (side * box.height) / 2 };
      });
    }
  }
  return ports;
}

/** An arrow's line and head: upright beside boxes, and a curve from row to row. */
function downwards(arrow, ports, see, sign) {
  const { from, to } = ports.get(arrow);
  const stops = arrow.ways.flatMap(({ x, y, half }) => [{ x, y: y - half }, { x, y: y + half }]);
  const points = [from, ...stops, to].map(see);
  const tip = points.at(-1);
  points[points.length - 1] = { x: tip.x, y: tip.y - sign * HEAD };
  const parts = [`M${points[0].x} ${points[0].y}`];
  for (let index = 1; index < points.length; index++) {
    const [a, b] = [points[index - 1], points[index]];
    const middle = round((a.y + b.y) / 2);
    parts.push(a.x === b.x ? `V${b.y}` : `C${a.x} ${middle} ${b.x} ${middle} ${b.x} ${b.y}`);
  }
  const base = round(tip.y - sign * (HEAD + 1));
  return {
    line: parts.join(""),
    head: `M${round(tip.x - 3)} ${base}L${round(tip.x + 3)} ${base}L${tip.x} ${tip.y}Z`,
  };
}

/** What goes on to the next turn of a loop runs up at the group's right. */
function aroundLoop({ source, target }, at, groups, lanes, see) {
  const [begin, end] = [at.get(source), at.get(target)];
  const group = groups.find(({ id }) => id === end.group);
  const lane = lanes.get(group.id) ?? 0;
  lanes.set(group.id, lane + 1);
  const apart = source === target ? end.height / 4 : 0;
  const a = see({ x: begin.x + begin.width / 2, y: begin.y + apart });
  const b = see({ x: end.x + end.width / 2, y: end.y - apart });
  const x = see({ x: group.x + group.width / 2 - LANE * (lane + 1), y: 0 }).x;
  const up = Math.sign(b.y - a.y);
  const head = b.x + HEAD;
  return {
    line: `M${a.x} ${a.y}H${round(x - 6)}Q${x} ${a.y} ${x} ${round(a.y + 6 * up)}V${round(b.y - 6 * up)}Q${x} ${b.y} ${round(x - 6)} ${b.y}H${round(head)}`,
    head: `M${round(head + 1)} ${round(b.y - 3)}L${round(head + 1)} ${round(b.y + 3)}L${b.x} ${b.y}Z`,
  };
}

/** A frame around what stands in a group, with room for its label and for what goes on. */
function around(group, groups, boxes, arrows) {
  const inside = (id) => {
    for (let at = id; at; at = groups.find((one) => one.id === at)?.group) {
      if (at === group.id) return true;
    }
    return false;
  };
  const members = boxes.filter((box) => inside(box.group));
  const ids = new Set(members.map(({ id }) => id));
  const within = arrows.filter(({ source, target }) => ids.has(source) && ids.has(target));
  const bends = within.flatMap(({ ways }) => ways.map(({ x }) => x));
  const lanes = within.filter(({ carried }) => carried).length;
  const left = Math.min(...members.map((box) => box.x - box.width / 2), ...bends) - LANE;
  const right =
    Math.max(...members.map((box) => box.x + box.width / 2), ...bends) + LANE * (lanes + 1);
  const top = Math.min(...members.map((box) => box.y - box.height / 2)) - GROUP_HEAD;
  const bottom = Math.max(...members.map((box) => box.y + box.height / 2)) + LANE;
  return {
    ...group,
    x: (left + right) / 2,
    y: (top + bottom) / 2,
    width: round(right - left),
    height: round(bottom - top),
  };
}

/** @param {number} number */
function round(number) {
  return Math.round(number * 10) / 10;
}

const answers = JSON.parse(readFileSync(0, "utf8")).map((question) => {
  try {
    return place(question);
  } catch (error) {
    return { error: String(error.message) };
  }
});
process.stdout.write(JSON.stringify(answers));
