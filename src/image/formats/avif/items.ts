import { merge, readProperty, type Properties } from "./properties.ts";
import { InvalidImageError } from "../../bytes/errors.ts";
import { latin1 } from "../../bytes/numbers.ts";
import { boxesIn, Reader, type Box } from "./isobmff.ts";

const MAX_ITEMS = 4096;
const MAX_EXTENTS = 16384;
const MAX_PROPERTIES = 4096;
const MAX_ASSOCIATIONS = 32768;
const MAX_REFERENCES = 16384;
/** The bytes of an item's name and MIME type that are read. */
const NAMES_MAX_BYTES = 512;

/** A range of bytes in the file, or in the `idat` box of the meta box. A length of null means "to the end". */
export interface Extent {
  in: "file" | "idat";
  offset: number;
  length: number | null;
}

/** The items of a HEIF file, by id: ISO/IEC 14496-12 section 8.11, ISO/IEC 23008-12 section 6. */
export interface ItemTable {
  primary: number | null;
  types: Map<number, string>;
  /** The MIME types of items that have one. */
  contentTypes: Map<number, string>;
  extents: Map<number, Extent[]>;
  properties: Map<number, Properties>;
  /** For each derived item, the items that it is made of (`dimg`), in order. */
  parts: Map<number, number[]>;
  /** For each item, its auxiliary items (`auxl`), such as alpha and depth. */
  auxiliaries: Map<number, number[]>;
  /** Items whose colours are premultiplied by alpha (`prem`). */
  premultiplied: Set<number>;
  idat: Uint8Array;
}

/**
 * Reads a meta box.
 * @throws InvalidImageError when a table overruns its box, names something that does not exist, or is larger than any
 *   picture needs
 */
export function readItems(meta: Uint8Array): ItemTable {
  const start = new Reader(meta, "box meta");
  start.full();
  const table: ItemTable = {
    primary: null,
    types: new Map(),
    contentTypes: new Map(),
    extents: new Map(),
    properties: new Map(),
    parts: new Map(),
    auxiliaries: new Map(),
    premultiplied: new Set(),
    idat: new Uint8Array(0),
  };
  for (const box of boxesIn(start.rest(), "meta")) {
    const reader = new Reader(box.body, `box ${box.type}`);
    if (box.type === "pitm") table.primary = reader.uint(reader.full().version === 0 ? 2 : 4);
    else if (box.type === "iinf") readTypes(reader, table);
    else if (box.type === "iloc") readLocations(reader, table);
    else if (box.type === "iref") readReferences(reader, table);
    else if (box.type === "iprp") readProperties(box, table);
    else if (box.type === "idat") table.idat = box.body;
  }
  return table;
}

function readTypes(reader: Reader, table: ItemTable): void {
  atMost(MAX_ITEMS, reader.uint(reader.full().version === 0 ? 2 : 4), "items");
  for (const { type, body } of boxesIn(reader.rest(), "iinf")) {
    if (type !== "infe") continue;
    const entry = new Reader(body, "box infe");
    const { version } = entry.full();
    // Versions 0 and 1 have no item type. They belong to MPEG-21, not to pictures.
    if (version < 2) continue;
    const id = entry.uint(version === 2 ? 2 : 4);
    entry.skip(2);
    const itemType = entry.fourcc();
    table.types.set(id, itemType);
    if (itemType === "mime") {
      const [, contentType = ""] = latin1(entry.rest().subarray(0, NAMES_MAX_BYTES)).split("\0");
      table.contentTypes.set(id, contentType);
    }
    atMost(MAX_ITEMS, table.types.size, "items");
  }
}

/** Reads iloc: section 8.11.3. */
function readLocations(reader: Reader, table: ItemTable): void {
  const { version } = reader.full();
  const sizes = reader.u16();
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15] as const;
  const indexSize = version === 0 ? 0 : sizes & 15;
  const idSize = version < 2 ? 2 : 4;
  const items = atMost(MAX_ITEMS, reader.uint(idSize), "items in iloc");
  let extentsInAll = 0;
  for (let item = 0; item < items; item += 1) {
    const id = reader.uint(idSize);
    const method = version === 0 ? 0 : reader.u16() & 15;
    reader.skip(2);
    const base = reader.uint(baseSize);
    const count = reader.u16();
    extentsInAll = atMost(MAX_EXTENTS, extentsInAll + count, "extents");
    const extents: Extent[] = [];
    for (let i = 0; i < count; i += 1) {
      reader.skip(indexSize);
      const offset = base + reader.uint(offsetSize);
      const length = reader.uint(lengthSize);
      // No AVIF writer uses method 2, in which the data are part of another item.
      if (method < 2) {
        extents.push({ in: method === 0 ? "file" : "idat", offset, length: length === 0 ? null : length });
      }
    }
    table.extents.set(id, extents);
  }
}

function readReferences(reader: Reader, table: ItemTable): void {
  const idSize = reader.full().version === 0 ? 2 : 4;
  let references = 0;
  for (const { type, body } of boxesIn(reader.rest(), "iref")) {
    const entry = new Reader(body, "box iref");
    const from = entry.uint(idSize);
    const count = entry.u16();
    references = atMost(MAX_REFERENCES, references + count, "references");
    const to = Array.from({ length: count }, () => entry.uint(idSize));
    if (type === "dimg") table.parts.set(from, to);
    if (type === "prem") table.premultiplied.add(from);
    if (type === "auxl") for (const id of to) append(table.auxiliaries, id, from);
  }
}

function readProperties(iprp: Box, table: ItemTable): void {
  const all: Properties[] = [];
  const associations = new Map<number, number[]>();
  for (const { type, body } of boxesIn(iprp.body, "iprp")) {
    if (type === "ipco") {
      for (const box of boxesIn(body, "ipco")) {
        all.push(readProperty(box));
        atMost(MAX_PROPERTIES, all.length, "properties");
      }
    }
    if (type === "ipma") readAssociations(new Reader(body, "box ipma"), associations);
  }
  for (const [id, indices] of associations) {
    // Indices start at 1; 0 means no property.
    const own = indices.filter((index) => index > 0).map((index) => all[index - 1]);
    if (own.includes(undefined))
      throw new InvalidImageError(`AVIF item ${id} has a property that is not there`);
    table.properties.set(id, merge(own as Properties[]));
  }
}

/** Reads ipma: ISO/IEC 23008-12 section 9.3. The top bit of each index says whether the property is essential. */
function readAssociations(reader: Reader, associations: Map<number, number[]>): void {
  const { version, flags } = reader.full();
  const indexSize = flags & 1 ? 2 : 1;
  const items = atMost(MAX_ITEMS, reader.u32(), "items in ipma");
  let inAll = 0;
  for (let item = 0; item < items; item += 1) {
    const id = reader.uint(version === 0 ? 2 : 4);
    const count = reader.u8();
    inAll = atMost(MAX_ASSOCIATIONS, inAll + count, "property associations");
    for (let i = 0; i < count; i += 1) {
      append(associations, id, reader.uint(indexSize) & (indexSize === 2 ? 0x7fff : 0x7f));
    }
  }
}

function append(map: Map<number, number[]>, key: number, value: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function atMost(limit: number, count: number, what: string): number {
  if (count > limit) throw new InvalidImageError(`AVIF has more than ${limit} ${what}`);
  return count;
}
