// Puts the boxes of a graph into columns: the longest way on one upright line, all else beside it.

const BETWEEN_BOXES = 16;
const BETWEEN_LINES = 14;
const BESIDE_GROUPS = 42; // more than that between boxes, of which one is framed

/**
 * The longest way along arrows, which go round in no circle.
 *
 * @param {any[]} boxes
 * @param {any[]} edges
 */
export function longestWay(boxes, edges) {
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
export function straighten(boxes, arrows, way) {
  const at = new Map(boxes.map((box) => [box.id, box]));
  const chains = arrows.map(({ source, ways, target }) => [
    at.get(source),
    ...ways,
    at.get(target),
  ]);
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
    for (const [index, item] of row.entries()) sides.set(item, Math.sign(index - row.middle));
  }
  const crossing = crossingChains(chains, [...rows.values()]);
  /** @param {(item: any) => number} wanted */
  const push = (wanted) => {
    for (const row of rows.values()) {
      for (const side of [1, -1]) {
        for (let i = row.middle + side; i >= 0 && i < row.length; i += side) {
          const [inner, item] = [row[i - side], row[i]];
          const least = inner.x + side * apart(inner, item);
          item.x = side > 0 ? Math.max(wanted(item), least) : Math.min(wanted(item), least);
        }
      }
    }
  };
  push((item) => -sides.get(item) * Infinity); // as close as can be
  for (let turn = 0; turn < 2; turn++) push((item) => average(neighbours(item, chains)) ?? item.x);
  for (let turn = 0; turn < 8; turn++) {
    for (const chain of chains) {
      if (crossing.has(chain)) continue; // two of these would push each other away for ever
      const inner = chain.slice(1, -1);
      const side = sides.get(inner[0]);
      if (!side || inner.some((item) => sides.get(item) !== side)) continue;
      const across = inner.map(({ x }) => x);
      const x = side > 0 ? Math.max(...across) : Math.min(...across);
      for (const item of inner) item.x = x;
    }
    push(({ x }) => x);
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

/** @returns {number | null} null for a box without arrows */
function average(items) {
  return items.length === 0 ? null : items.reduce((sum, { x }) => sum + x, 0) / items.length;
}

/** How far the middles of two neighbours in a row have to be from one another. */
function apart(a, b) {
  const framed = a.group !== b.group && a.id && b.id ? BESIDE_GROUPS : 0;
  const between = a.id && b.id ? BETWEEN_BOXES : BETWEEN_LINES;
  return ((a.width ?? 0) + (b.width ?? 0)) / 2 + between + framed;
}
