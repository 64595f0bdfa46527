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

/**
 * The longest way along arrows, which go round in no circle.
 *
 * @param {any[]} boxes
 * @param {any[]} edges
 */
function longestWay(boxes, edges) {
  /** @type {Map<string, any[]>} */
  const ways = new Map();
  const order = new Map(boxes.map(({ id }, index) => [id, index]));
  /** Longer, or as long and from a box that comes earlier. */
  const isBetter = (way, than) =>
    way.length > than.length ||
    (way.length > 0 &&
      way.length === than.length &&
      order.get(way[0].source) < order.get(than[0].source));
  /** @param {string} id @returns {any[]} */
  const wayTo = (id) => {
    const known = ways.get(id);
    if (known) return known;
    let longest = [];
    for (const edge of edges) {
      if (edge.target !== id) continue;
      const way = [...wayTo(edge.source), edge];
      if (isBetter(way, longest)) longest = way;
    }
    ways.set(id, longest);
    return longest;
  };
  let longest = [];
  for (const { id } of boxes) if (isBetter(wayTo(id), longest)) longest = wayTo(id);
  return longest;
}

/**
 * Puts the longest way on one upright line, and all else beside it: in dagre's order, as near to
 * what it is connected with as there is room. An arrow that passes rows runs straight beside them.
 *
 * @param {any[]} boxes
 * @param {any[]} arrows
 * @param {any[]} way
 */
function straighten(boxes, arrows, way) {
  const at = new Map(boxes.map((box) => [box.id, box]));
  const chains = arrows.map(({ source, ways, target }) => [at.get(source), ...ways, at.get(target)]);
  const rows = new Map();
  for (const item of [...boxes, ...arrows.flatMap(({ ways }) => ways)]) {
    const y = Math.round(item.y);
    rows.set(y, [...(rows.get(y) ?? []), item]);
  }
  for (const arrow of arrows) {
    arrow.isStraight = way.some((o) => o.source === arrow.source && o.target === arrow.target);
  }
  const spine = new Set(way.flatMap(({ source, target }) => [at.get(source), at.get(target)]));
  for (const { isStraight, ways } of arrows) if (isStraight) for (const one of ways) spine.add(one);
  const centre = [...spine][0]?.x ?? 0;
  for (const row of rows.values()) {
    row.sort((a, b) => a.x - b.x);
    const middle = row.findIndex((item) => spine.has(item));
    row.middle = middle < 0 ? row.indexOf(nearest(row, centre)) : middle;
    if (middle >= 0) row[middle].x = centre;
  }
  const sides = new Map();
  for (const row of rows.values()) {
    row.forEach((item, index) => sides.set(item, Math.sign(index - row.middle)));
  }
  const crossing = crossingChains(chains, [...rows.values()]);
  for (let sweep = 0; sweep < 24; sweep++) {
    const settle = sweep >= 12; // first near, then straight
    for (const row of rows.values()) {
      for (const side of [1, -1]) {
        for (let i = row.middle + side; i >= 0 && i < row.length; i += side) {
          const [inner, item] = [row[i - side], row[i]];
          const nearby = settle ? item.x : average(neighbours(item, chains));
          const least = inner.x + side * apart(inner, item);
          item.x = side > 0 ? Math.max(nearby, least) : Math.min(nearby, least);
        }
      }
    }
    if (!settle) continue;
    for (const chain of chains) {
      if (crossing.has(chain)) continue; // two of these would push each other away for ever
      const inner = chain.slice(1, -1);
      const side = sides.get(inner[0]);
      if (!side || inner.some((item) => sides.get(item) !== side)) continue;
      const across = inner.map(({ x }) => x);
      const x = side > 0 ? Math.max(...across) : Math.min(...across);
      for (const item of inner) item.x = x;
    }
  }
}

/** Those that stand in two rows in different orders. */
function crossingChains(chains, rows) {
  const places = new Map(rows.flatMap((row, y) => row.map((item, x) => [item, { x, y }])));
  const inner = chains.map((chain) => chain.slice(1, -1).map((item) => places.get(item)));
  const crossing = new Set();
  chains.forEach((chain, i) => {
    inner.forEach((other, j) => {
      const orders = inner[i].flatMap(({ x, y }) =>
        other.filter((place) => place.y === y && i !== j).map((place) => Math.sign(x - place.x)),
      );
      if (new Set(orders).size > 1) crossing.add(chain);
    });
  });
  return crossing;
}

function nearest(row, x) {
  return row.reduce((a, b) => (Math.abs(b.x - x) < Math.abs(a.x - x) ? b : a));
}

function neighbours(item, chains) {
  return chains.flatMap((chain) => {
    const index = chain.indexOf(item);
    return index < 0 ? [] : [chain[index - 1], chain[index + 1]].filter(Boolean);
  });
}

function average(items) {
  return items.reduce((sum, { x }) => sum + x, 0) / items.length;
}

/** How far the middles of two neighbours in a row have to be from one another. */
function apart(a, b) {
  const framed = a.group !== b.group && a.id && b.id ? 3 * LANE : 0;
  const between = a.id && b.id ? BETWEEN_BOXES : LANE;
  return ((a.width ?? 0) + (b.width ?? 0)) / 2 + between + framed;
}

/** Moves what stands in a group down until the group's head has room above it. */
function makeRoomForHeads(groups, boxes, arrows) {
  for (const group of groups) {
    const first = Math.min(
      ...boxes.filter(({ id }) => members(group, groups, boxes).has(id)).map((box) => topOf(box)),
    );
    const above = boxes.map((box) => box.y + box.height / 2).filter((bottom) => bottom < first);
    if (!above.length) continue;
    const missing = Math.max(...above) + GROUP_HEAD + LANE - first;
    const from = first + 1;
    const items = [...boxes, ...arrows.flatMap(({ ways }) => ways)];
    if (missing > 0) for (const item of items) if (item.y >= from) item.y += missing;
  }
}

function topOf(box) {
  return box.y - box.height / 2;
}

/** The ids of the boxes in a group, and in the groups in it. */
function members(group, groups, boxes) {
  const isInside = (id) =>
    id === group.id || (id && isInside(groups.find((one) => one.id === id)?.group));
  return new Set(boxes.filter((box) => isInside(box.group)).map(({ id }) => id));
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
      const straight = own.findIndex(({ isStraight }) => isStraight);
      const middle = straight < 0 ? (own.length - 1) / 2 : straight;
      const most = Math.max(middle, own.length - 1 - middle, 1);
      const apart = Math.min(PORTS, (box.width / 2 - 10) / most);
      own.forEach((arrow, index) => {
        const x = box.x + (index - middle) * apart;
        ports.get(arrow)[side > 0 ? "from" : "to"] = { x, y: box.y + (side * box.height) / 2 };
      });
    }
  }
  return ports;
}

/** An arrow's line and head: upright beside boxes, and a curve from row to row. */
function downwards(arrow, ports, see, sign) {
  const { from, to } = ports.get(arrow);
  const stops = arrow.ways.flatMap(({ x, y, half }) => [
    { x, y: y - half },
    { x, y: y + half },
  ]);
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
  const ids = members(group, groups, boxes);
  const own = boxes.filter(({ id }) => ids.has(id));
  const within = arrows.filter(({ source, target }) => ids.has(source) && ids.has(target));
  const bends = within.flatMap(({ ways }) => ways.map(({ x }) => x));
  const lanes = within.filter(({ carried }) => carried).length;
  const left = Math.min(...own.map((box) => box.x - box.width / 2), ...bends) - LANE;
  const right =
    Math.max(...own.map((box) => box.x + box.width / 2), ...bends) + LANE * (lanes + 1);
  const top = Math.min(...own.map(topOf)) - GROUP_HEAD;
  const bottom = Math.max(...own.map((box) => box.y + box.height / 2)) + LANE;
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
