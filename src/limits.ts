/** Every limit of the product, in one place, with its unit in the name. Sources: interface §4.2, §8; completion. */

export const MEGABYTE_BYTES = 1_048_576;
export const MEGAPIXEL_PIXELS = 1_000_000;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Image delivery: what a request may ask for (interface §4.2, §8). */
export const DELIVERY = {
  widthMinPixels: 1,
  widthMaxPixels: 8192,
  widthGridPixels: [64, 128, 236, 500, 750, 1000, 1600, 2560, 4096, 6400, 8192],
  lightWaitMs: 250,
  floodRequestsPerMinute: 6000,
  floodWindowSeconds: 60,
} as const;

/** What a master may be to be transformed, and what a variant may be (interface §8). */
export const TRANSFORM = {
  sourceMaxBytes: 40 * MEGABYTE_BYTES,
  sourceMaxPixelsAllFrames: 80 * MEGAPIXEL_PIXELS,
  sourceMaxFrames: 100,
  outputMaxPixels: 32 * MEGAPIXEL_PIXELS,
  /** AVIF, and WebP that keeps alpha. */
  outputMaxPixelsAvifOrAlphaWebp: 16 * MEGAPIXEL_PIXELS,
} as const;

/** SVG masters: what a drawing may be, so that parsing, keeping and drawing it stays small (interface, "SVG masters" 2). */
export const SVG = {
  /** As uploaded, and as inflated from svgz. */
  maxBytes: 4 * MEGABYTE_BYTES,
  elementsMax: 50_000,
  depthMax: 100,
  attributesPerElementMax: 100,
  attributeMaxCharacters: 32_768,
  /** `d` and `points`, of one element. */
  pathMaxCharacters: MEGABYTE_BYTES,
  idMaxCharacters: 1000,
  /** Text that is drawn, in the whole drawing. */
  textMaxCharacters: 100_000,
  /** All style sheets and style attributes together. */
  styleMaxCharacters: 524_288,
  styleSelectorsMax: 5000,
  /** Selectors times elements: what a renderer has to match. */
  styleMatchesMax: 20_000_000,
  /** Elements that are drawn once every `use`, pattern, marker, mask, clip and filter is followed. */
  drawnElementsMax: 250_000,
  /** Characters of path data, and drawn characters, that count as one element more. */
  pathCharactersPerElement: 256,
  textCharactersPerElement: 8,
  /** References followed inside one another: use in use, pattern in mask, gradient from gradient. */
  referencesNestedMax: 12,
  filterPrimitivesMax: 32,
  /** Primitives over all places where filters are drawn. */
  filterPassesMax: 1000,
  /** A side of a filter region: as a share of what it filters, and in user units. */
  filterRegionMaxShare: 10,
  filterRegionMaxUnits: 32_768,
  filterOctavesMax: 10,
  filterKernelMax: 81,
  embeddedImageMaxBytes: 262_144,
  embeddedImageMaxPixels: 4 * MEGAPIXEL_PIXELS,
  /** All places where embedded images are drawn. */
  embeddedDrawnMaxPixels: 32 * MEGAPIXEL_PIXELS,
  /** A larger drawing is stated smaller, in proportion: a vector has no pixels to lose. */
  sideMaxPixels: 8192,
} as const;

/** Media presets (interface §2.2). */
export const PRESET_WIDTH_PIXELS = { large: 1000, medium: 750, small: 500, thumbnail: 236 } as const;

/** The queue of one space (interface §4.2, §8; completion §5). */
export const QUEUE = {
  lightWaitingMax: 16,
  heavyWaitingMax: 64,
  lightInARowMax: 8,
  coldPerClientMax: 600,
  coldPerSpaceMax: 6000,
  coldWindowMs: 10 * MINUTE_MS,
  failureMemoryMs: 10 * MINUTE_MS,
  lossesMax: 3,
} as const;

/** Placeholders of masters, made while nothing else is to do. */
export const PLACEHOLDER = {
  /** ThumbHash takes no larger picture. */
  sideMaxPixels: 100,
  /** A space's queue is idle when it has been asked for nothing for so long. */
  quietMs: 3 * SECOND_MS,
  /** Counted before each call of the builder. */
  triesMax: 3,
} as const;

/** Variants as stored (interface §2.3, §8). */
export const VARIANT = {
  lifetimeMs: 30 * DAY_MS,
  perMasterVersionMax: 192,
} as const;

/** Uploads and bodies (completion §1, §4). */
export const UPLOAD = {
  maxBytes: 100 * MEGABYTE_BYTES,
  jsonMaxBytes: MEGABYTE_BYTES,
  filenameMaxCharacters: 255,
  altMaxCharacters: 2000,
} as const;

export const LIST = { limitMin: 1, limitMax: 100, limitDefault: 25 } as const;

export const TRASH = { retentionDefaultDays: 30, retentionMaxDays: 3650 } as const;

/** Objects whose length is not known before their end. R2 wants parts of one size, 5 MiB at least, the last one aside. */
export const MULTIPART = { partBytes: 5 * MEGABYTE_BYTES } as const;

/** How long an answer, a fact or a byte may be kept. */
export const CACHE = {
  redirectSeconds: 300,
  queuedRedirectSeconds: 30,
  variantSeconds: 31_536_000,
  /** Positive facts an isolate keeps; below the 10 s of completion §4 by enough for a slow answer. */
  factsMs: 5 * SECOND_MS,
  factsMaxEntries: 2000,
  /** Bytes outlive their row by this much, for redirects already given out (completion §4). */
  bytesOutliveRowMs: HOUR_MS,
} as const;

/** Memory of one isolate, in bytes. The runtime itself and the JavaScript heap take the reserve. */
export const ISOLATE = {
  totalBytes: 128 * MEGABYTE_BYTES,
  reserveBytes: 20 * MEGABYTE_BYTES,
  buildBytes: 108 * MEGABYTE_BYTES,
} as const;

/** Models and records (completion §3, and what the README states). */
export const CONTENT = {
  modelsPerSpaceMax: 200,
  fieldsPerModelMax: 100,
  /** A `string`, whatever its `maxLength`; a `text` may fill the body. In UTF-16 units, as JavaScript counts. */
  stringMaxCharacters: 2000,
  enumValuesMax: 200,
  enumValueMaxCharacters: 200,
  /** Items of one list of relations or media. */
  listItemsMax: 5000,
  /** Objects and arrays inside one another in a `json` value. */
  jsonMaxDepth: 64,
  recordMaxBytes: MEGABYTE_BYTES,
  /** What the index table keeps of a text: it sorts by these, and compares longer values in full elsewhere. */
  indexedCharacters: 200,
  filtersMax: 10,
  filterInMax: 100,
  sortsMax: 3,
  populateMaxLevels: 3,
  populateMaxTargets: 2000,
  pageMaxBytes: 8 * MEGABYTE_BYTES,
  /** A filter that matches at most this many records is read first and sorted; above it the sort's index leads. */
  fewMatches: 1000,
  /** Writers that meet on one record without If-Match: tries before the answer is 409. */
  mergeTriesMax: 5,
  /** Records of a model whose values one change may check, one by one. */
  checkedRecordsMax: 100_000,
  checkedRecordsBite: 2000,
  /** Index rows written by one statement when a field is added to a model with records. */
  indexedRecordsBite: 50_000,
} as const;

/** Patterns of string fields (src/edge/content/pattern.ts): matched in states × characters steps, never more. */
export const PATTERN = { maxCharacters: 200, maxStates: 500 } as const;
