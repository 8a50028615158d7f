/**
 * Prints what drawing takes beside what src/image/formats/svg/work/cost.ts estimates, for random drawings of each kind that is
 * made to take long. The constants there come from it. The last line is the worst: how often the estimate is exceeded.
 *
 *     node --import ./scripts/wasm/hooks.ts scripts/measure/svg-drawing.ts [--seeds=2] [words of a name]
 */
import { FONT_OPTIONS, fontsFor } from "../../src/builder/codecs/svg/fonts.ts";
import { Resvg } from "../../src/builder/codecs/svg/resvg.ts";
import { drawingNanoseconds, isDrawnWhole } from "../../src/image/formats/svg/work/cost.ts";
import { factsAsDrawn } from "../../src/image/formats/svg/work/drawn-facts.ts";
import { restyled } from "../../src/image/formats/svg/inline-styles/inline-styles.ts";
import { drawnWhole } from "../../src/image/formats/svg/stored.ts";
import type { SvgFacts } from "../../src/image/model/facts.ts";
import type { Size } from "../../src/image/geometry/size.ts";
import { readFont } from "../harness/builds.ts";
import { randomOf } from "../samples/random.ts";
import { slowToDraw } from "../samples/svg/slow-to-draw.ts";
import { sanitize } from "../samples/svg/svg.ts";

const FIRST_PAGES = 23;
const MOST_PAGES = 16_384;
const PAGE_BYTES = 65_536;
const WIDTHS = [64, 400, 1000];
/** Shorter times are noise. */
const LEAST_MS = 60;
const SEEDS = "--seeds=";
const flags = process.argv.slice(2);
const seeds = Number(flags.find((flag) => flag.startsWith(SEEDS))?.slice(SEEDS.length) ?? 1);
const wanted = flags.filter((flag) => !flag.startsWith(SEEDS)).join(" ");

async function measuredMs(document: string, size: Size): Promise<number> {
  const fonts = await fontsFor(document, readFont);
  const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MOST_PAGES });
  const text = new TextEncoder().encode(drawnWhole(document, size));
  const options = { fitTo: { mode: "original" }, font: FONT_OPTIONS };
  const start = process.cpuUsage();
  const resvg = new Resvg(memory, MOST_PAGES * PAGE_BYTES, text, options, fonts);
  resvg.draw(size.width, size.height);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Returns the estimate for one call that draws the whole, which is what is measured. */
const estimatedMs = (facts: SvgFacts, size: Size): number => {
  const whole = { ...facts, drawing: { ...facts.drawing, layers: Math.max(1, facts.drawing.layers) } };
  if (!isDrawnWhole(whole)) throw new Error("not drawn whole");
  return drawingNanoseconds(whole, size) / 1e6;
};

let worst = { factor: 0, name: "" };
for (const [name, make] of Object.entries(slowToDraw)) {
  if (!name.includes(wanted)) continue;
  for (let seed = 1; seed <= seeds; seed++) {
    const uniform = randomOf(seed);
    const random = (from = 0, to = 1): number => from + (to - from) * uniform();
    const body = make(seeds === 1 ? 1 : 0.2 + 0.8 * uniform(), random);
    const { document, facts } = sanitize(
      `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="1000" viewBox="0 0 1000 1000">${body}</svg>`,
    );
    if (facts.drawing.undrawable !== null) continue;
    for (const width of WIDTHS) {
      const size = { width, height: width };
      const isWritten = facts.drawing.restyledBytes != null;
      const drawn = isWritten ? restyled(document, size) : document;
      const counted = isWritten ? factsAsDrawn(facts, drawn) : facts;
      const [measured, estimated] = [await measuredMs(drawn, size), estimatedMs(counted, size)];
      const factor = measured / estimated;
      if (measured > LEAST_MS && factor > worst.factor) worst = { factor, name: `${name} at ${width}` };
      const columns = [measured.toFixed(0), estimated.toFixed(0), factor.toFixed(2)];
      console.log(...columns.map((column) => column.padStart(7)), ` ${name} at ${width}`);
    }
  }
}
console.log(`The estimate is exceeded ${worst.factor.toFixed(2)} times at most: ${worst.name}`);
