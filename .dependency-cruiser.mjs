/**
 * The walls of the house: what each room of src may import. `npm run check` holds them, and prints the rooms as floors
 * (scripts/check/rooms.ts). Rooms are named from the bottom up, and none imports one that is named after it.
 */

/** The files that every room may import: limits, errors and the helper for time limits know nothing of the rest. */
const GROUND = [
  "src/limits.ts",
  "src/errors.ts",
  "src/in-time.ts",
  "src/remembered.ts",
  "src/generated/version.ts",
];

const inImage = (...rooms) => rooms.map((room) => `src/image/${room}`);

const inBuilder = (...rooms) => rooms.map((room) => `src/builder/${room}`);

const inConsole = (...rooms) => rooms.map((room) => `src/console/${room}`);
/** The registry of formats and their descriptors: plain data, which every room that knows pictures may import. */
const REGISTRY = "src/image/formats/registry.ts";
/** The rooms that a page of the console may import. */
const consolePage = [
  "src/client",
  REGISTRY,
  ...inImage("geometry", "model", "parameters"),
  ...inConsole("lib", "ui", "session", "api"),
];

/** Each room and what it may import beside its own files and the ground. */
export const ROOMS = {
  "src/image/bytes": [],
  "src/image/geometry": [],
  "src/image/model": ["src/image/geometry", REGISTRY],
  "src/image/parameters": [REGISTRY, ...inImage("geometry", "model")],
  "src/image/memory": inImage("geometry", "model"),
  "src/image/colour": inImage("model"),
  "src/image/formats": inImage("bytes", "geometry", "model", "memory", "colour"),
  "src/image/plan": inImage("geometry", "model", "memory", "colour", "formats"),
  "src/image/protocol": inImage("geometry", "model", "memory", "plan"),

  "src/content": ["schema"],
  "src/exchange": [],

  "src/builder/wasm": [],
  "src/builder/failures": ["src/image"],
  "src/builder/scheduling": ["src/image", ...inBuilder("failures")],
  "src/builder/emscripten": ["src/image", ...inBuilder("wasm", "failures")],
  "src/builder/memory": ["src/image", ...inBuilder("emscripten", "scheduling", "failures")],
  "src/builder/streams": ["src/image", ...inBuilder("memory", "scheduling", "failures")],
  "src/builder/pixels": [
    "src/image",
    ...inBuilder("wasm", "failures", "scheduling", "emscripten", "memory", "streams"),
  ],
  "src/builder/colour": ["src/image", ...inBuilder("failures", "scheduling", "memory", "streams", "pixels")],
  "src/builder/metadata": ["src/image"],
  "src/builder/animation": [
    "src/image",
    ...inBuilder("failures", "emscripten", "memory", "streams", "pixels"),
  ],
  "src/builder/codecs": [
    "src/image",
    ...inBuilder(
      ...[
        "wasm",
        "failures",
        "scheduling",
        "emscripten",
        "memory",
        "streams",
        "pixels",
        "metadata",
        "animation",
      ],
    ),
  ],
  "src/builder/look": [
    "src/image",
    ...inBuilder("wasm", "failures", "scheduling", "memory", "streams", "pixels", "codecs"),
  ],
  "src/builder/placeholder": inImage("geometry", "model"),

  "src/edge/storage": ["schema", "src/content", "src/exchange", "src/image"],
  "src/edge/shards": ["src/edge/storage"],
  "src/edge/spaces": ["src/edge/shards", "src/edge/storage", "src/content", "src/image/model"],
  "src/edge/sign-in": ["src/edge/spaces", "src/edge/storage", "src/edge/this-machine.ts"],
  "src/edge/metrics": ["src/edge/config.ts"],
  "src/edge/queue": [
    "src/edge/shards",
    "src/edge/storage",
    "src/edge/metrics",
    "src/edge/config.ts",
    "src/edge/messages.ts",
    "src/image",
  ],
  "src/edge/delivery": ["src/edge/storage", "src/edge/messages.ts", "src/image"],
  "src/edge/lists": ["src/edge/storage", "src/edge/spaces", "src/content"],
  "src/edge/media": [
    "src/edge/http/requests/request-body.ts",
    "src/edge/http/requests/body-pace.ts",
    "src/edge/storage",
    "src/edge/spaces",
    "src/content/locales",
    "src/content/model/localized-model.ts",
    "src/image",
    "schema",
  ],
  "src/edge/records": [
    "src/edge/lists",
    "src/edge/media",
    "src/edge/storage",
    "src/edge/spaces",
    "src/content",
    "schema",
  ],
  "src/edge/models": ["src/edge/records", "src/edge/storage", "src/edge/spaces", "src/content", "schema"],
  "src/edge/exchange": [
    "src/edge/models",
    "src/edge/records",
    "src/edge/media",
    "src/edge/spaces",
    "src/edge/storage",
    "src/exchange",
    "src/content",
    "src/image",
    "schema",
  ],
  "src/edge/sweep": [
    "src/edge/exchange",
    "src/edge/shards",
    "src/edge/storage",
    "src/edge/models",
    "src/edge/records",
    "src/edge/config.ts",
    "src/image",
  ],
  "src/edge/http": [
    "src/content",
    "src/edge/config.ts",
    "src/edge/delivery/client.ts",
    "src/edge/metrics",
    "src/edge/shards",
    "src/edge/spaces",
    "src/edge/storage",
  ],
  "src/edge/invalidation": ["src/edge/shards", "src/edge/storage", "src/edge/config.ts"],
  "src/edge/remote": [
    "src/edge/config.ts",
    "src/edge/delivery",
    "src/edge/media",
    "src/edge/messages.ts",
    "src/edge/shards",
    "src/edge/spaces",
    "src/edge/storage",
    "src/image/model",
    "src/image/parameters",
  ],
  "src/edge/webhooks": [
    "src/edge/config.ts",
    "src/edge/messages.ts",
    "src/edge/remote/address.ts",
    "src/edge/remote/origins.ts",
    "src/edge/shards",
    "src/edge/storage",
    "src/edge/this-machine.ts",
  ],
  "src/edge/gateway": [
    "src/edge/http",
    "src/edge/delivery",
    "src/edge/remote",
    "src/edge/shards",
    "src/edge/storage",
    "src/content",
    "src/edge/config.ts",
    REGISTRY,
    "src/image/model",
    "src/image/parameters",
  ],
  "src/edge/routes": ["src/content", "src/edge", "src/exchange", "src/image"],

  "src/client": [REGISTRY, ...inImage("geometry", "model", "parameters")],

  "src/command": ["src/content", "src/client", "src/exchange"],

  "src/console/lib": [REGISTRY],
  "src/console/ui": inConsole("lib"),
  "src/console/session": ["src/client", ...inConsole("lib", "ui")],
  "src/console/api": ["src/client", ...inConsole("lib", "session")],
  "src/console/heic": [],
  "src/console/uploads": [...consolePage, ...inConsole("heic")],
  "src/console/media": [...consolePage, ...inConsole("uploads")],
  "src/console/playground": [...consolePage, ...inConsole("media")],
  "src/console/item": [...consolePage, ...inConsole("uploads", "media", "playground")],
  "src/console/field-controls": [...consolePage, ...inConsole("uploads", "media")],
  "src/console/models": [...consolePage, ...inConsole("field-controls")],
  "src/console/content": [...consolePage, ...inConsole("media", "field-controls")],
  "src/console/record": [...consolePage, ...inConsole("field-controls", "content")],
  "src/console/history": [...consolePage, ...inConsole("field-controls", "content")],
  "src/console/trash": [...consolePage, ...inConsole("field-controls")],
  "src/console/docs": inConsole("lib", "session"),
  "src/console/keys": consolePage,
  "src/console/members": [...consolePage, ...inConsole("keys")],
  "src/console/webhooks": consolePage,
  "src/console/audit": consolePage,
  "src/console/settings": consolePage,
  "src/console/activity": consolePage,
};

/** Entry points and stories: they stand above the rooms beside them. */
const ABOVE = {
  "src/builder/[^/]+\\.ts": ["src/builder", "src/image"],
  "src/edge/[^/]+\\.ts": ["src/content", "src/edge", "src/image"],
  "src/index\\.ts": ["src/edge"],
  "src/console/[^/]+\\.tsx?": ["src/console"],
};

const escaped = (path) => path.replaceAll(".", "\\.");
const anyOf = (paths) =>
  paths.map((path) => (path.endsWith(".ts") ? `^${escaped(path)}$` : `^${escaped(path)}/`)).join("|");
/** Styles and files that are served as they are. */
const CONSOLE_FILES = "^src/console/(styles|public)/";
const PACKAGES = "node_modules|^cloudflare:|^node:";

const wall = (name, from, own, allowed) => ({
  name,
  severity: "error",
  comment: `This room may import: ${[...allowed, ...GROUND].join(", ")}.`,
  from: { path: from },
  to: { path: "^(src|schema)/", pathNot: [anyOf([...own, ...allowed, ...GROUND]), PACKAGES].join("|") },
});

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...Object.entries(ROOMS).map(([room, allowed]) => wall(`wall-of-${room}`, `^${room}/`, [room], allowed)),
    ...Object.entries(ABOVE).map(([files, allowed]) => wall(`wall-of-${files}`, `^${files}$`, [], allowed)),
    {
      name: "ground",
      severity: "error",
      comment: "limits.ts imports nothing of ours, errors.ts nothing but the limits.",
      from: { path: anyOf(GROUND) },
      to: { path: "^(src|schema)/", pathNot: "^src/limits\\.ts$" },
    },
    {
      name: "no-circle",
      severity: "error",
      comment: "Two files that need each other are one file, or hide a third.",
      from: { path: "^src/" },
      to: { circular: true },
    },
    {
      name: "statements-in-storage",
      severity: "error",
      comment: "Statements of D1 stand in src/edge/storage alone.",
      from: { path: "^src/", pathNot: "^src/edge/storage/" },
      to: { path: "drizzle-orm" },
    },
    {
      name: "scripts-apart-from-tests",
      severity: "error",
      comment: "Scripts run without the tests. What both need is in scripts/.",
      from: { path: "^scripts/" },
      to: { path: "^test/" },
    },
    {
      name: "descriptors-of-formats",
      severity: "error",
      comment: "The registry of formats is plain data: the client and the console import it.",
      from: { path: "^src/image/formats/(registry|descriptor|[^/]+/format)\\.ts$" },
      to: {
        path: "^(src|schema)/",
        pathNot: "^src/(limits|image/formats/(descriptor|[^/]+/format))\\.ts$",
      },
    },
    {
      name: "no-stranger",
      severity: "error",
      comment: "Every folder of src is a room with walls: add it to ROOMS.",
      from: {
        path: "^src/(edge|builder|image|console)/([^/]+)/",
        pathNot: [anyOf(Object.keys(ROOMS)), CONSOLE_FILES].join("|"),
      },
      to: {},
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: PACKAGES },
    exclude: { path: "\\.wasm$|^node_modules/(?!drizzle-orm/)|\\.wrangler|^src/generated/packages" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
      exportsFields: ["exports"],
    },
    tsConfig: { fileName: "tsconfig.json" },
  },
};
