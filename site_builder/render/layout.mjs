// Lays out graphs with dagre: an answer says where everything in a graph is, or is {error}.
//
// The ranks, the order in them and the bends of arrows are dagre's. An arrow that is carried to the
// next iteration of a loop is reversed for it, so that it gets a lane of its own beside the boxes.
// What dagre cannot know is added afterwards: room for the heads of groups, which moves everything
// below them down, and where at a box each arrow ends.
import { graphlib, layout } from "@dagrejs/dagre";

const SPACING = { nodesep: 16, edgesep: 14, ranksep: 30 };
const MARGIN = 1; // for the strokes at the edge
const PORTS = 12; // px between arrows that end at one box, where there is room
const TIP = 5; // length of an arrow's head
const PADDING = 14; // px between a group's edge and what stands in it

/** @param {any} question */
function place({ boxes, arrows, groups, upward }) {
  const graph = new graphlib.Graph({ compound: true, multigraph: true });
  graph.setGraph({ ...SPACING, rankdir: upward ? "BT" : "TB" });
  for (const { id } of groups) graph.setNode(id, {});
  for (const { id, width, height } of boxes) graph.setNode(id, { width, height });
  for (const { id, group } of [...boxes, ...groups]) if (group) graph.setParent(id, group);
  for (const { source, target, carried } of arrows) {
    for (const id of [source, target]) if (!graph.hasNode(id)) throw new Error(`no box is '${id}'`);
    if (carried) graph.setEdge(target, source, {}, "carried");
    else graph.setEdge(source, target, {});
  }
  layout(graph);
  const placed = boxes.map((box) => ({ ...box, ...graph.node(box.id) }));
  const at = new Map(placed.map((box) => [box.id, box]));
  const lines = arrows.map((arrow) => {
    const { source, target, carried } = arrow;
    const edge = carried ? graph.edge(target, source, "carried") : graph.edge(source, target);
    const bends = edge.points.slice(1, -1).map(({ x, y }) => ({ x, y }));
    const [from, to] = [at.get(source), at.get(target)];
    return { ...arrow, from: { ...from }, to: { ...to }, bends: carried ? bends.reverse() : bends };
  });
  const bends = lines.flatMap((line) => line.bends);
  const ends = lines.flatMap(({ from, to }) => [from, to]);
  const frames = groups.map((group) => ({ ...group, ...graph.node(group.id) }));
  makeRoom(placed, frames, [...placed, ...bends, ...ends]);
  for (const box of placed) setPorts(box, lines, upward ? -1 : 1);
  return picture(placed, frames, lines);
}

/**
 * Moves what is below the top of a group down, to make room for its head, and puts frames around
 * what is in them. A group comes after the one around it.
 */
function makeRoom(boxes, frames, items) {
  const parents = new Map([...boxes, ...frames].map(({ id, group }) => [id, group]));
  const isInside = (id, frame) =>
    id && (parents.get(id) === frame || isInside(parents.get(id), frame));
  for (const { id, head } of frames) {
    const first = Math.min(...boxes.filter((box) => isInside(box.id, id)).map(({ y }) => y));
    for (const item of items) if (item.y >= first - 1) item.y += head + PADDING;
  }
  for (const frame of frames.toReversed()) {
    const own = [...boxes, ...frames].filter(({ id }) => isInside(id, frame.id));
    const top = Math.min(...own.map(({ y, height }) => y - height / 2)) - PADDING - frame.head;
    const bottom = Math.max(...own.map(({ y, height }) => y + height / 2)) + PADDING;
    Object.assign(frame, { height: bottom - top, y: (top + bottom) / 2 });
  }
}

/** Lets arrows end at a box side by side, in the order of their bends; straight ones in the middle. */
function setPorts(box, lines, down) {
  for (const [end, side] of [
    ["from", down],
    ["to", -down],
  ]) {
    const ends = lines
      .filter((line) => !line.carried && line[end].id === box.id)
      .map((line) => ({ own: line[end], next: line.bends.at(end === "from" ? 0 : -1) }));
    for (const { own } of ends) own.y = box.y + (side * box.height) / 2;
    for (const sign of [-1, 1]) {
      const beside = ends.filter(({ next }) => sign * (next.x - box.x) > 1);
      beside.sort((a, b) => sign * (a.next.x - b.next.x));
      const apart = Math.min(PORTS, (box.width / 2 - 10) / beside.length);
      beside.forEach(({ own }, index) => {
        own.x = box.x + sign * apart * (index + 1);
      });
    }
  }
}

/** Everything moved to where it is seen, with the paths of arrows. */
function picture(boxes, frames, lines) {
  const rectangles = [...boxes, ...frames];
  const bends = lines.flatMap((line) => line.bends);
  const left = Math.min(...rectangles.map((r) => r.x - r.width / 2), ...bends.map(({ x }) => x));
  const right = Math.max(...rectangles.map((r) => r.x + r.width / 2), ...bends.map(({ x }) => x));
  const top = Math.min(...rectangles.map((r) => r.y - r.height / 2));
  const bottom = Math.max(...rectangles.map((r) => r.y + r.height / 2));
  const see = ({ x, y }) => ({ x: round(x - left + MARGIN), y: round(y - top + MARGIN) });
  const rectangle = ({ id, x, y, width, height }) => ({
    ...{ id, width: round(width), height: round(height) },
    ...see({ x: x - width / 2, y: y - height / 2 }),
  });
  return {
    width: Math.ceil(right - left + 2 * MARGIN),
    height: Math.ceil(bottom - top + 2 * MARGIN),
    boxes: boxes.map(rectangle),
    groups: frames.map(rectangle),
    arrows: lines.map((line) => ({
      ...{ source: line.source, target: line.target, carried: line.carried },
      ...(line.carried ? around(line, see) : along(line, see)),
    })),
  };
}

/** An arrow from box to box: a curve from bend to bend, upright in each. */
function along({ from, to, bends }, see) {
  const down = Math.sign(to.y - from.y);
  const points = [from, ...bends, { x: to.x, y: to.y - down * TIP }].map(see);
  return { line: curve(points), head: head(see(to), 0, down) };
}

/** What is carried leaves and reaches its boxes at the side on which its lane is, or from below. */
function around({ from, to, bends }, see) {
  const [first, last] = [bends[0], bends.at(-1)];
  const start = beside(from, first, from.id === to.id ? 1 : 0);
  const end = beside(to, last, from.id === to.id ? -1 : 0);
  const points = [{ x: first.x, y: start.y }, ...bends, { x: last.x, y: end.y }].map(see);
  const [a, b] = [see(start), see(end)];
  const tip = end.side ? `H${round(b.x + end.side * TIP)}` : "";
  return {
    line: `M${a.x} ${a.y}H${points[0].x}${curve(points).slice(curve(points).search(/[CV]/))}${tip}`,
    head: end.side ? head(b, -end.side, 0) : head(b, 0, Math.sign(end.y - last.y)),
  };
}

/** Where an arrow ends that comes from a bend: at a side of the box, if the bend is beside it. */
function beside({ x, y, width, height }, bend, quarters) {
  const side = Math.abs(bend.x - x) > width / 2 + TIP ? Math.sign(bend.x - x) : 0;
  if (!side) return { side, x: bend.x, y: y + (Math.sign(bend.y - y) * height) / 2 };
  return { side, x: x + (side * width) / 2, y: y + (quarters * height) / 4 };
}

function curve(points) {
  const parts = [`M${points[0].x} ${points[0].y}`];
  points.slice(1).forEach((b, index) => {
    const a = points[index];
    const middle = round((a.y + b.y) / 2);
    parts.push(a.x === b.x ? `V${b.y}` : `C${a.x} ${middle} ${b.x} ${middle} ${b.x} ${b.y}`);
  });
  return parts.join("");
}

/** The head of an arrow that points at a place in a direction. */
function head({ x, y }, right, down) {
  const [bx, by] = [x - right * (TIP + 1), y - down * (TIP + 1)];
  const corner = (side) => `${round(bx + side * 3 * down)} ${round(by + side * 3 * right)}`;
  return `M${corner(-1)}L${corner(1)}L${x} ${y}Z`;
}

/** @param {number} number */
function round(number) {
  return Math.round(number * 10) / 10;
}

export function answer(questions) {
  return questions.map((question) => {
    try {
      return place(question);
    } catch (error) {
      return { error: String(error.message) };
    }
  });
}
