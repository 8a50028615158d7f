import { be, bytes, indexOf, type Part } from "./bytes.ts";

export const box = (type: string, ...body: Part[]): Uint8Array => {
  const content = bytes(...body);
  return bytes(be(4, content.length + 8), type, content);
};

export const fullBox = (type: string, version: number, flags: number, ...body: Part[]): Uint8Array =>
  box(type, version, be(3, flags), ...body);

export const ftyp = (major = "avif", ...compatible: string[]): Uint8Array =>
  box("ftyp", major, be(4, 0), major, compatible);

/** Properties of ISO/IEC 23008-12 as boxes. */
export const property = {
  ispe: (width: number, height: number) => fullBox("ispe", 0, 0, be(4, width), be(4, height)),
  av1C: (packed = 0b0000_1100, profile = 0) => box("av1C", 0x81, profile << 5, packed, 0),
  pixi: (...bits: number[]) => fullBox("pixi", 0, 0, bits.length, bits),
  icc: () => box("colr", "prof", "not a real profile"),
  nclx: (primaries: number, transfer: number) =>
    box("colr", "nclx", be(2, primaries), be(2, transfer), be(2, 6), 0x80),
  irot: (turns: number) => box("irot", turns),
  imir: (axis: number) => box("imir", axis),
  /** Clean aperture by size and top left corner, of a picture of the given size. */
  clap: (picture: [number, number], [left, top, width, height]: [number, number, number, number]) =>
    box(
      "clap",
      [be(4, width), be(4, 1), be(4, height), be(4, 1)],
      [
        be(4, (2 * left + width - picture[0]) >>> 0),
        be(4, 2),
        be(4, (2 * top + height - picture[1]) >>> 0),
        be(4, 2),
      ],
    ),
  alpha: (name = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha") => fullBox("auxC", 0, 0, name, 0),
};

export interface Item {
  type: string;
  properties: Uint8Array[];
  /** Bytes of the item; where they are put is `HeifOptions.idat`. */
  data: Uint8Array;
  /** Items, counted from 1, that this one is made of (`dimg`) or an auxiliary of (`auxl`). */
  dimg?: number[];
  auxl?: number[];
  inIdat?: boolean;
}

export interface HeifOptions {
  brands?: string[];
  /** Versions of the boxes that have several. */
  wide?: boolean;
  /** The mdat comes before the meta box. */
  mdatFirst?: boolean;
  primary?: number;
  after?: Part;
}

export const gridPayload = (
  rows: number,
  columns: number,
  width: number,
  height: number,
  wide = false,
): Uint8Array =>
  bytes(0, wide ? 1 : 0, rows - 1, columns - 1, be(wide ? 4 : 2, width), be(wide ? 4 : 2, height));

/** Returns a HEIF file of these items; the first is the primary one, ids count from 1. */
export function heif(items: Item[], options: HeifOptions = {}): Uint8Array {
  const { wide = false, brands = ["avif", "mif1"], mdatFirst = false, primary = 1 } = options;
  const [major, ...compatible] = brands;
  const head = ftyp(major, ...compatible);
  const mdat = box(
    "mdat",
    items.map((item) => (item.inIdat ? [] : item.data)),
  );
  const meta = (dataStart: number): Uint8Array => metaBox(items, dataStart, primary, wide);
  if (mdatFirst) return bytes(head, mdat, meta(head.length + 8), options.after ?? []);
  const tables = meta(head.length + meta(0).length + 8);
  return bytes(head, tables, mdat, options.after ?? []);
}

function metaBox(items: Item[], dataStart: number, primary: number, wide: boolean): Uint8Array {
  const id = (n: number): Uint8Array => be(wide ? 4 : 2, n);
  const infe = items.map((item, i) => fullBox("infe", wide ? 3 : 2, 0, id(i + 1), be(2, 0), item.type, 0));
  // Those that are alike are one, as libavif writes them; libheif reads no more than 100.
  const properties = new Map(
    items.flatMap((item) => item.properties).map((property) => [property.join(), property]),
  );
  const places = [...properties.keys()];
  const ipma = items.map((item, i) => [
    id(i + 1),
    item.properties.length,
    item.properties.map((property) => be(wide ? 2 : 1, places.indexOf(property.join()) + 1)),
  ]);
  const references = items.flatMap((item, i) =>
    (["dimg", "auxl"] as const).flatMap((type) => {
      const to = item[type];
      return to === undefined ? [] : [box(type, id(i + 1), be(2, to.length), to.map(id))];
    }),
  );
  return fullBox(
    "meta",
    0,
    0,
    fullBox("hdlr", 0, 0, be(4, 0), "pict", be(4, 0), be(4, 0), be(4, 0), 0),
    fullBox("pitm", wide ? 1 : 0, 0, id(primary)),
    locations(items, dataStart, wide),
    fullBox("iinf", wide ? 1 : 0, 0, id(items.length), infe),
    references.length > 0 ? fullBox("iref", wide ? 1 : 0, 0, references) : [],
    box(
      "iprp",
      box("ipco", [...properties.values()]),
      fullBox("ipma", wide ? 1 : 0, wide ? 1 : 0, be(4, items.length), ipma),
    ),
    // libavif refuses an empty one.
    items.some(({ inIdat }) => inIdat)
      ? box(
          "idat",
          items.map((item) => (item.inIdat ? item.data : [])),
        )
      : [],
  );
}

function locations(items: Item[], dataStart: number, wide: boolean): Uint8Array {
  let inFile = dataStart;
  let inIdat = 0;
  const rows = items.map((item, i) => {
    const offset = item.inIdat ? inIdat : inFile;
    if (item.inIdat) inIdat += item.data.length;
    else inFile += item.data.length;
    const place = [be(4, offset), be(4, item.data.length)];
    return [be(wide ? 4 : 2, i + 1), be(2, item.inIdat ? 1 : 0), be(2, 0), be(2, 1), place];
  });
  return fullBox("iloc", wide ? 2 : 1, 0, 0x44, 0x00, be(wide ? 4 : 2, items.length), rows);
}

/** Returns the av1C box and the AV1 data of the one coded picture in an AVIF by sharp, for building other files. */
export function codedPicture(file: Uint8Array): { av1C: Uint8Array; data: Uint8Array } {
  const at = indexOf(file, "av1C") - 4;
  const size = new DataView(file.buffer, file.byteOffset).getUint32(at);
  return { av1C: file.slice(at, at + size), data: file.slice(indexOf(file, "mdat") + 4) };
}

export interface TrackOptions {
  samples?: number;
  handler?: string;
  codec?: string;
  properties?: Uint8Array[];
  chunkAt?: number;
}

/** Returns a track that has only the boxes that describe its pictures. */
export function track(options: TrackOptions = {}): Uint8Array {
  const {
    samples = 3,
    handler = "pict",
    codec = "av01",
    properties = [property.av1C()],
    chunkAt = 8,
  } = options;
  const entry = box(codec, new Uint8Array(24), be(2, 6), be(2, 4), new Uint8Array(50), properties);
  const stbl = box(
    "stbl",
    fullBox("stsd", 0, 0, be(4, 1), entry),
    fullBox(
      "stsz",
      0,
      0,
      be(4, 0),
      be(4, samples),
      Array.from({ length: samples }, () => be(4, 2)),
    ),
    fullBox("stco", 0, 0, be(4, 1), be(4, chunkAt)),
  );
  const hdlr = fullBox("hdlr", 0, 0, be(4, 0), handler, new Uint8Array(12), 0);
  return box("trak", box("mdia", hdlr, box("minf", stbl)));
}
