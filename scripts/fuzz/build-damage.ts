/** Builds variants of damaged masters of every kind, as the queue would order them. */
import { isDeepStrictEqual } from "node:util";
import sharp from "sharp";
import { InvalidImageError, UnsupportedMediaError } from "../../src/image/bytes/errors.ts";
import { SvgRejectedError } from "../../src/image/formats/svg/safe/sanitize.ts";
import { planBuild } from "../../src/image/plan/plan.ts";
import { type OutputFormat, OUTPUT_FORMATS } from "../../src/image/formats/registry.ts";
import type { MasterFacts } from "../../src/image/model/facts.ts";
import { order, specFor } from "../harness/builds.ts";
import { orderOf, specOf } from "../harness/animation-frames.ts";
import { mutate } from "./jpeg-mutations.ts";
import { randomOf } from "../samples/random.ts";
import { photo, image } from "../samples/pictures.ts";
import { probe } from "../harness/probe-run.ts";
import { sample } from "../samples/animation/samples.ts";
import { writeApng } from "../samples/animation/writers.ts";
import { sanitize, svg } from "../samples/svg/svg.ts";
import { yieldToEventLoop } from "../../src/builder/scheduling/work-meter.ts";

const WIDTH = 24;

async function masters(): Promise<Record<string, Uint8Array>> {
  const picture = await photo(70, 50);
  const rgba = await image(picture).ensureAlpha().raw().toBuffer();
  const whole = { left: 0, top: 0, width: 70, height: 50, rgba, delayMs: 50 };
  const { gif, webp } = await sample("sticker", 3);
  const small = (file: Uint8Array): ReturnType<typeof sharp> => sharp(file, { pages: -1 }).resize(40);
  return {
    jpeg: await image(picture).jpeg().toBuffer(),
    "progressive jpeg": await image(picture).jpeg({ progressive: true }).toBuffer(),
    png: await image(picture).withIccProfile("p3").png().toBuffer(),
    "interlaced png": await image(picture).png({ progressive: true }).toBuffer(),
    webp: await image(picture).webp().toBuffer(),
    "webp with alpha": await image(picture).ensureAlpha(0.5).webp().toBuffer(),
    "lossless webp": await image(picture).webp({ lossless: true }).toBuffer(),
    avif: await image(picture).avif({ effort: 1 }).toBuffer(),
    "avif with alpha": await image(picture).ensureAlpha(0.5).avif({ effort: 1 }).toBuffer(),
    gif: await image(picture).gif().toBuffer(),
    "animated gif": await small(gif).gif().toBuffer(),
    "animated webp": await small(webp).webp().toBuffer(),
    "animated png": writeApng({ width: 70, height: 50, frames: [whole, whole] }),
    svg: Buffer.from(svg('<style>g>:not(a){fill:oklch(.5 .1 9)}</style><g><text y="40">Ag</text></g>')),
  };
}

/** Returns the bytes of a variant, or the reason why there is none. */
async function built(
  file: Uint8Array,
  facts: MasterFacts,
  format: OutputFormat,
): Promise<Uint8Array | string> {
  const ask = { width: WIDTH, format };
  const isAnimated = facts.animated && facts.format !== "avif";
  const animated = { ...ask, format: facts.format === "gif" ? ("gif" as const) : ("webp" as const) };
  const spec = isAnimated ? specOf(facts, animated) : specFor(facts, ask);
  const plan = planBuild(facts, file.length, spec);
  if (!plan.ok) return plan.refusal;
  const answer = await (isAnimated ? orderOf(file, animated, facts) : order(file, ask, facts));
  return answer.ok ? new Uint8Array(await new Response(answer.body).arrayBuffer()) : answer.code;
}

/** Returns the stored file and its facts; null if the upload would be refused. */
function taken(file: Uint8Array): { file: Uint8Array; facts: MasterFacts } | null {
  try {
    const facts = probe(file);
    if (facts.format !== "svg") return { file, facts };
    return { file: Buffer.from(sanitize(Buffer.from(file).toString()).document), facts };
  } catch (error) {
    const isMeant =
      error instanceof InvalidImageError ||
      error instanceof UnsupportedMediaError ||
      error instanceof SvgRejectedError;
    if (!isMeant) throw error;
    return null;
  }
}

/**
 * Builds `count` damaged masters of each kind from `seed` on, and an undamaged one after each. A damaged master has its
 * own facts, or those of the undamaged file if the upload would detect the damage.
 * @returns the number of each outcome, by kind
 * @throws Error with the seed for an unexpected answer, or if an undamaged master is built differently afterwards
 */
export async function runBuildDamage(
  seed: number,
  count: number,
): Promise<Record<string, Record<string, number>>> {
  const sound = Object.entries(await masters()).map(([name, file]) => ({ name, ...taken(file)! }));
  const right = [];
  for (const { file, facts } of sound) right.push(await built(file, facts, "png"));
  const tallies: Record<string, Record<string, number>> = {};
  for (let at = seed; at < seed + count; at++) {
    for (const [i, { name, file, facts }] of sound.entries()) {
      const random = randomOf(at * 31 + i);
      const damaged = mutate(file, random);
      const format = OUTPUT_FORMATS[Math.floor(random() * OUTPUT_FORMATS.length)] ?? "png";
      const master = taken(damaged);
      const after = (i + at) % sound.length;
      try {
        const outcome = master
          ? await built(master.file, master.facts, format)
          : facts.format === "svg"
            ? "refused"
            : await built(damaged, facts, format);
        const word = `${master ? "" : "not "}to be stored: ${typeof outcome === "string" ? outcome : "built"}`;
        const tally = (tallies[name] ??= {});
        tally[word] = (tally[word] ?? 0) + 1;
        const next = sound[after]!;
        const again = await built(next.file, next.facts, "png");
        if (!isDeepStrictEqual(again, right[after]))
          throw new Error(`${next.name} is built differently after`);
      } catch (error) {
        throw new Error(`seed ${at}, ${name} to ${format}`, { cause: error });
      }
      await yieldToEventLoop();
    }
  }
  return tallies;
}
