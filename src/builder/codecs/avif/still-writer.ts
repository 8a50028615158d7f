/**
 * Writes the boxes of a still AVIF: one coded picture, and its alpha as a second one beside it.
 * AV1 Image File Format 1.1 over HEIF (ISO/IEC 23008-12) and MIAF (ISO/IEC 23000-22).
 */
import { box, flat, fullBox, type Part, u16, u32 } from "./boxes.ts";

/** A coded picture of the file: its decoder configuration and its length. */
export interface Plane {
  /** Content of `av1C`: AV1-ISOBMFF section 2.3. */
  configuration: Uint8Array;
  /** Bits of each channel, for `pixi`. */
  channels: readonly number[];
  dataBytes: number;
}

export interface Still {
  width: number;
  height: number;
  colour: Plane;
  alpha: Plane | null;
  /** Content of `colr`; null to leave colour to the AV1 sequence header. */
  nclx: Uint8Array | null;
  /** Whether the colour was multiplied by the alpha. */
  premultiplied: boolean;
  /** Brands besides those that every still AVIF has. */
  brands?: readonly string[];
  /** Items about the picture, whose data come last in the file; absent for none. */
  metadata?: Metadata;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** The blocks of EXIF and XMP. */
export interface Metadata {
  exif: Bytes | null;
  xmp: Bytes | null;
}

/** The offset of the TIFF header, which an item of EXIF begins with (ISO/IEC 23008-12 annex A.2.1). */
const EXIF_OFFSET_BYTES = 4;

/** Returns the data of the items about the picture, in the order of the file. */
export function metadataOf({ exif, xmp }: Metadata): Bytes[] {
  const withOffset = exif && new Uint8Array(EXIF_OFFSET_BYTES + exif.length);
  withOffset?.set(exif!, EXIF_OFFSET_BYTES);
  return [withOffset, xmp].filter((block) => block !== null);
}

interface Item {
  id: number;
  dataBytes: number;
  /** Indices of properties, from 1. The top bit marks a property that a reader must know. */
  properties: number[];
  /** The type, and for XMP the name, which is empty, and the MIME type. */
  type: Part;
}

const COLOUR = 1;
const ALPHA = 2;
const EXIF = 3;
const XMP = 4;
const PICTURE_TYPE = ["av01", 0];
const ESSENTIAL = 0x80;
const ALPHA_URN = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha";
/** Field sizes of iloc: offsets and lengths of 4 bytes, no base offset (ISO/IEC 14496-12 section 8.11.3). */
const ILOC_SIZES = 0x4400;

/** Returns everything of the file before its coded data. The data of colour and then of alpha follow. */
export function stillHead(still: Still): Uint8Array<ArrayBuffer> {
  const { boxes, items } = propertiesOf(still);
  const dataBytes = items.reduce((sum, item) => sum + item.dataBytes, 0);
  const brands = ["avif", "mif1", "miaf", ...(still.brands ?? [])];
  const ftyp = box("ftyp", "avif", u32(0), brands);
  const meta = (dataStart: number): number[] =>
    fullBox(
      "meta",
      0,
      0,
      fullBox("hdlr", 0, 0, u32(0), "pict", u32(0), u32(0), u32(0), 0),
      fullBox("pitm", 0, 0, u16(COLOUR)),
      locations(items, dataStart),
      fullBox("iinf", 0, 0, u16(items.length), items.map(entry)),
      references(still, items),
      box("iprp", box("ipco", boxes), associations(items)),
    );
  const mdat = [...u32(dataBytes + 8), ...flat("mdat")];
  const headBytes = ftyp.length + meta(0).length + mdat.length;
  return Uint8Array.from([...ftyp, ...meta(headBytes), ...mdat]);
}

/** Returns the properties of all items (`ipco`), and the list of those that each item has. */
function propertiesOf({ width, height, colour, alpha, nclx, metadata }: Still): {
  boxes: Part[];
  items: Item[];
} {
  const boxes: Part[] = [];
  const add = (property: number[], flag = 0): number => boxes.push(property) | flag;
  const size = add(fullBox("ispe", 0, 0, u32(width), u32(height)));
  const planeOf = ({ configuration, channels }: Plane): number[] => [
    size,
    add(fullBox("pixi", 0, 0, channels.length, channels)),
    add(box("av1C", configuration), ESSENTIAL),
  ];
  const colourProperties = planeOf(colour);
  if (nclx) colourProperties.push(add(box("colr", nclx)));
  const items: Item[] = [
    { id: COLOUR, dataBytes: colour.dataBytes, properties: colourProperties, type: PICTURE_TYPE },
  ];
  if (alpha) {
    const properties = [...planeOf(alpha), add(fullBox("auxC", 0, 0, ALPHA_URN, 0))];
    items.push({ id: ALPHA, dataBytes: alpha.dataBytes, properties, type: PICTURE_TYPE });
  }
  if (metadata?.exif) {
    const dataBytes = EXIF_OFFSET_BYTES + metadata.exif.length;
    items.push({ id: EXIF, dataBytes, properties: [], type: ["Exif", 0] });
  }
  if (metadata?.xmp) {
    const type = ["mime", 0, "application/rdf+xml", 0];
    items.push({ id: XMP, dataBytes: metadata.xmp.length, properties: [], type });
  }
  return { boxes, items };
}

function locations(items: readonly Item[], dataStart: number): number[] {
  let offset = dataStart;
  const extents = items.map(({ id, dataBytes }) => {
    const extent = [u16(id), u16(0), u16(1), u32(offset), u32(dataBytes)];
    offset += dataBytes;
    return extent;
  });
  return fullBox("iloc", 0, 0, u16(ILOC_SIZES), u16(items.length), extents);
}

const entry = ({ id, type }: Item): number[] => fullBox("infe", 2, 0, u16(id), u16(0), type);

function references({ alpha, premultiplied }: Still, items: readonly Item[]): number[] {
  const isAlphaOf = alpha ? box("auxl", u16(ALPHA), u16(1), u16(COLOUR)) : [];
  const isMultiplied = alpha && premultiplied ? box("prem", u16(COLOUR), u16(1), u16(ALPHA)) : [];
  const describes = items
    .filter(({ id }) => id === EXIF || id === XMP)
    .map(({ id }) => box("cdsc", u16(id), u16(1), u16(COLOUR)));
  const all = [isAlphaOf, isMultiplied, ...describes];
  return all.some(({ length }) => length > 0) ? fullBox("iref", 0, 0, all) : [];
}

const hasProperties = ({ properties }: Item): boolean => properties.length > 0;

const associations = (items: readonly Item[]): number[] =>
  fullBox(
    "ipma",
    0,
    0,
    u32(items.filter(hasProperties).length),
    items.filter(hasProperties).map(({ id, properties }) => [u16(id), properties.length, properties]),
  );
