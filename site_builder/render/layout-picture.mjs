// Turns a graph whose boxes have places into a picture: frames, lines and the heads of arrows.

const MARGIN = 1; // for the strokes at the edge
const PORTS = 12; // px between arrows that begin or end at one box, where there is room
const HEAD = 5; // length of an arrow's head
const GROUP_HEAD = 46; // room for a group's label
const LANE = 14; // px between a group's edge and what goes on to the next turn

/** The picture: everything moved to where it is seen, turned over if it flows up. */
export function drawn(graph, boxes, arrows) {
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
  const right = Math.max(...own.map((box) => box.x + box.width / 2), ...bends) + LANE * (lanes + 1);
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

/** Moves what stands in a group down until the group's head has room above it. */
export function makeRoomForHeads(groups, boxes, arrows) {
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
