/**
 * `npm run bench [NAME ...]`: medians and ratios, side by side in one run. Without a name, all of them:
 *
 * bundles     what a deploy uploads
 * redirects   the cached-variant redirect against a bare Hono route
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
import { printed, publish } from "./publish.ts";

const PUBLISH = "--publish";
/** For the benches that can be had in parts. */
const flags = process.argv.slice(2).filter((argument) => argument.startsWith("--"));
const partFlags = flags.filter((flag) => flag !== PUBLISH);

/** Imported when they run: some of them import WebAssembly, which the hook must be there for. */
const benches: Record<string, () => Promise<void>> = {
  bundles: async () => (await import("./bundles.ts")).benchBundles(),
  redirects: async () => (await import("./redirects.ts")).benchRedirects(),
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
let failed = false;
for (const [name, run] of Object.entries(benches)) {
  // What takes hours is run when it is asked for.
  if (asked.length > 0 ? !asked.includes(name) : name === "ledger" || name === "bytes") continue;
  console.log(`\n## ${name}\n`);
  try {
    const text = await printed(run);
    if (flags.includes(PUBLISH)) await publish(name, text);
  } catch (error) {
    failed = true;
    console.error(error);
  }
}
process.exit(failed ? 1 : 0);
