/**
 * Divides the tiles of a VP8L image into groups, each with prefix codes of its own (RFC 9649, 3.7.2.2): flat parts and
 * edges have other symbols. Groups are found as in k-means: by what a tile would take in each.
 */
import { type Alphabet, type Walk } from "./alphabet.ts";

/** Most groups and tiles, which the module has room for. */
export const MOST_GROUPS = 12;
const MOST_TILES = 512;
const MOST_ALL_TILES = 1024;
const LEAST_TILE_BITS = 3;
const MOST_TILE_BITS = 9;
const ROUNDS = 4;
/** The cost of the codes of a group, in bits: about, and per symbol that is used. */
const GROUP_BITS = 60;
const SYMBOL_BITS = 4.5;
/** The cost of a symbol that a group does not have yet, beyond that of one that it has once. */
const NEW_SYMBOL_BITS = 4;

export interface Groups {
  /** A tile is `1 << tileBits` pixels wide and high. */
  readonly tileBits: number;
  /** The group of each tile, by rows. */
  readonly groupOf: Uint8Array;
  /** How often each symbol occurs in each group. */
  readonly counts: Uint32Array[];
}

/** The symbols of a tile, each with its count. */
interface Tile {
  readonly index: number;
  readonly symbols: number[];
  readonly counts: number[];
}

const tilesAcross = (pixels: number, tileBits: number): number => Math.ceil(pixels / 2 ** tileBits);

function tileBitsFor(width: number, height: number): number {
  let bits = LEAST_TILE_BITS;
  const tiles = (): number => tilesAcross(width, bits) * tilesAcross(height, bits);
  while (bits < MOST_TILE_BITS && tiles() > MOST_TILES) bits++;
  return tiles() > MOST_ALL_TILES ? MOST_TILE_BITS : bits;
}

/**
 * Yields several ways to group tiles. The first is a single group for all; a later one that ends as that is null.
 * @param walk goes through all tokens so far, from the first pixel on
 */
export function* groupTiles(
  walk: Walk,
  alphabet: Alphabet,
  width: number,
  height: number,
): Generator<Groups | null, void> {
  const finest = tileBitsFor(width, height);
  for (const tileBits of [finest, finest + 1, finest + 2]) {
    if (tileBits > MOST_TILE_BITS) return;
    const across = tilesAcross(width, tileBits);
    const tileCount = across * tilesAcross(height, tileBits);
    const tiles = countTiles(walk, width, tileBits, across);
    const whole = sumOf(tiles, alphabet);
    if (tileBits === finest) yield { tileBits, groupOf: new Uint8Array(tileCount), counts: [whole] };
    const { of, counts } = divide(tiles, whole, alphabet);
    yield counts.length > 1 ? { tileBits, groupOf: spread(tiles, of, tileCount), counts } : null;
  }
}

/** Returns the tiles in which tokens begin. */
function countTiles(walk: Walk, width: number, tileBits: number, across: number): Tile[] {
  const tables = new Map<number, Map<number, number>>();
  let [last, table] = [-1, new Map<number, number>()];
  walk(
    (place) => {
      const x = place % width;
      const index = (((place - x) / width) >> tileBits) * across + (x >> tileBits);
      if (index === last) return;
      table = tables.get(index) ?? new Map<number, number>();
      tables.set(index, table);
      last = index;
    },
    (symbol) => table.set(symbol, (table.get(symbol) ?? 0) + 1),
  );
  return [...tables].map(([index, table]) => ({
    index,
    symbols: [...table.keys()],
    counts: [...table.values()],
  }));
}

function sumOf(tiles: readonly Tile[], { symbols: all }: Alphabet): Uint32Array {
  const sum = new Uint32Array(all);
  for (const { symbols, counts } of tiles) symbols.forEach((symbol, i) => (sum[symbol]! += counts[i]!));
  return sum;
}

const LOGARITHMS = Float64Array.from({ length: 1024 }, (_, count) => Math.log2(count));
const log2 = (count: number): number => LOGARITHMS[count] ?? Math.log2(count);

/** Returns the bits of each symbol by the counts of a group. */
function costsOf(counts: Uint32Array, { symbols, codes }: Alphabet): Float64Array {
  const costs = new Float64Array(symbols);
  for (const code of codes) {
    let total = 0;
    for (const [from, end] of code) for (let symbol = from; symbol < end; symbol++) total += counts[symbol]!;
    const all = Math.log2(total + 1);
    for (const [from, end] of code) {
      for (let symbol = from; symbol < end; symbol++) {
        costs[symbol] = counts[symbol]! > 0 ? all - log2(counts[symbol]!) : all + NEW_SYMBOL_BITS;
      }
    }
  }
  return costs;
}

const bitsIn = ({ symbols, counts }: Tile, costs: Float64Array): number =>
  symbols.reduce((sum, symbol, i) => sum + counts[i]! * costs[symbol]!, 0);

/** Returns the bits of all symbols of a group, and of its codes. */
function bitsOfGroup(counts: Uint32Array, { codes }: Alphabet): number {
  let bits = GROUP_BITS;
  for (const code of codes) {
    let total = 0;
    for (const [from, end] of code) {
      for (let symbol = from; symbol < end; symbol++) {
        const count = counts[symbol]!;
        if (count === 0) continue;
        total += count;
        bits += SYMBOL_BITS - count * log2(count);
      }
    }
    if (total > 0) bits += total * Math.log2(total);
  }
  return bits;
}

interface Division {
  /** The group of each tile. */
  of: number[];
  counts: Uint32Array[];
}

/** Begins with tiles in order of what their tokens take, and moves tiles to where they take less. */
function divide(tiles: readonly Tile[], whole: Uint32Array, alphabet: Alphabet): Division {
  const usual = costsOf(whole, alphabet);
  const mean = (tile: Tile): number => bitsIn(tile, usual) / tile.counts.reduce((sum, n) => sum + n, 0);
  const order = tiles.map((tile, i) => ({ i, bits: mean(tile) })).sort((a, b) => a.bits - b.bits);
  const groups = Math.min(MOST_GROUPS, tiles.length);
  const countGroups = (of: readonly number[]): Uint32Array[] =>
    Array.from({ length: groups }, (_, group) =>
      sumOf(
        tiles.filter((_, i) => of[i] === group),
        alphabet,
      ),
    );
  let of = new Array<number>(tiles.length).fill(0);
  order.forEach(({ i }, at) => (of[i] = Math.floor((at * groups) / tiles.length)));
  let counts = countGroups(of);
  for (let round = 0; round < ROUNDS; round++) {
    const costs = counts.map((group) => costsOf(group, alphabet));
    of = tiles.map((tile) => cheapest(tile, costs));
    counts = countGroups(of);
  }
  return merged({ of, counts }, alphabet);
}

function cheapest(tile: Tile, costs: readonly Float64Array[]): number {
  let [best, fewest] = [0, Infinity];
  costs.forEach((one, group) => {
    const bits = bitsIn(tile, one);
    if (bits < fewest) [best, fewest] = [group, bits];
  });
  return best;
}

interface Pair {
  from: Uint32Array;
  into: Uint32Array;
  sum: Uint32Array;
  saved: number;
}

/** Joins groups as long as that takes fewer bits. */
function merged({ of, counts: groups }: Division, alphabet: Alphabet): Division {
  const bits = new Map(groups.map((counts) => [counts, bitsOfGroup(counts, alphabet)]));
  const join = (into: Uint32Array, from: Uint32Array): Pair => {
    const sum = into.slice();
    for (let symbol = 0; symbol < sum.length; symbol++) sum[symbol]! += from[symbol]!;
    return { from, into, sum, saved: bits.get(from)! + bits.get(into)! - bitsOfGroup(sum, alphabet) };
  };
  let pairs = groups.flatMap((from, i) => groups.slice(0, i).map((into) => join(into, from)));
  for (;;) {
    const best = pairs.reduce<Pair | null>(
      (most, one) => (one.saved > (most?.saved ?? 0) ? one : most),
      null,
    );
    if (!best) return { of, counts: groups };
    const { from, into, sum } = best;
    const places = [groups.indexOf(from), groups.indexOf(into)];
    const [source, target] = [Math.max(...places), Math.min(...places)];
    groups = groups.with(target, sum).toSpliced(source, 1);
    of = of.map((group) => (group === source ? target : group > source ? group - 1 : group));
    bits.set(sum, bitsOfGroup(sum, alphabet));
    const isLeft = (one: Uint32Array): boolean => one !== from && one !== into;
    pairs = pairs.filter((pair) => isLeft(pair.from) && isLeft(pair.into));
    pairs.push(...groups.filter((one) => one !== sum).map((one) => join(one, sum)));
  }
}

/** Returns the group of every tile. One in which no token begins has that of the tile before. */
function spread(tiles: readonly Tile[], of: readonly number[], count: number): Uint8Array {
  const known = new Map(tiles.map(({ index }, i) => [index, of[i] ?? 0]));
  const groupOf = new Uint8Array(count);
  let last = 0;
  for (let tile = 0; tile < count; tile++) groupOf[tile] = last = known.get(tile) ?? last;
  return groupOf;
}
