/**
 * `npm run bench [NAME ...]`: runs the named benches, or without a name all but the long ones. Each prints medians and
 * ratios, measured side by side in one run.
 *
 * page        speed, memory and bytes beside sharp, mozjpeg, libwebp, libaom and plain jSquash: what README.md shows
 *             (long; for its flags see scripts/bench/page/index.ts)
 * bundles     the sizes of what a deploy uploads, and the processor time that the edge takes to start
 * redirects   the cached-variant redirect, in place and through the cached entrypoint, against a bare Hono route;
 *             --other=CHECKOUT beside that of another checkout
 * views       calls to the platform and costs of a million views in a day, with and without the edge's cache (long:
 *             half an hour; --hours=2 runs its first part)
 * cold        what a cold variant takes a visitor, through a service that npm start starts (--photos=FOLDER: of each
 *             photograph in three formats)
 * masters     builds from AVIF and lossless WebP, with our decoders, with jSquash's, and by sharp
 * resident    what the builder's isolate holds at the largest build of every kind of master and format
 * content     the content API over 100,000 records; --other=CHECKOUT beside that of another checkout
 * bytes       bytes at equal quality against other encoders, in every detail (long: hours; for parts see
 *             scripts/bench/bytes/index.ts)
 *
 * `--publish` also writes the output of `page` into scripts/bench/README.md, and that of any other bench into
 * scripts/bench/published/NAME.md.
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
  // It publishes each of its parts by itself.
  page: async () => (await import("./page/index.ts")).benchPage(flags),
  bundles: async () => (await import("./edge/bundles.ts")).benchBundles(),
  redirects: async () => (await import("./edge/redirects.ts")).benchRedirects(partFlags),
  views: async () => (await import("./views/index.ts")).benchViews(partFlags),
  cold: async () => (await import("./service/cold.ts")).benchCold(flags),
  masters: async () => (await import("./masters/index.ts")).benchMasters(),
  resident: async () => (await import("./resident/index.ts")).benchResident(partFlags),
  content: async () => (await import("./content/index.ts")).benchContent(partFlags),
  bytes: async () => (await import("./bytes/index.ts")).benchBytes(partFlags),
};

const asked = process.argv.slice(2).filter((name) => !name.startsWith("--"));
const unknown = asked.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(", ")}. There are: ${Object.keys(benches).join(", ")}.`);
  process.exit(1);
}
/** Run only when they are named. */
const LONG = new Set(["page", "views", "bytes"]);
/** Benches that count instead of timing: a busy machine does not change their figures. */
const COUNTS = new Set(["page", "bundles", "views", "resident", "bytes"]);

/** Returns whether other programs load the machine. Called before a bench begins. */
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
    if (flags.includes(PUBLISH) && name !== "page") await publish(name, text);
  } catch (error) {
    failed = true;
    console.error(error);
  }
}
process.exit(failed ? 1 : 0);
