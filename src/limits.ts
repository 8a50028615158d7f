/** Every limit of the product, in one place, with its unit in the name. The rules are those of RULES.md. */

export const MEGABYTE_BYTES = 1_048_576;
export const MEGAPIXEL_PIXELS = 1_000_000;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A limit as messages name it: "40 MB". */
export const megabytes = (bytes: number): string => `${bytes / MEGABYTE_BYTES} MB`;

/** Image delivery: what a request may ask for (RULES 5.2, 5.4). */
export const DELIVERY = {
  widthMinPixels: 1,
  widthMaxPixels: 8192,
  widthGridPixels: [64, 128, 236, 500, 750, 1000, 1600, 2560, 4096, 6400, 8192],
  lightWaitMs: 250,
  /** How often a request looks for what another one of the same isolate waits for. */
  joinedLookMs: 10,
  floodRequestsPerMinute: 6000,
  floodWindowSeconds: 60,
} as const;

/** What a master may be to be transformed, and what a variant may be (RULES 9.4, 9.5). */
export const TRANSFORM = {
  sourceMaxBytes: 40 * MEGABYTE_BYTES,
  sourceMaxPixelsAllFrames: 80 * MEGAPIXEL_PIXELS,
  sourceMaxFrames: 100,
  outputMaxPixels: 32 * MEGAPIXEL_PIXELS,
  /** AVIF, and WebP that keeps alpha. */
  outputMaxPixelsAvifOrAlphaWebp: 16 * MEGAPIXEL_PIXELS,
} as const;

/** SVG masters: what a drawing may be, so that parsing, keeping and drawing it stays small (RULES 6.4). */
export const SVG = {
  /** As uploaded, and as inflated from svgz. */
  maxBytes: 4 * MEGABYTE_BYTES,
  /** DEFLATE gives at most 1032 bytes for one: a bomb is noticed before a piece of it takes more than 4 MB. */
  inflatedPieceBytes: 4096,
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

/** An ICC profile that is over this counts as none. Those of printing presses have up to 3 MB. */
export const COLOUR_PROFILE = { maxBytes: 4 * MEGABYTE_BYTES } as const;

/** Crops (RULES 5.8, 5.9). */
export const CROP = {
  aspectRatiosDefault: [
    ...["1:1", "5:4", "4:3", "3:2", "16:9", "2:1", "21:9"],
    ...["4:5", "3:4", "2:3", "9:16", "1:2"],
  ],
  aspectRatiosMax: 24,
  /** Each side of a ratio. */
  aspectRatioSideMax: 9999,
  /** How far the nearest ratio may be from that of the width and height asked for. */
  nearestRatioMaxPercent: 1,
  /** Of a focal point that a request names. */
  requestedFocalPointStepPercent: 5,
} as const;

/** Media presets (RULES 4.2). */
export const PRESET_WIDTH_PIXELS = { large: 1000, medium: 750, small: 500, thumbnail: 236 } as const;

/** The queue of one space (RULES 7.4, 8.1 to 8.4). */
export const QUEUE = {
  lightWaitingMax: 16,
  heavyWaitingMax: 64,
  /** Builds that no visitor waits for. What finds no place is asked for again. */
  idleWaitingMax: 256,
  lightInARowMax: 8,
  coldPerClientMax: 600,
  coldPerSpaceMax: 6000,
  coldWindowMs: 10 * MINUTE_MS,
  /** How long a failure is remembered that the file is to blame for, and one that we are. */
  failureMemoryMs: 10 * MINUTE_MS,
  faultMemoryMs: MINUTE_MS,
  lossesMax: 3,
  /**
   * From the call of the builder to the row in D1. A light build is meant for 250 ms; 30 s is two orders more. A heavy
   * one may use the builder's 300 s of CPU (its `limits.cpu_ms`), which end it first.
   */
  leaseMs: { light: 30 * SECOND_MS, heavy: 330 * SECOND_MS, idle: 330 * SECOND_MS },
  /** A space's builds may spread over this many of the builder's rooms; when one is busy, the next one is asked. */
  roomsPerSpace: 4,
  /** When no room has place: the first waits are 50 to 250 ms, then up to half of the time waited so far. */
  busyWaitMinMs: 50,
  busyWaitSpreadMs: 200,
  busyWaitSpreadMaxMs: 2 * SECOND_MS,
  /** A builder that has had no place for that long will not have any: it is a failure, or the lane would clog. */
  busyMaxMs: 10 * MINUTE_MS,
  /** A lost build waits 0.5 to 1.5 s, after its second loss 4 to 12 s: a storage that was down for a moment is back. */
  lostWaitMinMs: 500,
  lostWaitSpreadMs: SECOND_MS,
  lostWaitGrowth: 8,
  /**
   * How long the queue remembers what it built, for callers whose view of D1 is older than the row. Seconds would do.
   * Much longer would promise a variant whose row was removed meanwhile.
   */
  builtMemoryMs: MINUTE_MS,
  /** The alarm comes at least this often while a build runs: the longest that a build cut off by a crash lies still. */
  heartbeatMs: 15 * SECOND_MS,
  /** Calls that wait for one key, in the memory of the queue's object. */
  waitersPerKeyMax: 1000,
} as const;

/** What a queue remembers of its work (RULES 8.6). */
export const ACTIVITY = {
  buildsMax: 100,
  countsMs: HOUR_MS,
} as const;

/** Placeholders of masters, made while nothing else is to do. */
export const PLACEHOLDER = {
  /** ThumbHash takes no larger picture. */
  sideMaxPixels: 100,
  /** A space's queue is idle when it has been asked for nothing for so long. Then it builds ahead, too. */
  quietMs: 3 * SECOND_MS,
  /** Counted before each call of the builder. */
  triesMax: 3,
  /** A try that takes longer is given up. Reading and shrinking the largest master takes some seconds. */
  tryMaxMs: MINUTE_MS,
  /** After a try that was lost, or that the builder had no room for: more than one master may be behind it. */
  pauseMs: 30 * SECOND_MS,
} as const;

/** Variants as stored (RULES 9.2). */
export const VARIANT = {
  lifetimeMs: 30 * DAY_MS,
  /** One that is asked for within so long before its expiry is built anew (RULES 9.7). */
  renewBeforeMs: 3 * DAY_MS,
  perMasterVersionMax: 192,
} as const;

/** Uploads and bodies (RULES 1.6, 4.1). */
export const UPLOAD = {
  maxBytes: 100 * MEGABYTE_BYTES,
  jsonMaxBytes: MEGABYTE_BYTES,
  /**
   * What one upload holds: the part that is filled, the one before it while R2 reads it, and what the probe keeps of
   * headers. A drawing is held whole: as bytes, as text, as a tree, and as it is written anew.
   */
  memoryBytes: 12 * MEGABYTE_BYTES,
  drawingMemoryBytes: 32 * MEGABYTE_BYTES,
  /** What all uploads of one isolate may hold together, beside the runtime, the heap and what other requests need. */
  memoryMaxBytes: 72 * MEGABYTE_BYTES,
  /** An upload that has sent nothing for so long no longer counts. */
  silentMaxMs: MINUTE_MS,
  /** What a client that was turned away is told to wait. */
  retryAfterSeconds: 5,
  /** A header or field beside the file in a form; anything larger is not an upload of one file. */
  formFieldMaxBytes: 65_536,
  filenameMaxCharacters: 255,
  altMaxCharacters: 2000,
} as const;

/** Uploads in parts (RULES 4.7). */
export const PARTED_UPLOAD = {
  /** Of every part but the last. */
  partBytes: 5 * MEGABYTE_BYTES,
  lifetimeMs: DAY_MS,
} as const;

/**
 * Writes that met another one: tried again after a random wait below a bound that doubles. Of writers that each write
 * once, one succeeds in every round, so that as many as there are tries all succeed.
 */
export const RETRY = {
  triesMax: 40,
  /** Of a change of a model, which looks at all its records each time. */
  modelTriesMax: 8,
  waitMs: 5,
  waitMaxMs: 320,
} as const;

/** What an error answer says of a request, however much is wrong with it. */
export const ERRORS = {
  detailsMax: 200,
  pathMaxCharacters: 100,
  detailMaxCharacters: 300,
  messageMaxCharacters: 1000,
} as const;

export const LIST = { limitMin: 1, limitMax: 100, limitDefault: 25 } as const;

export const KEY = { nameMaxCharacters: 100 } as const;

/** Earlier contents of records (RULES 3.13): how long they are kept by default, at most, and how many per record. */
export const HISTORY = { defaultDays: 30, maxDays: 3650, eventsPerRecordMax: 100 } as const;

export const TRASH = { retentionDefaultDays: 30, retentionMaxDays: 3650 } as const;

/** Objects whose length is not known before their end. R2 wants parts of one size, 5 MiB at least, the last one aside. */
export const MULTIPART = { partBytes: 5 * MEGABYTE_BYTES } as const;

/** R2 keys that are to be deleted unless a row claims them (RULES 10.1). */
export const PENDING_DELETE = {
  /** How long bytes may be on their way before they count as left behind: far over any upload or build. */
  bytesOnTheWayMs: DAY_MS,
} as const;

/** What one run of the sweep takes, so that it stays far below what a minute of D1 and R2 can do (RULES 10.2). */
export const SWEEP = {
  spacesMax: 5,
  mediaMax: 100,
  mastersMax: 100,
  variantsMax: 500,
  /** R2 deletes at most 1000 keys in a call. */
  objectsMax: 500,
  /** Each costs a list and a delete in R2. */
  uploadsMax: 50,
  idempotencyKeysMax: 1000,
  recordsPerBatch: 1000,
  /** Records published or unpublished in one run, by two queries each. */
  schedulesMax: 300,
  /** A version may hold a megabyte. */
  versionsPerBatch: 500,
  filledRowsPerBatch: 500,
  indexRowsPerBatch: 5000,
  batchesMax: 20,
  /** Of records whose words are worked out anew. */
  searchSlicesMax: 20,
  /** Spaces whose queue is told that masters have no placeholder. */
  placeholderSpacesMax: 100,
} as const;

/** Operations (RULES 10.8 to 10.10). */
export const METRICS = {
  /** How often an isolate tells what it has counted. What it has not told is lost with it. */
  tellEveryMs: 10 * SECOND_MS,
  /** How often the sums are written down. */
  writeEveryMs: SECOND_MS,
} as const;

/** Requests with an Idempotency-Key (RULES 1.9). */
export const IDEMPOTENCY = {
  keyMaxCharacters: 255,
  /** How long an answer is given again. */
  keptMs: DAY_MS,
  /** A run without an answer counts as crashed after this. */
  runMs: 60 * SECOND_MS,
} as const;

/** The share of requests that has a line in the log, where `LOG_SAMPLE` does not say. */
export const LOG = { sampleDefault: 0.02 } as const;

/** How long an answer, a fact or a byte may be kept. */
export const CACHE = {
  preflightSeconds: 86_400,
  redirectSeconds: 300,
  queuedRedirectSeconds: 30,
  variantSeconds: 31_536_000,
  /** How long the edge keeps what browsers keep for `redirectSeconds`, and may then still show it while it asks. */
  edgeSeconds: 86_400,
  /** Public content, and how long it is answered stale while it is asked for anew. */
  publicSeconds: 60,
  publicStaleSeconds: 600,
  edgeStaleSeconds: 86_400,
  /** How long it keeps the master in place of a variant that is being built. */
  edgeUnderWaySeconds: 2,
  /** An isolate asks once in so long for one answer to be kept at the edge. */
  edgeAskMs: 5 * SECOND_MS,
  /** Positive facts an isolate keeps; below the 10 s of RULES 4.4 by enough for a slow answer. */
  factsMs: 5 * SECOND_MS,
  factsMaxEntries: 2000,
  /** Facts past their time answer only while D1 does not. */
  heldMs: 10 * MINUTE_MS,
  /** How long D1 is waited for when the isolate holds an answer. */
  databasePatienceMs: 2 * SECOND_MS,
  /** A picture that the primary did not find. */
  missingMs: 3 * SECOND_MS,
  /** An answer of the queue, for all visitors of one isolate. */
  admissionMs: 2 * SECOND_MS,
  admissionsMaxEntries: 2000,
  /** How often one isolate tells a queue that a variant is to be built anew. */
  renewalMs: 5 * MINUTE_MS,
  /** The answer of /healthz. */
  healthMs: SECOND_MS,
  /** Bytes outlive their row by this much, for redirects already given out (RULES 4.4). */
  bytesOutliveRowMs: HOUR_MS,
} as const;

/**
 * Purges of the edge's cache (RULES 10.7). The platform's limits are per account, at those of its free plan whatever the
 * account has.
 */
export const PURGE = {
  callsPerMinute: 5,
  burstCalls: 25,
  tagsPerCallMax: 100,
  /** Calls that content leaves to media: a trashed picture is urgent, content has a freshness of a minute. */
  mediaReserveCalls: 10,
  /** Each purge is repeated once after so long, for what a slow isolate put back. */
  repeatMs: 10 * SECOND_MS,
  /** A refused purge waits so long: the time of one call. */
  refusedMs: 12 * SECOND_MS,
  /** A purge that nobody heard the end of is made again. */
  leaseMs: 30 * SECOND_MS,
  /** How long a request stays to purge and repeat after its answer; the platform ends it after 30 s. */
  requestMs: 20 * SECOND_MS,
  /** How long the sweep does. */
  sweepMs: 50 * SECOND_MS,
} as const;

/** Memory of one isolate, in bytes. The runtime itself and the JavaScript heap take the reserve. */
export const ISOLATE = {
  totalBytes: 128 * MEGABYTE_BYTES,
  reserveBytes: 20 * MEGABYTE_BYTES,
  buildBytes: 108 * MEGABYTE_BYTES,
} as const;

/** How the rooms of a builder's isolate share it, and find out that one which reserved its memory is no more. */
export const BUILDER = {
  /** How often whoever has a reservation shows a sign of life. */
  beatMs: 500,
  /** Without any for so long, a reservation is suspected. */
  silentMs: 5000,
  /** Then it is looked at so often more, a beat apart, before it is taken back. */
  silenceLooks: 3,
  /** A space that found no room is let go before the one that was served last, when it comes again within this. */
  claimMinMs: 400,
  claimMaxMs: 2000,
  /** Spaces of which an isolate remembers that they wait. */
  claimsMax: 64,
} as const;

/** Models and records (RULES 3, and what the README states). */
export const CONTENT = {
  modelsPerSpaceMax: 200,
  fieldsPerModelMax: 100,
  /** What people read of a model's field. */
  labelMaxCharacters: 200,
  descriptionMaxCharacters: 2000,
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
  bulkOperationsMax: 100,
  filtersMax: 10,
  filterInMax: 100,
  /** A count goes no further. */
  countExactMax: 10_000,
  searchMaxCharacters: 200,
  searchWordsMax: 20,
  /** Of a record's words, with the spaces between them: what comes after these is not searched. */
  searchedMaxCharacters: 50_000,
  /** Results of one search, over all pages. */
  searchResultsMax: 1000,
  /** Where more records or media match, they are not ranked: the newest are the first. */
  searchRankedMax: 10_000,
  /** Records whose words one slice works out after a change of the searchable fields, and slices of the request itself. */
  searchSliceRecords: 1000,
  searchRequestSlices: 5,
  sortsMax: 3,
  populateMaxLevels: 3,
  populateMaxTargets: 2000,
  pageMaxBytes: 8 * MEGABYTE_BYTES,
  /** A filter that matches at most this many records is read first and sorted; above it the sort's index leads. */
  fewMatches: 1000,
  /** Records of a model whose values one change may check, one by one. */
  checkedRecordsMax: 100_000,
  checkedRecordsBatch: 2000,
  /** Data of records whose texts are folded by one statement, when the column is filled in. */
  foldedMaxBytes: MEGABYTE_BYTES,
  /** Index rows written by one statement when a field is added to a model with records. */
  indexedRecordsBatch: 50_000,
  /** Records published by one batch when drafts are switched on. */
  publishedRecordsBatch: 5000,
} as const;

/** Patterns of string fields (src/edge/content/pattern.ts): matched in states × characters steps, never more. */
export const PATTERN = { maxCharacters: 200, maxStates: 500 } as const;
