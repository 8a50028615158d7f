/**
 * Divides the tiles of alpha into groups, each with prefix codes of its own (RFC 9649, 3.7.2.2): flat parts and edges
 * have other symbols. Groups are found as in k-means: by what a tile would take in each.
 */
export const LENGTHS = 256;
export const PLACES = 280;
export const SYMBOLS = 320;

/** Tokens as alpha-path.ts makes them. */
const MATCH = 0x80000000;
const LENGTH_SHIFT = 19;
const LENGTH_MASK = 0xfff;
const PLACE_MASK = 0x7ffff;

/** Most groups and tiles, which the module has room for. */
export const MOST_GROUPS = 12;
const MOST_TILES = 512;
const MOST_ALL_TILES = 1024;
const LEAST_TILE_BITS = 3;
const MOST_TILE_BITS = 9;
const ROUNDS = 4;
/** What the codes of a group take, in bits: about, and per symbol that is used. */
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

/** What a tile has: its symbols, each with its count. */
interface Tile {
  readonly index: number;
  readonly symbols: number[];
  readonly counts: number[];
}

export function prefixSymbol(value: number): number {
  if (value < 4) return value;
  const highest = 31 - Math.clz32(value);
  return 2 * highest + ((value >> (highest - 1)) & 1);
}

const tilesAcross = (pixels: number, tileBits: number): number => Math.ceil(pixels / 2 ** tileBits);

function tileBitsFor(width: number, height: number): number {
  let bits = LEAST_TILE_BITS;
  const tiles = (): number => tilesAcross(width, bits) * tilesAcross(height, bits);
  while (bits < MOST_TILE_BITS && tiles() > MOST_TILES) bits++;
  return tiles() > MOST_ALL_TILES ? MOST_TILE_BITS : bits;
}

/**
 * Several ways to group tiles, of which one is a single group for all.
 * @param tokens all tokens so far, from the first pixel on
 */
export function groupTiles(tokens: Uint32Array, width: number, height: number): Groups[] {
  const finest = tileBitsFor(width, height);
  return [finest, finest + 1, finest + 2].flatMap((tileBits, i): Groups[] => {
    if (tileBits > MOST_TILE_BITS) return [];
    const across = tilesAcross(width, tileBits);
    const tileCount = across * tilesAcross(height, tileBits);
    const tiles = countTiles(tokens, width, tileBits, across);
    const whole = sumOf(tiles);
    const single = { tileBits, groupOf: new Uint8Array(tileCount), counts: [whole] };
    const { of, counts } = divide(tiles, whole);
    const divided = { tileBits, groupOf: spread(tiles, of, tileCount), counts };
    return i === 0 ? [single, divided] : [divided];
  });
}

/** The tiles in which tokens begin. */
function countTiles(tokens: Uint32Array, width: number, tileBits: number, across: number): Tile[] {
  const tables = new Map<number, Map<number, number>>();
  let place = 0;
  for (const token of tokens) {
    const x = place % width;
    const y = (place - x) / width;
    const index = (y >> tileBits) * across + (x >> tileBits);
    let table = tables.get(index);
    if (!table) tables.set(index, (table = new Map<number, number>()));
    const add = (symbol: number): unknown => table.set(symbol, (table.get(symbol) ?? 0) + 1);
    if (token >= MATCH) {
      const length = (token >>> LENGTH_SHIFT) & LENGTH_MASK;
      add(LENGTHS + prefixSymbol(length));
      add(PLACES + prefixSymbol(token & PLACE_MASK));
      place += length + 1;
    } else {
      add(token);
      place++;
    }
  }
  return [...tables].map(([index, table]) => ({
    index,
    symbols: [...table.keys()],
    counts: [...table.values()],
  }));
}

function sumOf(tiles: readonly Tile[]): Uint32Array {
  const sum = new Uint32Array(SYMBOLS);
  for (const { symbols, counts } of tiles) symbols.forEach((symbol, i) => (sum[symbol]! += counts[i]!));
  return sum;
}

/** Calls `each` for the two codes: of literals and lengths, and of places. */
const RANGES = [
  [0, PLACES],
  [PLACES, SYMBOLS],
] as const;

/** Bits of each symbol by the counts of a group. */
function costsOf(counts: Uint32Array): Float64Array {
  const costs = new Float64Array(SYMBOLS);
  for (const [from, end] of RANGES) {
    let total = 0;
    for (let symbol = from; symbol < end; symbol++) total += counts[symbol]!;
    const all = Math.log2(total + 1);
    for (let symbol = from; symbol < end; symbol++) {
      costs[symbol] = counts[symbol]! > 0 ? all - Math.log2(counts[symbol]!) : all + NEW_SYMBOL_BITS;
    }
  }
  return costs;
}

const bitsIn = ({ symbols, counts }: Tile, costs: Float64Array): number =>
  symbols.reduce((sum, symbol, i) => sum + counts[i]! * costs[symbol]!, 0);

/** Bits of all symbols of a group, and of its codes. */
function bitsOfGroup(counts: Uint32Array): number {
  let bits = GROUP_BITS;
  for (const [from, end] of RANGES) {
    let total = 0;
    for (let symbol = from; symbol < end; symbol++) {
      const count = counts[symbol]!;
      if (count === 0) continue;
      total += count;
      bits += SYMBOL_BITS - count * Math.log2(count);
    }
    if (total > 0) bits += total * Math.log2(total);
  }
  return bits;
}

/** Begins with tiles in order of what their tokens take, and moves tiles to where they take less. */
function divide(tiles: readonly Tile[], whole: Uint32Array): { of: number[]; counts: Uint32Array[] } {
  const usual = costsOf(whole);
  const mean = (tile: Tile): number => bitsIn(tile, usual) / tile.counts.reduce((sum, n) => sum + n, 0);
  const order = tiles.map((tile, i) => ({ i, bits: mean(tile) })).sort((a, b) => a.bits - b.bits);
  const groups = Math.min(MOST_GROUPS, tiles.length);
  let of = new Array<number>(tiles.length).fill(0);
  order.forEach(({ i }, at) => (of[i] = Math.floor((at * groups) / tiles.length)));
  let counts = countGroups(tiles, of, groups);
  for (let round = 0; round < ROUNDS; round++) {
    const costs = counts.map(costsOf);
    of = tiles.map((tile) => cheapest(tile, costs));
    counts = countGroups(tiles, of, groups);
  }
  return merged(of, counts);
}

function cheapest(tile: Tile, costs: readonly Float64Array[]): number {
  let [best, fewest] = [0, Infinity];
  costs.forEach((one, group) => {
    const bits = bitsIn(tile, one);
    if (bits < fewest) [best, fewest] = [group, bits];
  });
  return best;
}

const countGroups = (tiles: readonly Tile[], of: readonly number[], groups: number): Uint32Array[] =>
  Array.from({ length: groups }, (_, group) => sumOf(tiles.filter((_, i) => of[i] === group)));

/** Joins groups as long as that takes fewer bits. */
function merged(of: number[], groups: Uint32Array[]): { of: number[]; counts: Uint32Array[] } {
  for (;;) {
    let best: { from: number; into: number; sum: Uint32Array; saved: number } | null = null;
    for (let from = 1; from < groups.length; from++) {
      for (let into = 0; into < from; into++) {
        const sum = groups[into]!.map((count, symbol) => count + groups[from]![symbol]!);
        const saved = bitsOfGroup(groups[from]!) + bitsOfGroup(groups[into]!) - bitsOfGroup(sum);
        if (saved > (best?.saved ?? 0)) best = { from, into, sum, saved };
      }
    }
    if (!best) return { of, counts: groups };
    const { from, into, sum } = best;
    groups = groups.with(into, sum).toSpliced(from, 1);
    of = of.map((group) => (group === from ? into : group > from ? group - 1 : group));
  }
}

/** The group of every tile. One in which no token begins has that of the tile before. */
function spread(tiles: readonly Tile[], of: readonly number[], count: number): Uint8Array {
  const known = new Map(tiles.map(({ index }, i) => [index, of[i] ?? 0]));
  const groupOf = new Uint8Array(count);
  let last = 0;
  for (let tile = 0; tile < count; tile++) groupOf[tile] = last = known.get(tile) ?? last;
  return groupOf;
}
