/**
 * `npm run bench [NAME ...]`: medians and ratios, side by side in one run. Without a name, all of them:
 *
 * bundles     what a deploy uploads
 * redirects   the cached-variant redirect, in place and through the cached entrypoint, against a bare Hono route
 * views       what a million views in a day ask of the platform and cost, with the edge's cache and without (half an
 *             hour; --hours=2 for its first part)
 * builds      cold variants, and the builder's peak resident size, through what npm start starts
 * stalls      what other requests feel of a long build
 * pixels      the builder's pixel path against sharp and against the plain jSquash chain
 * crops       cropped variants against uncropped ones of as many pixels
 * resident    what the builder's process grows to, ten variants of every kind of master in a row
 * matrix      every kind of master to every format and width: a table and a chart (scripts/bench/matrix.ts)
 * ledger      the plan's bytes against what builds take, over the whole matrix (an hour; parts by flags: scripts/bench/ledger.ts)
 * content     the content API over 100,000 records
 * bytes       bytes at the same look against other encoders (hours; parts by flags: scripts/bench/bytes.ts)
 *
 * `--publish` writes what is printed into scripts/bench/README.md.
 */
import "../wasm/hooks.ts";
import { availableParallelism, loadavg } from "node:os";
import { printed, publish } from "./publish.ts";

const PUBLISH = "--publish";
/** For the benches that can be had in parts. */
const flags = process.argv.slice(2).filter((argument) => argument.startsWith("--"));
const partFlags = flags.filter((flag) => flag !== PUBLISH);

/** Imported when they run: some of them import WebAssembly, which the hook must be there for. */
const benches: Record<string, () => Promise<void>> = {
  bundles: async () => (await import("./bundles.ts")).benchBundles(),
  redirects: async () => (await import("./redirects.ts")).benchRedirects(),
  views: async () => (await import("./views.ts")).benchViews(partFlags),
  builds: async () => (await import("./builds.ts")).benchBuilds(),
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
/** What takes long is run when it is asked for. */
const LONG = new Set(["views", "ledger", "bytes"]);
/** Counts, the same on a busy machine. */
const COUNTS = new Set(["bundles", "views", "ledger", "bytes"]);

/** Whether other programs are at work beside a bench that has not begun. */
const isBusy = (): boolean => (loadavg()[0] ?? 0) > availableParallelism() / 2;

let failed = false;
for (const [name, run] of Object.entries(benches)) {
  if (asked.length > 0 ? !asked.includes(name) : LONG.has(name)) continue;
  console.log(`\n## ${name}\n`);
  const isDisturbed = !COUNTS.has(name) && isBusy();
  if (isDisturbed) console.log("The machine is busy with something else: the times say little.\n");
  try {
    const text = await printed(run);
    if (flags.includes(PUBLISH) && isDisturbed) throw new Error("not published: the machine was busy");
    if (flags.includes(PUBLISH)) await publish(name, text);
  } catch (error) {
    failed = true;
    console.error(error);
  }
}
process.exit(failed ? 1 : 0);
