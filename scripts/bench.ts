/**
 * `npm run bench [NAME ...]`: medians and ratios, side by side in one run. Names: bundles, redirects, builds,
 * pixels, content. Without a name, all of them.
 */
import { benchBuilds } from "./bench/builds.ts";
import { benchBundles } from "./bench/bundles.ts";
import { benchRedirects } from "./bench/redirects.ts";

const benches: Record<string, () => Promise<void>> = {
  bundles: benchBundles,
  redirects: benchRedirects,
  builds: benchBuilds,
};

const asked = process.argv.slice(2).filter((name) => !name.startsWith("--"));
const unknown = asked.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(", ")}. There are: ${Object.keys(benches).join(", ")}.`);
  process.exit(1);
}
for (const [name, run] of Object.entries(benches)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n## ${name}\n`);
  await run();
}
process.exit(0);
