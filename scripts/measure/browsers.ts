/**
 * Prints how Chromium and Firefox show the files of every encoder, beside sharp's decoding and beside the encoder that
 * holds a picture whole. Ends with an error where a browser shows something else.
 *
 *     node scripts/run.mjs scripts/measure/browsers.ts [--large]
 *
 * --large takes pictures of a size at which a build takes to rows and tiles by itself.
 */
import "../wasm/hooks.ts";
import { findBrowser } from "../harness/browsers.ts";
import type { Verdict } from "../harness/browser-verdicts.ts";
import { table } from "../bench/figures.ts";

const { casesOf, verdictsOf } = await import("../harness/browser-verdicts.ts");

const SIZES = [
  [640, 512],
  [701, 403],
] as const;
/** 6.4 megapixels, odd. */
const LARGE = [[2901, 2201]] as const;

function rowOf(output: string, browser: string, verdicts: Verdict[]): string[] {
  const least = verdicts.reduce((a, b) => (b.toSharp < a.toSharp ? b : a));
  const most = verdicts.reduce((a, b) => ((b.lost ?? -Infinity) > (a.lost ?? -Infinity) ? b : a));
  return [
    output,
    browser,
    String(verdicts.length),
    least.toSharp === Infinity ? "equal" : `${least.toSharp.toFixed(1)} dB (${least.picture})`,
    most.lost === null ? "" : `${most.lost.toFixed(2)} dB (${most.picture})`,
  ];
}

const cases = await casesOf(process.argv.includes("--large") ? LARGE : SIZES);
const rows = [
  ["encoder", "browser", "pictures", "least like sharp's decoding", "most below the single encode"],
];
const faults: string[] = [];
for (const browser of ["chromium", "firefox"] as const) {
  const command = findBrowser(browser);
  if (command === null) {
    console.log(`There is no ${browser} here.`);
    continue;
  }
  const verdicts = await verdictsOf(browser, command, cases);
  for (const output of new Set(verdicts.map((verdict) => verdict.output))) {
    const list = verdicts.filter((verdict) => verdict.output === output);
    rows.push(rowOf(output, browser, list));
    for (const { picture, fault } of list)
      if (fault) faults.push(`${browser}: ${output}, ${picture}: ${fault}`);
  }
}
table(rows);
for (const fault of faults) console.error(fault);
process.exit(faults.length === 0 ? 0 : 1);
