/**
 * `npm run bench [NAME ...]`: runs the named benches, or without a name all but the long ones. Each prints medians and
 * ratios, measured side by side in one run.
 *
 * bundles     the sizes of what a deploy uploads
 * redirects   the cached-variant redirect, in place and through the cached entrypoint, against a bare Hono route
 * views       calls to the platform and costs of a million views in a day, with and without the edge's cache (long:
 *             half an hour; --hours=2 runs its first part)
 * builds      cold variants, and the builder's peak resident size, through a service that npm start starts (one of
 *             both: --parts=cold, --parts=growth)
 * stalls      how a long build delays other requests
 * pixels      the builder's pixel path against sharp and against the plain jSquash chain
 * crops       cropped variants against uncropped ones of the same number of pixels
 * resident    what the builder's isolate holds at the largest build of every kind of master and format
 * matrix      every kind of master to every format and width: a table and a chart (scripts/bench/matrix.ts)
 * ledger      the plan's bytes against the bytes that builds take, over the whole matrix (long: an hour; for parts see
 *             scripts/bench/ledger.ts)
 * content     the content API over 100,000 records
 * bytes       bytes at equal quality against other encoders (long: hours; for parts see scripts/bench/bytes.ts)
 *
 * `--publish` also writes the output into scripts/bench/README.md.
 */
import "../wasm/hooks.ts";
import { availableParallelism, loadavg } from "node:os";
import { printed, publish } from "./publish.ts";

const PUBLISH = "--publish";
/** For the benches that can run in parts. */
const flags = process.argv.slice(2).filter((argument) => argument.startsWith("--"));
const partFlags = flags.filter((flag) => flag !== PUBLISH);

/** Imported when they run: some of them import WebAssembly, which needs the hooks to be registered first. */
const benches: Record<string, () => Promise<void>> = {
  bundles: async () => (await import("./bundles.ts")).benchBundles(),
  redirects: async () => (await import("./redirects.ts")).benchRedirects(),
  views: async () => (await import("./views.ts")).benchViews(partFlags),
  builds: async () => (await import("./builds.ts")).benchBuilds(partFlags),
  stalls: async () => (await import("./stalls.ts")).benchStalls(),
  pixels: async () => (await import("./pixels.ts")).benchPixels(),
  crops: async () => (await import("./crops.ts")).benchCrops(),
  resident: async () => (await import("./resident.ts")).benchResident(partFlags),
  matrix: async () => (await import("./matrix.ts")).benchMatrix(partFlags),
  ledger: async () => (await import("./ledger.ts")).benchLedger(partFlags),
  content: async () => (await import("./content.ts")).benchContent(),
  bytes: async () => (await import("./bytes.ts")).benchBytes(partFlags),
};

const asked = process.argv.slice(2).filter((name) => !name.startsWith("--"));
const unknown = asked.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(", ")}. There are: ${Object.keys(benches).join(", ")}.`);
  process.exit(1);
}
/** Run only when they are named. */
const LONG = new Set(["views", "ledger", "bytes"]);
/** Benches that count instead of timing: a busy machine does not change their figures. */
const COUNTS = new Set(["bundles", "views", "resident", "ledger", "bytes"]);

/** Whether other programs load the machine. Called before a bench begins. */
const isBusy = (): boolean => (loadavg()[0] ?? 0) > availableParallelism() / 2;

let failed = false;
for (const [name, run] of Object.entries(benches)) {
  if (asked.length > 0 ? !asked.includes(name) : LONG.has(name)) continue;
  console.log(`\n## ${name}\n`);
  const isDisturbed = !COUNTS.has(name) && isBusy();
  if (isDisturbed) console.log("The machine is busy with other programs: these times are not reliable.\n");
  try {
    const text = await printed(run);
    if (flags.includes(PUBLISH) && isDisturbed) throw new Error("Not published: the machine was busy");
    if (flags.includes(PUBLISH)) await publish(name, text);
  } catch (error) {
    failed = true;
    console.error(error);
  }
}
process.exit(failed ? 1 : 0);
