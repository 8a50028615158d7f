import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { availableParallelism } from "node:os";
import { configDefaults, defineConfig, type Plugin } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import type { Ring } from "./test/support/ring.ts";
import { TriedAgain } from "./test/support/tried-again.ts";

/**
 * Imports a .wasm file as a compiled WebAssembly.Module, as Workers do. It is read when the import runs: vitest keeps
 * what `load` gives from run to run, whether the file has changed or not.
 */
const wasmModules: Plugin = {
  name: "wasm-modules",
  enforce: "pre",
  load(id) {
    if (!id.endsWith(".wasm")) return null;
    return `import { readFileSync } from "node:fs";
      export default new WebAssembly.Module(readFileSync(${JSON.stringify(id)}));`;
  },
};

/** The further databases of a deployment that has three. */
const FURTHER = { DB_1: "shard-1", DB_2: "shard-2" };

/**
 * Returns the tests inside workerd: the edge Worker of wrangler.toml, with a builder of its own script that tests
 * control.
 * @param shard the database on which the tests' spaces stand; without it there is one database
 */
const workerd = (shard?: number) =>
  cloudflareTest(async () => ({
    main: "./test/workerd/support/worker.ts",
    wrangler: { configPath: "./wrangler.toml" },
    miniflare: {
      durableObjects: { BUILD_ROOM: { className: "BuildRoom", useSQLite: true } },
      ...(shard !== undefined && { d1Databases: FURTHER }),
      bindings: {
        ...(shard !== undefined && { TEST_SHARD: String(shard) }),
        ROOT_TOKEN: "root-of-the-tests-with-32-characters",
        CURSOR_SECRET: "cursor-secret-of-the-tests-32-long",
        LOG_SAMPLE: "1",
        EDGE_CACHE: "off",
        // A provider that tests play (test/workerd/support/provider.ts).
        OIDC_ISSUER: "https://login.test",
        OIDC_CLIENT_ID: "silverprint-tests",
        OIDC_CLIENT_SECRET: "secret-of-the-tests",
        ROOT_MEMBERS: "root@example.com",
        // Tests send more requests with one key than its ceiling allows; those of the ceilings set their own.
        API_RATE: "1000000",
        TEST_MIGRATIONS: await readD1Migrations("./schema/migrations"),
      },
    },
  }));

/** Returns the files of a ring in a folder of tests: a mark before `.test.ts` says in which ring a file runs. */
const filesOf = (ring: Ring, folder: string): { include: string[]; exclude: string[] } =>
  ring === "first"
    ? { include: [`test/${folder}/**/*.test.ts`], exclude: ["**/*.long.test.ts"] }
    : { include: [`test/${folder}/**/*.{long,rings}.test.ts`], exclude: [] };

/**
 * Limits that end what hangs. A test takes a tenth of it at most, so that one on a slow machine does not hang by it. A
 * poll of `expect` would otherwise give up after one second.
 */
const HANGS = { testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 300_000 } } };

/**
 * V8 counts WebAssembly memories by their length, though little of one is ever touched, and looks for garbage after each
 * 64 MB of them. A build takes 20, so tests of small builds would spend half of their time on that. Here it waits for 256 MB.
 */
const SELDOM_COLLECTING = ["--external-memory-accounted-in-global-limit", "--initial-old-space-size=256"];

/**
 * The files that take longest, the longest first: a long file that starts last holds up the whole run. Files of a kind
 * stay together, since a worker ends when a file of another kind comes next.
 */
const LONGEST = [
  "test/unit/command/memory",
  "test/unit/builder/memory/planned-bytes",
  // They wait for services and for wrangler, so they run beside what computes.
  "test/unit/scripts/deploy/three-deploys",
  "test/unit/scripts/deploy/",
  "test/unit/scripts/start/",
  "test/e2e/builds/memory",
  "test/e2e/builds/interlaced",
  "test/e2e/console/media/uploads",
  // They wait for what the shared builder does when nothing else is asked of it, so they come before others ask.
  "test/e2e/builds/placeholders",
  "test/e2e/builds/prebuild",
  "test/e2e/",
  // Before those that share a runtime.
  "test/workerd/metrics/",
  "test/workerd/locales/locale-lives",
  "test/workerd/drafts/",
  "test/workerd/records/",
  "test/workerd/",
  "test/unit/builder/codecs/",
  "test/unit/builder/",
];

/** The main flows, which run once more in a deployment of three databases, with all spaces on a further shard. */
const ON_A_SHARD: Record<Ring, readonly string[]> = {
  first: [
    "delivery/direct",
    "gateway/public-content",
    "invalidation/outbox",
    "lists/search-changes",
    "media/variants",
    "models/model-changes",
    "records/writes",
    "sweep/restores",
  ],
  second: [
    "bulk/bulk",
    "delivery/addresses",
    "delivery/crops",
    "delivery/not-cold-twice",
    "delivery/quick-first",
    "drafts/drafts-life",
    "drafts/schedules",
    "history/history",
    "http/idempotency",
    "lists/list-pages",
    "lists/search",
    "media/focal-point",
    "media/parted-upload",
    "media/search",
    "models/models",
    "invalidation/changes",
    "queue/builds",
    "queue/idle-builds",
    "queue/prebuild",
    "queue/placeholders/suggested-focal-points",
    "records/records",
    "references/populate",
    "references/references",
    "references/trash-whole",
    "sweep/*",
  ],
};

class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.findIndex((part) => moduleId.includes(`/${part}`));
      return place < 0 ? LONGEST.length : place;
    };
    return Promise.resolve([...files].sort((a, b) => rank(a) - rank(b)));
  }
}

/**
 * A test of the first ring that fails once is a defect. Those of the second ring may be tried again, and so may those in
 * browsers, in which a race is seen once in some thousand keys: it must not hold up a change that has nothing to do with
 * it. What passes at the second try only is listed at the end, and is a race to be found.
 */
const RETRIES: Record<Ring, number> = { first: 0, second: 1 };
const RETRIES_IN_BROWSERS = 1;

/** The addresses that one client asks for in test/workerd/remote/million.long.test.ts: `ADDRESSES=1000000` takes a quarter of an hour. */
const ADDRESSES = 17_500;

/** `npm run test:long` names the second ring by vitest's mode. */
export default defineConfig(({ mode }) => {
  const ring: Ring = mode === "second" ? "second" : "first";
  const addresses = Number(process.env["ADDRESSES"] ?? ADDRESSES);
  const common = {
    ...HANGS,
    retry: RETRIES[ring],
    provide: { ring, addresses, isWhole: process.env["WHOLE"] === "1" },
  };
  const inWorkerd = { ...common, setupFiles: ["./test/workerd/support/setup.ts"] };
  const workerdFiles = filesOf(ring, "workerd");
  return {
    test: {
      silent: "passed-only",
      reporters: [...configDefaults.reporters, new TriedAgain()],
      sequence: { sequencer: LongestFirst },
      // One file per core, and two beside them: end-to-end tests and deploys wait for other processes half of the time.
      maxWorkers: availableParallelism() + 2,
      projects: [
        {
          plugins: [wasmModules],
          test: {
            ...common,
            ...filesOf(ring, "unit"),
            name: "unit",
            setupFiles: ["./test/support/seeded.ts"],
            execArgv: SELDOM_COLLECTING,
            // Files share a process, its imports and its compiled WebAssembly. That saves 40 % of the processor time of
            // small files.
            isolate: false,
          },
        },
        {
          plugins: [workerd()],
          test: {
            ...inWorkerd,
            ...workerdFiles,
            name: "workerd",
            exclude: [...workerdFiles.exclude, "test/workerd/metrics/**", "test/workerd/shards/**"],
            // Files share a runtime and its modules. To start one for each takes more than most files' tests.
            isolate: false,
          },
        },
        {
          plugins: [workerd(1)],
          test: {
            ...inWorkerd,
            name: "workerd-shards",
            include: process.env["SHARD_FILES"]?.split(",") ?? [
              ...filesOf(ring, "workerd/shards").include,
              ...ON_A_SHARD[ring].map((name) => `test/workerd/${name}.test.ts`),
            ],
            exclude: filesOf(ring, "workerd/shards").exclude,
            isolate: false,
          },
        },
        {
          plugins: [workerd()],
          test: {
            ...inWorkerd,
            // They restart the one object that counts for the whole deployment, which no other file may be using.
            ...filesOf(ring, "workerd/metrics"),
            name: "workerd-alone",
          },
        },
        {
          test: {
            ...common,
            ...filesOf(ring, "e2e"),
            name: "e2e",
            retry: RETRIES_IN_BROWSERS,
            // Files share a process, its imports and its browsers.
            isolate: false,
            globalSetup: "./test/e2e/setup.ts",
          },
        },
      ],
    },
  };
});
