/** All limits of the product, with their units in their names. RULES.md has the rules. */

export const MEGABYTE_BYTES = 1_048_576;
export const MEGAPIXEL_PIXELS = 1_000_000;
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Returns the text of a limit in messages: "40 MB". */
export const megabytes = (bytes: number): string => `${bytes / MEGABYTE_BYTES} MB`;

/** Image delivery: what a request may ask for (RULES 5.2, 5.4). */
export const DELIVERY = {
  widthMinPixels: 1,
  widthMaxPixels: 8192,
  widthGridPixels: [64, 128, 236, 500, 750, 1000, 1600, 2560, 4096, 6400, 8192],
  /** The most pixels per CSS pixel (RULES 5.11). */
  densityMax: 4,
  lightWaitMs: 250,
  /** The interval at which a request polls for the build that another request of the same isolate has asked for. */
  joinedLookMs: 10,
  floodRequestsPerMinute: 6000,
  floodWindowSeconds: 60,
} as const;

/** Limits of masters that are transformed, and of variants (RULES 9.4, 9.5). */
export const TRANSFORM = {
  sourceMaxBytes: 40 * MEGABYTE_BYTES,
  sourceMaxPixelsAllFrames: 80 * MEGAPIXEL_PIXELS,
  sourceMaxFrames: 100,
  outputMaxPixels: 32 * MEGAPIXEL_PIXELS,
  /** For AVIF, and for WebP with alpha. */
  outputMaxPixelsAvifOrAlphaWebp: 16 * MEGAPIXEL_PIXELS,
} as const;

/** Limits of the AV1 data of an AVIF, because a decoder decodes every frame of an item without a pause. */
export const AVIF = {
  /** Frames of an item: one for each of up to four layers, of which each shows one. */
  itemMaxFrames: 4,
  /** Open bitstream units of all items of a file, whose heads the probe reads. */
  unitsMax: 65_536,
} as const;

/** Limits of drawings (SVG masters), so that parsing, storing and drawing them stays cheap (RULES 6.4). */
export const SVG = {
  /** As uploaded, and after decompression of an svgz. */
  maxBytes: 4 * MEGABYTE_BYTES,
  /**
   * The document that the sanitizer writes: a sign such as `"` is longer there than in the file, and may fill it. Beside
   * these signs it has no more bytes than the file.
   */
  storedMaxCharacters: 8 * MEGABYTE_BYTES,
  /** Compressed bytes that are inflated at once. DEFLATE expands at most 1032 times, so a piece takes at most 4 MB. */
  inflatedPieceBytes: 4096,
  /**
   * The work of checking a drawing, in units of about ten nanoseconds (image/formats/svg/work/work.ts): 0.15 seconds,
   * and for each byte about what a parser takes for it. The dearest of 199 large drawings of public repositories, a
   * plot of Observable Plot with styles, takes 12.2 million units beside its bytes, so a lower budget would refuse real
   * ones.
   */
  workMaxUnits: 15_000_000,
  workMaxUnitsPerByte: 10,
  /** The work after which the checking of a drawing pauses, so that its isolate serves others: about 20 milliseconds. */
  pieceUnits: 2_000_000,
  elementsMax: 50_000,
  depthMax: 100,
  attributesPerElementMax: 100,
  attributeMaxCharacters: 32_768,
  attributeNameMaxCharacters: 1000,
  /** The URI of a namespace. */
  namespaceMaxCharacters: 1000,
  /** The attributes `d` and `points` of one element. */
  pathMaxCharacters: MEGABYTE_BYTES,
  /**
   * The attribute `content`, in which draw.io keeps the source of a drawing. It is read and not stored. Of 633 files of
   * draw.io in public repositories, 115 had over 32,768 characters there.
   */
  sourceMaxCharacters: MEGABYTE_BYTES,
  idMaxCharacters: 1000,
  /** Text that is drawn, in the whole drawing. */
  textMaxCharacters: 100_000,
  /** All style sheets and style attributes together. */
  styleMaxCharacters: 524_288,
  styleSelectorsMax: 5000,
  /** Types, classes, ids, attributes and pseudo-classes in all selectors together. */
  styleTestsMax: 20_000,
  /** Broken strings, addresses and escapes in one style sheet, all of which a browser leaves out. */
  styleFaultsMax: 1000,
  /** Depth of style rules in one another (CSS Nesting), `@media` included. */
  styleNestedMax: 8,
  /** Selectors times elements, which a renderer has to match. */
  styleMatchesMax: 20_000_000,
  /** Elements that are drawn when every `use`, pattern, marker, mask, clip and filter is followed. */
  drawnElementsMax: 250_000,
  /** Elements that are drawn, above which none is followed to its place, and there is no raster. */
  followedElementsMax: 100_000,
  /** This many characters of path data, or of drawn text, count as one more element. */
  pathCharactersPerElement: 256,
  textCharactersPerElement: 8,
  /** Depth of nested references: use in use, pattern in mask, gradient from gradient. */
  referencesNestedMax: 12,
  filterPrimitivesMax: 32,
  /** Filter primitives, counted at every place where a filter is drawn. */
  filterPassesMax: 1000,
  /** The side of a filter region: as a multiple of the filtered element, and in user units. */
  filterRegionMaxShare: 10,
  filterRegionMaxUnits: 32_768,
  filterOctavesMax: 10,
  filterKernelMax: 81,
  embeddedImageMaxBytes: 262_144,
  embeddedImageMaxPixels: 4 * MEGAPIXEL_PIXELS,
  /** Pixels of embedded images, counted at every place where one is drawn. */
  embeddedDrawnMaxPixels: 32 * MEGAPIXEL_PIXELS,
  /** A larger drawing is given a smaller size in proportion, because a vector loses nothing by it. */
  sideMaxPixels: 8192,
} as const;

/** A larger ICC profile is ignored. Profiles of printing presses have up to 3 MB. */
export const COLOUR_PROFILE = {
  maxBytes: 4 * MEGABYTE_BYTES,
  /** The largest profile by which an upload finds out whether its colours are wider than sRGB. */
  judgedMaxBytes: MEGABYTE_BYTES,
} as const;

/** Masters that were stored before their files were inspected, in a run of the sweep. */
export const INSPECTION = {
  mastersPerBatch: 25,
  mastersPerRunMax: 200,
  /** After a batch that exceeds it, the next run goes on. */
  bytesPerRunMax: 200 * MEGABYTE_BYTES,
  /** A master whose bytes cannot be read so often states nothing. */
  triesMax: 5,
} as const;

/** Statements about rights in files (RULES 9.9). */
export const METADATA = {
  /** The bytes that are read of each block of a file. */
  blockMaxBytes: 131_072,
  /** The bytes that are read of one value in it. */
  valueMaxBytes: 4096,
  /** Chunks, segments or blocks of a file that are walked in search of it. */
  walkedMax: 65_536,
  /** The bytes that are kept of one statement, in UTF-8. */
  fieldMaxBytes: 500,
  /** The XMP and EXIF of one variant. */
  writtenMaxBytes: 2048,
  /** Variants below this width have no metadata. */
  writtenMinWidthPixels: 500,
} as const;

/** Crops (RULES 5.8, 5.9). */
export const CROP = {
  aspectRatiosDefault: [
    ...["1:1", "5:4", "4:3", "3:2", "16:9", "2:1", "21:9"],
    ...["4:5", "3:4", "2:3", "9:16", "1:2"],
  ],
  aspectRatiosMax: 24,
  /** The largest number on each side of a ratio. */
  aspectRatioSideMax: 9999,
  /** How far the nearest listed ratio may be from the ratio of the requested width and height. */
  nearestRatioMaxPercent: 1,
  /** The step of a focal point in a request. */
  requestedFocalPointStepPercent: 5,
} as const;

/** Backgrounds (RULES 5.14). */
export const BACKGROUND = {
  backgroundsDefault: ["ffffff", "000000", "transparent"],
  backgroundsMax: 24,
} as const;

/** Media presets (RULES 4.2). */
export const PRESET_WIDTH_PIXELS = { large: 1000, medium: 750, small: 500, thumbnail: 236 } as const;

/** The queue of one space (RULES 7.4, 8.1 to 8.4). */
export const QUEUE = {
  lightWaitingMax: 16,
  heavyWaitingMax: 64,
  /** Places of each lane that one client may hold. The others stay free for other clients. */
  lightWaitingPerClientMax: 12,
  heavyWaitingPerClientMax: 48,
  /** Waiting builds that no visitor waits for. A build that finds no place is asked for again later. */
  idleWaitingMax: 256,
  lightInARowMax: 8,
  coldPerClientMax: 600,
  coldPerSpaceMax: 6000,
  coldWindowMs: 10 * MINUTE_MS,
  /** How long a failure is remembered: one that the file caused, and one that the service caused. */
  failureMemoryMs: 10 * MINUTE_MS,
  faultMemoryMs: MINUTE_MS,
  lossesMax: 3,
  /**
   * The time from the call of the builder to the row in D1. A light build is expected to take 250 ms; 30 s is two
   * orders of magnitude more. A heavy one may use the builder's 300 s of CPU time (`limits.cpu_ms`) and ends first.
   */
  leaseMs: { light: 30 * SECOND_MS, heavy: 330 * SECOND_MS, idle: 330 * SECOND_MS },
  /** A build that was admitted so long ago first asks whether its master is still there. It may wait for minutes. */
  waitedMs: SECOND_MS,
  /** The number of the builder's objects ("rooms") per space. When one is busy, the next one is asked. */
  roomsPerSpace: 4,
  /** A room that does not answer for this long is in an isolate that computes. The queue asks the next room. */
  roomAnswerMs: SECOND_MS,
  /** Waits when no room has memory: first 50 to 250 ms, then up to half of the time waited so far. */
  busyWaitMinMs: 50,
  busyWaitSpreadMs: 200,
  busyWaitSpreadMaxMs: 2 * SECOND_MS,
  /** When the builder has had no memory for a build for this long, the build fails, so that the lane is not blocked. */
  busyMaxMs: 10 * MINUTE_MS,
  /** A lost build waits 0.5 to 1.5 s, after its second loss 4 to 12 s, so that a short outage of a storage is over. */
  lostWaitMinMs: 500,
  lostWaitSpreadMs: SECOND_MS,
  lostWaitGrowth: 8,
  /**
   * How long the queue remembers what it built, for callers whose view of D1 is older than the row. Seconds would be
   * enough. A much longer time would promise variants whose row has been removed.
   */
  builtMemoryMs: MINUTE_MS,
  /** The interval of the alarm while a build runs: the longest time before a build that a crash ended is noticed. */
  heartbeatMs: 15 * SECOND_MS,
  /** Calls that wait for one key in the memory of the queue's object. */
  waitersPerKeyMax: 1000,
} as const;

const GIGABYTE_BYTES = 1024 * MEGABYTE_BYTES;

/** Pictures of other servers (RULES 13). */
export const REMOTE = {
  originsMax: 24,
  originMaxCharacters: 500,
  addressMaxCharacters: 4096,
  /** The bytes that a space keeps of such pictures, where its plan does not say, and the most that a plan may say. */
  bytesDefault: 10 * GIGABYTE_BYTES,
  bytesMax: 1024 * 1024 * GIGABYTE_BYTES,
  /** The bytes of a plan that allow one more picture, and the pictures that every plan allows: 655,360 for 10 GB. */
  bytesPerPicture: 16_384,
  picturesMin: 1000,
  /** A file at an address, as it comes out of its transfer encoding. */
  fetchMaxBytes: 40 * MEGABYTE_BYTES,
  /** From the first request to the last byte, redirects included. */
  fetchMaxMs: 30 * SECOND_MS,
  redirectsMax: 3,
  /** Fetches of one space that run at a time, and those that wait for it: of all clients, and of one. */
  atOnceMax: 4,
  waitingMax: 1000,
  waitingPerClientMax: 200,
  /** Fetches that one client may cause within QUEUE.coldWindowMs. */
  perClientMax: 200,
  /** Files that are asked for again when nothing else is to be done; one that finds no place is asked for later. */
  idleWaitingMax: 1000,
  /** How long all visitors of an isolate share what the queue said about a fetch. */
  admissionMs: 500,
  /**
   * The earliest time after its admission at which a fetch for a visitor begins; revalidations do not wait. The visitors
   * who wait for the page get its pictures from the origin meanwhile, and would share the origin, and on one machine the processor, with the fetch and the build after it.
   */
  visitorsFirstMs: 250,
  /** From the lease of a fetch to the answer of the Worker that makes it: `visitorsFirstMs`, the fetch, R2 and D1. */
  leaseMs: 60 * SECOND_MS,
  lossesMax: 3,
  lostWaitMinMs: 500,
  lostWaitSpreadMs: SECOND_MS,
  /** How long a failure is remembered: a file that is gone or no picture, and an origin that fails. */
  refusedMemoryMs: 10 * MINUTE_MS,
  originMemoryMs: MINUTE_MS,
  /** The bounds of the time for which a file counts as fresh, whatever its origin says. */
  freshMinMs: HOUR_MS,
  freshMaxMs: 30 * DAY_MS,
  /** When an origin that failed to confirm a file that is here is asked again. */
  staleAgainMs: 10 * MINUTE_MS,
  /** A picture that nobody has asked for in this time is removed. */
  unaskedMaxMs: 30 * DAY_MS,
  /**
   * How old the noted time of asking gets: at most, and in a space whose plan is nearly used up, at least and for each of
   * its pictures. There, a visitor's fetch removes a picture, at most one in 100 ms (`QUEUE.coldPerSpaceMax`), so a
   * picture that visitors ask for all the time is noted before its turn comes, with at most 20 notes in a second.
   */
  askingNotedMs: 6 * HOUR_MS,
  askingNotedSoonMs: SECOND_MS,
  askingNotedPerPictureMs: 50,
  /** The share of the plan from which on the shorter times count, in percent. */
  nearlyFullPercent: 80,
  /** Longer validators are not kept: the file is then fetched whole. */
  validatorMaxCharacters: 1024,
  /**
   * Files of up to this size take no part in the memory for fetches, unless they are gzip: the places of their space bound
   * them.
   */
  headMaxBytes: MEGABYTE_BYTES,
  /** The memory for gzip and for larger files that are fetched in one isolate. Each reserves `UPLOAD.memoryBytes`. */
  memoryMaxBytes: 36 * MEGABYTE_BYTES,
  /** Fetches, and entries of `origins`, that a queue remembers. */
  recentMax: 100,
  countedOriginsMax: 100,
  /** Pictures that are removed together, and how often in one run. */
  removedPerBatch: 100,
  trimBatchesMax: 3,
} as const;

/** How long a request waits for other parts of the deployment. */
export const PATIENCE = {
  /** `/healthz` answers within 2 s: a part that takes longer than this is failing. */
  healthMs: 1500,
  /** For an object that the answer needs: the queue of a space, the figures. */
  objectMs: 5 * SECOND_MS,
  /** The `Retry-After` of an answer without it. */
  retryAfterSeconds: 2,
} as const;

/** The memory of a queue about its work (RULES 8.6). */
export const ACTIVITY = {
  buildsMax: 100,
  countsMs: HOUR_MS,
} as const;

/** Placeholders of masters, which are made while the queue is idle. */
export const PLACEHOLDER = {
  /** The largest side of a picture that ThumbHash accepts. */
  sideMaxPixels: 100,
  /** A queue is idle when it has had no request for this long. It then makes placeholders and builds ahead. */
  quietMs: 3 * SECOND_MS,
  /** Tries per master; each is counted before the builder is called. */
  triesMax: 3,
  /** A try that takes longer is abandoned. Reading and shrinking the largest master takes some seconds. */
  tryMaxMs: MINUTE_MS,
  /**
   * A space's placeholders give way to builds for this long. The next one then comes before the visitors' builds that
   * wait, and no build ends it. It may take `turnMaxMs`; a builder that is busy is asked again after `turnPauseMs`.
   */
  postponedMaxMs: 20 * SECOND_MS,
  turnMaxMs: 10 * SECOND_MS,
  turnPauseMs: SECOND_MS,
  /** The pause after a try that was lost, or for which the builder had no memory: the next one may end like it. */
  pauseMs: 30 * SECOND_MS,
} as const;

/** Variants as stored (RULES 9.2). */
export const VARIANT = {
  lifetimeMs: 30 * DAY_MS,
  /** A variant that is requested within this time before its expiry is rebuilt (RULES 9.7). */
  renewBeforeMs: 3 * DAY_MS,
  perMasterVersionMax: 192,
} as const;

/**
 * The pace at which the body of a request must come (RULES 1.6), in seconds of waiting for its sender. A sender that is
 * faster than the lowest rate gains time, up to `graceSeconds`, so that a break in the line does not end an upload.
 */
export const BODY_PACE = {
  lowestBytesPerSecond: 16_384,
  graceSeconds: 20,
  /** For the whole body, however fast it came before. */
  longestSeconds: 900,
  /** The `Retry-After` of a body that came too slowly. */
  retryAfterSeconds: 5,
} as const;

/** Uploads and bodies (RULES 1.6, 4.1). */
export const UPLOAD = {
  maxBytes: 100 * MEGABYTE_BYTES,
  jsonMaxBytes: MEGABYTE_BYTES,
  /** How long the rest of a JSON body that is refused unread may take to come, before the answer says why. */
  refusedJsonMaxMs: 10 * SECOND_MS,
  /**
   * The bytes that one upload holds: the part that is being filled, the previous part while R2 reads it, and the
   * headers that the probe keeps. A drawing is held whole instead: 4 MB as uploaded, and up to 8 MB of the document
   * that is stored (SVG.storedMaxCharacters).
   */
  memoryBytes: 12 * MEGABYTE_BYTES,
  /**
   * The memory of a file whose length is known, for each of its bytes. A drawing takes most: itself, and the bytes of its
   * document, in which a sign may take six times as many (`&quot;`). The text of the document is held during the check
   * alone, in the memory for that. However small a file is, its request takes something.
   */
  memoryPerByte: 7,
  memoryMinBytes: MEGABYTE_BYTES,
  /** The memory of all uploads of one isolate, and of those of one space: the others keep room for two uploads. */
  memoryMaxBytes: 60 * MEGABYTE_BYTES,
  memoryPerSpaceMaxBytes: 36 * MEGABYTE_BYTES,
  /**
   * The bytes of all drawings that are being checked in an isolate: a large one, and small ones beside it. The sanitizer
   * takes up to 22 bytes for each, most for drawings of many small elements, and holds them while it pauses. Then the
   * document takes their place as text and as bytes, of up to 18 together. Each space may have as much as one drawing. The
   * runtime, the heap and other requests need the rest of 128 MB.
   */
  checkedMaxBytes: 5 * MEGABYTE_BYTES,
  /**
   * The pieces in which the scan of a JPEG without EOI is read again, and the work of counting the blocks of a byte, in
   * units of SPACE_WORK.
   */
  scanPieceBytes: MEGABYTE_BYTES,
  scanUnitsPerByte: 4,
  /**
   * How long an upload waits each time for memory before it is refused, how often it asks, and how many of an isolate may
   * wait. The waits for what it needs later have the whole time again: its bytes have come by then.
   */
  placeWaitMaxMs: 10 * SECOND_MS,
  placePollMs: 50,
  placeWaitersMax: 32,
  /** An upload that has waited longer than this goes before later ones that would delay it, even if those would fit. */
  placeSoonMs: SECOND_MS,
  /** An upload that waits and has not asked for this long no longer counts. It asks each `placePollMs`. */
  waiterSilentMaxMs: 2 * SECOND_MS,
  /** An upload that has sent nothing for this long no longer counts. */
  silentMaxMs: MINUTE_MS,
  /** The `Retry-After` of a refused upload. */
  retryAfterSeconds: 5,
  /** Each field of a form beside the file. A larger form is not an upload of one file. */
  formFieldMaxBytes: 65_536,
  /** The header fields of a part of a form. */
  formHeadersMaxBytes: 16_384,
  formPartsMax: 100,
  filenameMaxCharacters: 255,
  altMaxCharacters: 2000,
} as const;

/** Uploads in parts (RULES 4.7). */
export const PARTED_UPLOAD = {
  /** The length of every part but the last. */
  partBytes: 5 * MEGABYTE_BYTES,
  /**
   * The largest file that the console sends in one request; the npm package sends every file in parts. It is far below
   * the 100 MB of a body that the platform's plans take, and what a broken line costs.
   */
  wholeMaxBytes: 5 * MEGABYTE_BYTES,
  lifetimeMs: DAY_MS,
} as const;

/**
 * Writes that collided with another write are tried again after a random wait, whose upper bound doubles each time. In
 * every round one writer succeeds, so if there are no more writers than tries, all of them succeed.
 */
export const RETRY = {
  triesMax: 40,
  /** For a change of a model, which reads all its records each time. */
  modelTriesMax: 8,
  waitMs: 5,
  waitMaxMs: 320,
} as const;

/** Limits of error answers, however much is wrong with a request. */
export const ERRORS = {
  detailsMax: 200,
  pathMaxCharacters: 100,
  detailMaxCharacters: 300,
  messageMaxCharacters: 1000,
  /** A list that is longer than it may be is examined up to so many times its length. */
  examinedListFactor: 10,
} as const;

export const LIST = { limitMin: 1, limitMax: 100, limitDefault: 25 } as const;

/** Answers to agents (RULES 19.3). */
export const MCP = {
  answerMaxCharacters: 25_000,
  /** A longer value is left out of an object that is too long for an answer. */
  shortValueMaxCharacters: 500,
  shortenedMaxCharacters: 8000,
  /** The names of left out values that an answer has. */
  namedLeftOutMax: 50,
  cursorMaxCharacters: 4096,
  idMaxCharacters: 256,
  /** Alternatives in the argument `or`. */
  groupsMax: 20,
  /** Messages in one request, which only the protocol of 2025-03-26 has. */
  batchMax: 10,
} as const;

/** The ceilings of keyed requests (RULES 1.10). */
export const KEYED = {
  windowMs: MINUTE_MS,
  /** The reads that a key may make in a minute, where `API_RATE` does not say. */
  readsPerMinute: 6000,
  /** A key may make a tenth of that in writes. */
  readsPerWrite: 10,
  /** The root token may make ten times as many requests as a key. */
  rootFactor: 10,
  /** Unknown keys of one client in a minute. After these, its keys that the isolate does not know are refused. */
  unknownKeysMax: 60,
  /** How long an isolate remembers that it has seen a key. A revoked key is refused by the database all the same. */
  knownMs: HOUR_MS,
  /** Callers, and clients, that an isolate counts. The one whose window started first is forgotten. */
  callersMax: 10_000,
} as const;

/** Computing that the requests of a space may cause in an isolate (RULES 1.11). */
export const SPACE_WORK = {
  /** The checking of drawings, in units of about ten nanoseconds (SVG.workMaxUnits): 6 seconds of a minute. */
  drawingUnitsPerMinute: 600_000_000,
  /** The steps of patterns, of about as long. */
  patternStepsPerMinute: 600_000_000,
  /** The time that a unit of the work on drawings, or a step of a pattern, stands for. */
  unitNs: 10,
  /** The units that a space may cause in a minute without waiting between its drawings or writes: 0.1 seconds. */
  freeUnitsPerMinute: 10_000_000,
  /** How long the next piece of computing waits, in parts of the time that the last one took. */
  pausePerWork: 2,
  /** How often a waiting piece looks whether its turn has come, and how long it does so before it is refused. */
  turnPollMs: 5,
  turnWaitMaxMs: 10 * SECOND_MS,
} as const;

export const KEY = { nameMaxCharacters: 100 } as const;

/** Webhooks (RULES 15). */
export const WEBHOOKS = {
  perSpaceMax: 20,
  nameMaxCharacters: 100,
  urlMaxCharacters: 2048,
  /** Names of models that a webhook is narrowed to. */
  modelsMax: 200,
  modelNameMaxCharacters: 100,
  secretBytes: 32,
  /** How long the secret before the present one signs too. */
  previousSecretMs: DAY_MS,
  /** Deliveries of one webhook that run at a time. */
  atOnceMax: 4,
  /** From the request to the status of its answer. */
  answerMaxMs: 10 * SECOND_MS,
  /** The waits after each failed attempt of a delivery. It is given up when the attempt after the last one fails. */
  retryMs: [
    5 * SECOND_MS,
    30 * SECOND_MS,
    2 * MINUTE_MS,
    10 * MINUTE_MS,
    HOUR_MS,
    4 * HOUR_MS,
    12 * HOUR_MS,
  ] as readonly number[],
  /** How far a wait may be from that, in parts of it, so that many deliveries do not come back together. */
  jitterShare: 0.2,
  /** If every attempt has failed for so long, the next delivery that is given up disables the webhook. */
  failingMaxMs: 3 * DAY_MS,
  /** How long deliveries are listed. */
  keptMs: 30 * DAY_MS,
  /** The last attempts of a delivery that are kept: a redelivery adds to them. */
  attemptsKept: 20,
  errorMaxCharacters: 200,
  /**
   * When a taken delivery is due again, because whoever took it has ended: longer than an attempt and its row in D1 take.
   */
  leaseMs: 30 * SECOND_MS,
  /**
   * How long one invocation begins attempts. The platform ends it 30 seconds after it has answered, and the last attempt
   * takes `answerMaxMs`.
   */
  roundMs: 15 * SECOND_MS,
  /** Attempts of one invocation: D1 takes 1,000 queries, and each attempt makes two. */
  attemptsPerRound: 200,
  /** Events that become deliveries together, and how often in one invocation. */
  eventsPerSlice: 200,
  slicesPerRound: 10,
  /** Webhooks that one message or sweep starts: the platform takes 32 calls of Workers in an invocation. */
  startedMax: 25,
  /** How long a round that found all places taken waits before the next one looks again. */
  busyMs: 5 * SECOND_MS,
  /** The longest wait that a message is sent for; later ones are left to the sweep. */
  wakeMaxMs: MINUTE_MS,
  /** How long an isolate remembers that a space has webhooks, or has none. */
  knownMs: MINUTE_MS,
  knownNoneMs: 10 * SECOND_MS,
  knownMax: 10_000,
  /** Rows of deliveries that the sweep removes at a time. */
  removedPerBatch: 500,
  batchesMax: 20,
} as const;

/** Members (RULES 2.6). */
export const MEMBER = { perSpaceMax: 1000, emailMaxCharacters: 254 } as const;

/** Sign-ins by OpenID Connect (RULES 2.7). */
export const SIGN_IN = {
  sessionHours: 12,
  /** One request to the provider: discovery, exchange, keys or user info. */
  providerMs: 5000,
  /** How long an isolate remembers what the provider says about itself. */
  discoveryMs: HOUR_MS,
  /** Failed sign-ins of one client in a minute. */
  failuresPerMinuteMax: 20,
  codeMaxCharacters: 4096,
  nonceMinCharacters: 16,
  nonceMaxCharacters: 255,
} as const;

/** Preview tokens (RULES 2.5). */
export const PREVIEW_TOKEN = {
  ttlMaxSeconds: 86_400,
  /** Tokens of a space that have not ended. A console makes one per opened page. */
  perSpaceMax: 5000,
} as const;

/** ROOT_TOKEN and CURSOR_SECRET: shorter ones could be found by trying (RULES 10.3). */
export const SECRET = { minCharacters: 32 } as const;

/** Earlier contents of records (RULES 3.13): the default and longest retention, and the number per record. */
export const HISTORY = { defaultDays: 30, maxDays: 3650, eventsPerRecordMax: 100 } as const;

/** The lines of the audit (RULES 14.1, 14.2). */
export const EVENTS = {
  keptMs: 365 * DAY_MS,
  /** Refusals of an actor and action are one line in such a time. */
  refusalsMs: HOUR_MS,
  /** The sweep looks for lines past their time once in so many minutes: it asks of each space. */
  sweepEveryMinutes: 30,
} as const;

export const TRASH = { retentionDefaultDays: 30, retentionMaxDays: 3650 } as const;

/** Objects of unknown length. R2 demands that all parts but the last have the same size, at least 5 MiB. */
export const MULTIPART = { partBytes: 5 * MEGABYTE_BYTES } as const;

/** R2 keys that are to be deleted unless a row claims them (RULES 10.1). */
export const PENDING_DELETE = {
  /** How long bytes may be on their way before they count as left behind: far over any upload or build. */
  bytesOnTheWayMs: DAY_MS,
} as const;

/**
 * Rows that one statement changes. For statements that would change many, D1's documents advise slices of 1,000. The
 * rows of indexes, triggers and searched words come on top of those of a table: one for a row of an index of values, some
 * ten for a record. test/workerd/support/bindings/deployed-d1.ts has the limits that tests hold every statement to.
 */
export const SLICE = {
  rows: 1000,
  /** Records, media, or rows of media, each with its own rows of indexes, triggers and searched words. */
  records: 250,
} as const;

/** A database that was set back to an earlier time, or a bucket that lost objects (RULES 10.12). */
export const RESTORE = {
  /** How long objects without a row are kept, and pending deletes held: as long as a database can be set back. */
  keptMs: 30 * DAY_MS,
  /** Masters that one run looks up in R2 after a restore, in other runs, and of those that were missing before. */
  mastersMax: 100,
  mastersIdleMax: 10,
  missingMax: 20,
  lookUpsAtATime: 6,
  /** Objects of R2 whose rows one run looks for. */
  listedMax: 500,
} as const;

/** The work of one run of the sweep, so that it stays far below what a minute of D1 and R2 can do (RULES 10.2). */
export const SWEEP = {
  spacesMax: 5,
  mediaMax: 100,
  mastersMax: 100,
  variantsMax: 500,
  /** Batches of variants that are removed with their media. */
  variantBatchesMax: 20,
  /** R2 deletes at most 1000 keys in a call. */
  objectsMax: 500,
  /** Each costs a list and a delete in R2. */
  uploadsMax: 50,
  /** Keys of spaces and keys of requests: their deletion changes some rows more by triggers. */
  keysPerBatch: 1000,
  /** Each has an event with it, of six rows with those of its indexes. */
  recordsPerBatch: 500,
  /** Records published or unpublished as one batch, of some ten statements each; batches of one run, and its time. */
  schedulesPerBatch: 50,
  scheduleBatchesMax: 100,
  schedulesMs: 30 * SECOND_MS,
  /** A version may hold a megabyte. */
  versionsPerBatch: 500,
  eventsPerBatch: 500,
  filledRowsPerBatch: 250,
  batchesMax: 20,
  /** Batches of rows that have no rows of indexes of their own. */
  indexBatchesMax: 100,
  /** The models whose change is worked on, and the time of one run. */
  modelChangesMax: 5,
  modelChangeSlicesMax: 100,
  modelChangesMs: 20 * SECOND_MS,
  /** The slices of records whose words are worked out anew. */
  searchSlicesMax: 50,
  /**
   * Queries of one run on one database. D1 takes 1,000 in an invocation. The other 200 are for invalidations and webhooks,
   * where there is one database, and for the batches that go on when a step has had its share.
   */
  queriesMax: 800,
  /** A step may make one of so many of the queries that are left, and at least so many. */
  queriesShare: 3,
  queriesMin: 3,
  /**
   * The time and the queries after which a run rests, the part of that time for which it does, its bounds, and the time of
   * all rests of a run. Rests count in the times above and in `SHARDS.sweepMs`.
   */
  restEveryMs: 500,
  restEverySteps: 10,
  restShare: 0.2,
  restMinMs: 10,
  restMaxMs: 100,
  restsMaxMs: 10 * SECOND_MS,
  /** Spaces whose queue is told that masters have no placeholder. */
  placeholderSpacesMax: 100,
} as const;

/** Operations (RULES 10.8 to 10.10). */
export const METRICS = {
  /** The interval at which an isolate reports its counts. An isolate that ends loses what it has not reported. */
  tellEveryMs: 10 * SECOND_MS,
  /**
   * The interval at which the totals are stored. It is shorter than the 10 seconds after which the platform may evict
   * an idle object, so that the alarm that stores them always finds them in memory.
   */
  writeEveryMs: 5 * SECOND_MS,
} as const;

/** Requests with an Idempotency-Key (RULES 1.9). */
export const IDEMPOTENCY = {
  keyMaxCharacters: 255,
  /** How long an answer is given again. */
  keptMs: DAY_MS,
  /** A run without an answer counts as crashed after this. */
  runMs: 60 * SECOND_MS,
  /** The time between two tries to note the end of a run while a move refuses writes. */
  closedLookMs: 200,
  /** Keys that are kept for one caller. */
  keysPerCallerMax: 20_000,
  /**
   * Bytes of the answers that are kept for one caller: 20,000 answers of 6.7 KB. A request that begins below it is
   * answered and its answer is kept, so that requests under way may exceed it by their answers.
   */
  bytesPerCallerMax: 128 * MEGABYTE_BYTES,
  /** The `Retry-After` of a request that has no room for its key: the sweep removes expired ones each minute. */
  retryAfterSeconds: 60,
} as const;

/** The share of requests that has a line in the log, where `LOG_SAMPLE` does not say. */
export const LOG = { sampleDefault: 0.02 } as const;

/** How long an answer, a fact or a byte may be kept. */
export const CACHE = {
  preflightSeconds: 86_400,
  redirectSeconds: 300,
  queuedRedirectSeconds: 30,
  variantSeconds: 31_536_000,
  /** How long the edge keeps an answer that browsers keep for `redirectSeconds`, and how long it may then be stale. */
  edgeSeconds: 86_400,
  /** How long caches keep public content. */
  publicSeconds: 60,
  /** How long caches may then answer with it while they ask for it anew. */
  publicStaleSeconds: 600,
  /** How long the edge may answer with a copy that is past `edgeSeconds` while it asks for it anew. */
  edgeStaleSeconds: 86_400,
  /** How long the edge keeps the master in place of a variant that is being built. */
  edgeUnderWaySeconds: 2,
  /** How often an isolate asks the edge to keep one answer: once per this time. */
  edgeAskMs: 5 * SECOND_MS,
  /** How long an isolate keeps positive facts. It is shorter than the 10 s of RULES 4.4, to allow for slow answers. */
  factsMs: 5 * SECOND_MS,
  factsMaxEntries: 2000,
  /** How long older facts are held. They are used only while D1 does not answer. */
  heldMs: 10 * MINUTE_MS,
  /** How long a request waits for D1 if the isolate holds an older answer. */
  databasePatienceMs: 2 * SECOND_MS,
  /** How long an isolate remembers that the primary did not find a picture. */
  missingMs: 3 * SECOND_MS,
  /** How long an isolate remembers which database a space stands on, and of how many spaces. */
  placesMs: DAY_MS,
  placesMaxEntries: 10_000,
  /** How long all visitors of an isolate share an answer of the queue. */
  admissionMs: 2 * SECOND_MS,
  admissionsMaxEntries: 2000,
  /** How often one isolate tells a queue to rebuild a variant: once per this time. */
  renewalMs: 5 * MINUTE_MS,
  /** How long an isolate keeps the answer of /healthz. */
  healthMs: SECOND_MS,
  /** How long bytes outlive their row, for redirects that were sent before (RULES 4.4). */
  bytesOutliveRowMs: HOUR_MS,
} as const;

/** Texts of requests, such as queries and `Accept`, whose meaning an isolate remembers. */
export const REMEMBERED = {
  /** Texts of one kind. Pages ask for the same few sizes of many pictures. */
  textsMax: 500,
  /** A longer text is read each time. */
  textMaxCharacters: 300,
} as const;

/** The databases of a deployment (RULES 12.1). */
export const SHARDS = {
  /** The directory's, which is shard 0, and those of the further shards. */
  databasesMax: 32,
  /** The numbers of rows that a database may give before its block is used up: 2^36. */
  rowNumbersPerBlock: 2 ** 36,
  /** A new space comes to the database with the fewest bytes, where each space counts as at least so many. */
  spaceBytesMin: 50 * 1_000_000,
  /** Names of spaces that an isolate reads at once, with their places, when it asks the directory for the first time. */
  placesAtOnceMax: 500,
  /** How long a request that asks all databases waits for one of them. */
  patienceMs: 5 * SECOND_MS,
  /** How long the directory keeps a name for a space of which its database has no row, and claims in one sweep. */
  claimMs: HOUR_MS,
  claimsPerSweep: 100,
  /** How long a sweep waits for one database: as long as its steps take at most, and some time for slow answers. */
  sweepMs: 5 * MINUTE_MS,
  /** Databases that a look for a space passes on its way: each said that the space has left it. */
  hopsMax: 4,
} as const;

/** Moves of spaces from one database to another (RULES 12.6, 12.7). */
export const MOVE = {
  /** How long the last slice may refuse writes. Writes are taken again after it, whatever became of the move. */
  closedMaxMs: 5 * SECOND_MS,
  /** The time of the last slice in which the switch is still made. */
  switchMaxMs: 4 * SECOND_MS,
  /** Rows are counted once more while writes are refused, if it took at most this before. */
  countInLastSliceMs: 500,
  /** Rows of a space that are counted with one call. */
  countedAtOnceMax: 500_000,
  /** How long a run that counts the rows of both sides keeps its claim on the move. */
  countMs: 2 * MINUTE_MS,
  /** How long writes are taken after a last slice that took too long, before the next one. */
  againMs: 15 * SECOND_MS,
  /** A switch that is not made known after this is made known by who finds it. */
  settleMs: SECOND_MS,
  /** Units that one slice looks at, rows that one statement writes, and the characters of a slice. */
  unitsPerSlice: 500,
  recordsPerSlice: 200,
  rowsPerStatement: 500,
  sliceMaxCharacters: MEGABYTE_BYTES,
  /** A row that is larger is bound column by column: as text of a list it could be longer than D1 takes. */
  rowOfListMaxCharacters: 300_000,
  /** Records that one statement removes from a copy, with the rows that triggers remove with them. */
  recordsRemovedAtOnce: 20,
  /** The rounds in which changed rows are removed from a copy, for one slice whose unique values they may have. */
  clearRoundsMax: 3,
  /** Changed rows that one slice copies once more. */
  touchesPerSlice: 400,
  /** Writes are refused for the last slice when so few changed rows are left to copy. */
  lastSliceUnits: 800,
  /** The time and the steps for which the work on a move goes on before it rests. */
  restEveryMs: 500,
  restEverySteps: 8,
  /** The part of that time for which it rests, and its bounds. */
  restShare: 0.2,
  restMinMs: 20,
  restMaxMs: 250,
  /** Queries of one run, and those after which the last slice is left to the next: D1 takes 1,000 in an invocation. */
  queriesPerRun: 700,
  queriesBeforeLastSlice: 350,
  /** How long one run works on the moves of a database, and how long it is taken for alive after its last step. */
  runMs: 40 * SECOND_MS,
  workMs: 20 * SECOND_MS,
  /** How long the request that orders a move works on it beside its answer: the platform ends that after 30 seconds. */
  besideMs: 20 * SECOND_MS,
  /** How long a move that cannot go on waits for its next run, and after how many waits it is left to the next minute. */
  pauseMs: 500,
  waitsMax: 20,
  /** The time of one call that works on a move. */
  callMs: 15 * SECOND_MS,
  movesPerRun: 20,
  /**
   * Queries that a sweep makes for moves in its own invocation, over all databases, before it leaves the rest to the next
   * minute. What it has begun goes on, some ten queries more on each database.
   */
  sweepQueriesMax: 200,
  /**
   * How long the rows of a space stay on the database that it has left: longer than any request or build, so that what
   * began before the switch is refused, and does not take the rows for removed.
   */
  leftRowsMs: 20 * MINUTE_MS,
  /** Rows that one statement deletes of what is left. */
  sweptRowsPerSlice: 500,
  /** Spaces whose places one run compares with the directory's. */
  comparedMax: 500,
  comparedEveryMinutes: 10,
  /** How long triggers stay after the last space has left, for isolates that remember its place. */
  triggersDays: 2,
  /** How long a tombstone is kept: longer than a database can be set back. */
  tombstoneMs: 40 * DAY_MS,
  /** Blocks of row numbers there can be: the numbers of published contents are those of drafts, less 2^52. */
  blocksMax: 2 ** 16,
} as const;

/**
 * Invalidations of the edge's cache (RULES 10.7). The platform's limits are per account. These are the limits of its
 * free plan, whichever plan the account has.
 */
export const INVALIDATION = {
  callsPerMinute: 5,
  burstCalls: 25,
  tagsPerCallMax: 100,
  /** Calls that are reserved for media: a trashed picture is urgent, content is stale after a minute anyway. */
  mediaReserveCalls: 10,
  /**
   * Each invalidation is repeated once after this time, for a copy that a slow isolate stored after the first
   * invalidation.
   */
  repeatMs: 10 * SECOND_MS,
  /** How long a refused invalidation waits: the time in which one more call is allowed. */
  refusedMs: 12 * SECOND_MS,
  /** An invalidation whose outcome is still unknown after this time is made again. */
  leaseMs: 30 * SECOND_MS,
  /** How long a request goes on with invalidations and repeats after its answer. The platform ends it after 30 s. */
  requestMs: 20 * SECOND_MS,
  /** How long the sweep goes on with invalidations. */
  sweepMs: 50 * SECOND_MS,
} as const;

/** How the objects ("rooms") in a builder's isolate share its memory, and detect a reservation whose holder died. */
export const BUILDER = {
  /** The interval of the heartbeats of a reservation's holder. */
  beatMs: 500,
  /** A reservation without a heartbeat for this long is suspected to be dead. */
  silentMs: 5000,
  /** Number of further checks, one heartbeat apart, before a suspected reservation is released. */
  silenceLooks: 3,
  /** A space that found no room goes before those that were served meanwhile, if it asks again within this time. */
  claimMinMs: 400,
  claimMaxMs: 2000,
  /** Number of waiting spaces, and of spaces that were served, that an isolate remembers. */
  claimsMax: 64,
  /** A variant of at most this size is answered as bytes, a larger one as a stream. */
  answeredBytesMax: 65_536,
} as const;

/**
 * How a master travels from R2 to the builder. A piece crosses in one message. Ranges of it are asked of R2, each twice
 * as long as the one before: the first bytes come soon, and a large master takes few requests. During a roll-out, the
 * two Workers may have different versions, so `bytes` and `aheadMax` never change.
 */
export const MASTER_PIECES = {
  bytes: 512 * 1024,
  /** The calls for pieces that may wait for their answers at a time. Each has a buffer in the edge. */
  aheadMax: 4,
  /**
   * The pieces that the decoder may still be reading: a chunk keeps its content until the next but one is asked for.
   */
  heldMax: 2,
  firstRangeBytes: MEGABYTE_BYTES,
  rangeMaxBytes: 4 * MEGABYTE_BYTES,
} as const;

/**
 * The memory of a builder's isolate that no plan of a build counts, in bytes. The first three are the most that `npm
 * run bench resident` measured of each on 2026-11-26, rounded up to half a megabyte: 20 MB together.
 * scripts/bench/published/resident.md has every figure. No isolate holds the most of all three: the largest sum is 16.1
 * MB.
 */
export const RESERVE = {
  /** JavaScript objects that are in use, and the runtime's objects behind them: 4.7 and 5.1 MB in two runs. */
  heapBytes: 5.5 * MEGABYTE_BYTES,
  /** Every piece of a master that may have come and is not given back yet: 3.0 MB. */
  streamsBytes: (MASTER_PIECES.aheadMax + MASTER_PIECES.heldMax) * MASTER_PIECES.bytes,
  /** The code that V8 has compiled when an isolate has used every codec: 10.9 to 11.1 MB in three runs. */
  codeBytes: 11.5 * MEGABYTE_BYTES,
  /** A tenth of the sum above, for garbage that V8 has not collected yet and for what the bench does not see. */
  marginBytes: 2 * MEGABYTE_BYTES,
} as const;

const ISOLATE_BYTES = 128 * MEGABYTE_BYTES;
const RESERVE_BYTES = Object.values(RESERVE).reduce((sum, bytes) => sum + bytes, 0);

/** Memory of one isolate, in bytes: all of it, the reserve, and the rest, which builds may take. */
export const ISOLATE = {
  totalBytes: ISOLATE_BYTES,
  reserveBytes: RESERVE_BYTES,
  buildBytes: ISOLATE_BYTES - RESERVE_BYTES,
} as const;

/** Locales of a space (RULES 3.30 to 3.33). */
export const LOCALES = {
  perSpaceMax: 50,
  codeMaxCharacters: 35,
  /** Locales that a space may have had in its life: each has a number of its own, of which the search keeps 10 bits. */
  numbersMax: 999,
  /** The values of one locale. Those of the default stand in the row of the shared fields. */
  localeMaxBytes: MEGABYTE_BYTES,
  /** The row of shared fields and of the default locale, with its folded texts: D1 takes 2 MB. */
  rowMaxBytes: 1_950_000,
} as const;

/** Exports, imports and backups (RULES 18). */
export const EXCHANGE = {
  /** A page of an export, its last line included. */
  pageMaxLines: 1000,
  pageMaxBytes: 8 * MEGABYTE_BYTES,
  /** The body of an import, and a line of it. */
  bodyMaxBytes: 8 * MEGABYTE_BYTES,
  lineMaxBytes: 2 * MEGABYTE_BYTES,
  /** Objects and lists of a line: as many as a content of `contentOfLineMaxBytes` can have. As values they take 32 MB. */
  lineMaxObjects: 500_000,
  /** Bytes that lines of one import take together as values, but for a line that alone takes more. */
  valuesMaxBytes: 8 * MEGABYTE_BYTES,
  /** Lines of one import: records that are as short as can be do not reach it. */
  bodyMaxLines: 60_000,
  /** The texts about a refused line. */
  pathMaxCharacters: 200,
  messageMaxCharacters: 500,
  /** Rows of contents that are written together, their bytes, and the bytes of one that is written alone. */
  recordsPerWrite: 100,
  eventsPerWrite: 500,
  mediaPerWrite: 100,
  writeMaxBytes: 500_000,
  /**
   * Queries of one import, or of a page of an export, below what D1 allows an invocation. Lines that an import leaves are
   * refused, and sent again. A page ends, and the next one goes on.
   */
  queriesMax: 850,
  /** How long a media item of an import waits for its file. */
  waitingMs: 30 * DAY_MS,
  /** A content of more bytes has a line per locale. */
  contentOfLineMaxBytes: 1_500_000,
  /** Records, and bytes of their contents, that an export reads at once. */
  recordsPerRead: 50,
  mediaPerRead: 200,
  readMaxBytes: MEGABYTE_BYTES,
  /** Bytes of the earlier contents of a record in locales that are held at once. */
  partsMaxBytes: 4 * MEGABYTE_BYTES,
} as const;

/** Backups (RULES 18.7 to 18.9). */
export const BACKUP = {
  /** Whole backups of a space that are kept: where `BACKUPS` is off, and the most that it may name. */
  keepDefault: 14,
  keepMax: 365,
  /** Backups that one run of the sweep starts, works on and removes, and the pages of one run. */
  startedMax: 20,
  workedOnMax: 10,
  removedMax: 10,
  pagesMax: 10,
  /** Pages that the request which asks for a backup makes beside its answer. */
  pagesBesideMax: 3,
  /** Queries of such a request, of which D1 takes 1,000. */
  queriesBesideMax: 300,
  /** A backup whose next page still cannot be stored after this time has failed. */
  workingMs: DAY_MS,
  reasonMaxCharacters: 500,
  /** Pages without a row are kept as long as D1 can be set back to a time at which they had one. */
  straysKeptMs: 30 * DAY_MS,
} as const;

/** Models and records (RULES 3, and what the README states). */
export const CONTENT = {
  modelsPerSpaceMax: 200,
  fieldsPerModelMax: 100,
  /** Changes of models that one request to apply a document makes. The next request goes on. */
  documentStepsPerRequest: 20,
  /**
   * Queries of one request about a document, of which D1 takes 1,000: those of a plan, beyond which it looks at no further
   * records; and those after which no further change is begun. The dearest change that is made at once has some 300: 50 reads
   * of 100,000 records and 50 of their published contents, 50 of those in locales, 100 batches of index rows, 40 of
   * published contents, and 10 others.
   */
  documentPlanQueriesMax: 500,
  documentQueriesMax: 650,
  /** Names in `allowDrop`. */
  allowDropMax: 1000,
  /** Labels of models and fields. */
  labelMaxCharacters: 200,
  descriptionMaxCharacters: 2000,
  /** The template `previewUrl` of a model. */
  previewUrlMaxCharacters: 2000,
  /** A `string`, whatever its `maxLength`; a `text` may fill the body. In UTF-16 units, as JavaScript counts. */
  stringMaxCharacters: 2000,
  enumValuesMax: 200,
  enumValueMaxCharacters: 200,
  /** Items of one field that is a list. */
  listItemsMax: 5000,
  /** Objects of one field of components or blocks, whatever its `max`. */
  blocksMax: 200,
  /** Components that may stand in each other, from that which a field holds down: blocks and rich text count. */
  componentsMaxLevels: 5,
  /** The fields of all components that a model holds, as they are stored with it. */
  componentsMaxBytes: 0.5 * MEGABYTE_BYTES,
  /** A `_key`. */
  keyMaxCharacters: 128,
  /** Nesting depth of objects and arrays in a `json` value. */
  jsonMaxDepth: 64,
  recordMaxBytes: MEGABYTE_BYTES,
  /** Characters of a text in the index table. Sorts use only these; longer values are compared in full elsewhere. */
  indexedCharacters: 200,
  bulkOperationsMax: 100,
  /**
   * Bytes of the contents in locales that are read to publish records together, where components in them have required
   * fields. A record has fewer in all of its locales.
   */
  publishedTogetherMaxBytes: 64 * MEGABYTE_BYTES,
  filtersMax: 10,
  filterInMax: 100,
  /** The largest exact count. */
  countExactMax: 10_000,
  searchMaxCharacters: 200,
  searchWordsMax: 20,
  /** Characters of a record's words, and of the spaces between them, that are searched. */
  searchedMaxCharacters: 50_000,
  /** Results of one search, over all pages. */
  searchResultsMax: 1000,
  /** If more records or media match, they are not ranked, and the newest come first. */
  searchRankedMax: 10_000,
  /**
   * Rows that hold a word up to which a search takes it for rare: it looks for that word, and reads the rows for the
   * others.
   */
  searchRareMax: 250,
  /** Records per slice, and slices within the request, when words are indexed after the searchable fields changed. */
  searchSliceRecords: 400,
  /** Media items in a slice: their names and words are one value of D1, which has at most 2 MB. */
  searchSliceMedia: 50,
  searchRequestSlices: 5,
  /** Slices of index rows that an earlier change has left and a request removes before the next one. The sweep does the rest. */
  leftoverRequestSlices: 20,
  sortsMax: 3,
  populateMaxLevels: 3,
  /** Names in one path: each level may go through five components, and a rich text has a name more for each. */
  populateMaxNames: 3 * (1 + 2 * 5),
  /** Paths that `populate` may name, and references that it may follow, those that lead to one target included. */
  populateMaxPaths: 100,
  populateMaxReferences: 100_000,
  populateMaxTargets: 2000,
  pageMaxBytes: 8 * MEGABYTE_BYTES,
  /** If a filter matches at most this many records, they are read and sorted. Else the index of the sort is used. */
  fewMatches: 1000,
  /** Records of a model that one change may check one by one. */
  checkedRecordsMax: 100_000,
  checkedRecordsBatch: 2000,
  /** Records that a change which is refused in the background names, of each field. */
  namedMisfitsMax: 10,
  /** Data of the records whose texts one statement folds. */
  foldedMaxBytes: MEGABYTE_BYTES,
  /** Contents in locales whose fields one statement notes for lists. */
  filledMaxBytes: MEGABYTE_BYTES,
  /**
   * Different sets of locales of a model's records, or of fields of its contents in a locale, by which a page finds those
   * that lack a value. It looks at each that has another one.
   */
  gapTextsMax: 1000,
  /** Records whose rows one batch may write anew, in slices, so that a change of a model takes effect as a whole. */
  rewrittenRecordsMax: 10_000,
  /** Rows of indexes that a request may write before the change of a model that needs them. */
  indexedRowsMax: 100_000,
  /** Records that a request may publish before drafts are switched on. */
  publishedRecordsMax: 10_000,
} as const;

/** Rich text, which is Portable Text. */
export const RICH_TEXT = {
  /** Blocks of one value, and spans in all of them. */
  blocksMax: 5000,
  spansMax: 5000,
  /** Marks of one span, and definitions of one block. */
  marksMax: 50,
  markDefsMax: 500,
  levelMax: 10,
  /** Names of styles, of kinds of lists, or of decorators that a field may allow. */
  namesMax: 50,
  nameMaxCharacters: 63,
  hrefMaxCharacters: 2000,
  altMaxCharacters: 2000,
  captionMaxCharacters: 2000,
} as const;

/**
 * The bytes that filters may read of texts that no index has (src/edge/lists/scans.ts). On the development machine, the
 * SQLite of workerd took 1.7 ns per byte and filter on records of 6 KB. All other prices are times of the same machine,
 * divided by these 1.7 ns.
 */
export const SCAN = {
  withKey: { requestBytes: 192 * MEGABYTE_BYTES, minuteBytes: 1024 * MEGABYTE_BYTES, recordsMax: 200_000 },
  withoutKey: { requestBytes: 16 * MEGABYTE_BYTES, minuteBytes: 256 * MEGABYTE_BYTES, recordsMax: 10_000 },
  /** The time of the database that a byte stands for, in units of SPACE_WORK. */
  unitsPerByte: 0.17,
  /** A record that a filter reads, beside its bytes: 0.9 microseconds. */
  bytesPerRecord: 512,
  /** A record whose size is measured, which is done before a list has its price: 1.4 microseconds. */
  bytesPerMeasured: 824,
  /** A row of an index or a table that a list of records has read: 0.15 microseconds. */
  bytesPerRow: 88,
} as const;

/** Patterns of string fields (src/content/patterns/pattern.ts). */
export const PATTERN = {
  maxCharacters: 200,
  maxStates: 500,
  /**
   * Steps of the patterns of a request, and of one record where a change of a model looks at many. A step took 6 to 13
   * ns on the development machine, so that these take some 80 ms.
   */
  stepsMax: 8_000_000,
  /** The steps after which a slice of a change of a model looks at no further record. */
  sliceStepsMax: 1_000_000,
  /** Compiled patterns that an isolate keeps, and characters of which each knows what takes them. */
  rememberedPatternsMax: 200,
  rememberedCharactersMax: 256,
} as const;
