/** Decodes lossless WebP, and WebP with alpha, by our own decoder and by libwebp. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Arena } from "../../../src/builder/memory/arena.ts";
import { BuildMemory } from "../../../src/builder/memory/build-memory.ts";
import { decodeWebp } from "../../../src/builder/codecs/webp/still.ts";
import { CodecError } from "../../../src/builder/emscripten/errors.ts";
import { BuildError } from "../../../src/builder/failures/build-error.ts";
import { InvalidImageError } from "../../../src/image/bytes/errors.ts";
import type { WebpFacts } from "../../../src/image/model/facts.ts";
import { planBuild } from "../../../src/image/plan/plan.ts";
import { contextOf, specFor } from "../../harness/builds.ts";
import { collectRows, type Picture as Rows } from "../../harness/png-rows.ts";
import { probe } from "../../harness/probe-run.ts";
import type { Picture } from "../../samples/pictures.ts";
import { integersOf } from "../../samples/random.ts";
import { damaged, encoded, randomFlags, randomPicture, randomSettings } from "./cases.ts";

const CHUNK_BYTES = 3000;

/** The outcome of a decoder: its pixels, or the error by which it refuses the file. */
type Outcome = { rows: Rows; peakBytes: number } | { refusal: string };

function factsOf(file: Buffer): WebpFacts | null {
  try {
    return probe(file) as WebpFacts;
  } catch (error) {
    if (error instanceof InvalidImageError) return null;
    throw error;
  }
}

/** Decodes by our own decoder. Anything else than a named error is thrown. */
export async function byRows(memory: BuildMemory, file: Buffer, facts: WebpFacts): Promise<Outcome> {
  const context = contextOf(file, {
    facts,
    spec: specFor(facts, { format: "png" }),
    memory,
    chunkBytes: CHUNK_BYTES,
  });
  try {
    const rows = await decodeWebp(context, facts);
    const collected = await collectRows(rows);
    return { rows: collected, peakBytes: memory.arena.takePeak() };
  } catch (error) {
    if (error instanceof BuildError && error.failure !== "internal") return { refusal: error.message };
    if (error instanceof InvalidImageError) return { refusal: error.message };
    throw error;
  } finally {
    await context.source.close();
    memory.clear();
  }
}

/** Decodes to RGBA by jSquash's libwebp; null if it refuses the file. */
function byLibwebp(arena: Arena, file: Buffer): Buffer | null {
  const codec = arena.start("webp-decoder");
  const input = codec.malloc(file.length);
  codec.bytes(input).set(file);
  try {
    return Buffer.from(codec.bytes(codec.call("decode", input)));
  } catch (error) {
    if (error instanceof CodecError) return null;
    throw error;
  }
}

/** Returns whether rows show the pixels that libwebp has decoded to RGBA. */
function areSame({ data, layout }: Rows, right: Buffer): boolean {
  if (layout === "rgba") return Buffer.compare(data, right) === 0;
  if (3 * right.length !== 4 * data.length) return false;
  for (let i = 0, at = 0; i < data.length; i += 3, at += 4) {
    if (data[i] !== right[at] || data[i + 1] !== right[at + 1] || data[i + 2] !== right[at + 2]) return false;
  }
  return true;
}

/** The counts of a run, by outcome. */
export type Counts = Record<string, number>;
const TOLD_FILES = 250;

/** Prints the counts now and then, because a run may take hours. */
function tell(seed: number, counts: Counts): void {
  if (seed % TOLD_FILES === TOLD_FILES - 1) console.log(`up to seed ${seed}:`, JSON.stringify(counts));
}

/**
 * Encodes random pictures by jSquash's libwebp in every way, and compares what both decoders show.
 * @throws Error with the seed of a picture that is not the same
 */
export async function runLosslessPictures(firstSeed: number, count: number): Promise<Counts> {
  const [arena, memory] = [new Arena(), new BuildMemory()];
  const counts: Counts = { lossless: 0, alpha: 0, opaque: 0 };
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const random = integersOf(seed);
    const file = encoded(arena, randomPicture(random), randomSettings(random));
    const facts = probe(file) as WebpFacts;
    const outcome = await byRows(memory, file, facts);
    const right = byLibwebp(arena, file);
    if ("refusal" in outcome || !right) throw new Error(`seed ${seed}: ${JSON.stringify(outcome)}`);
    if (!areSame(outcome.rows, right)) throw new Error(`seed ${seed}: other pixels`);
    counts[facts.lossless ? "lossless" : facts.hasAlpha ? "alpha" : "opaque"]!++;
    tell(seed, counts);
  }
  return counts;
}

/** Returns the pixels of a PAM file with four channels. */
function pixelsOfPam(file: Buffer): Buffer {
  return file.subarray(file.indexOf("ENDHDR\n") + 7);
}

function pamOf({ width, height, data }: Picture): Buffer {
  const head = `P7\nWIDTH ${width}\nHEIGHT ${height}\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n`;
  return Buffer.concat([Buffer.from(head), data]);
}

/** Runs the same with the programs `cwebp` and `dwebp`, which must be installed. */
export async function runCwebpPictures(firstSeed: number, count: number): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), "cwebp-"));
  const path = (name: string): string => join(folder, name);
  const memory = new BuildMemory();
  const counts: Counts = { lossless: 0, alpha: 0, opaque: 0 };
  try {
    for (let seed = firstSeed; seed < firstSeed + count; seed++) {
      const random = integersOf(seed);
      writeFileSync(path("in.pam"), pamOf(randomPicture(random)));
      const flags = randomFlags(random);
      execFileSync("cwebp", ["-quiet", ...flags, path("in.pam"), "-o", path("file.webp")]);
      execFileSync("dwebp", ["-quiet", "-pam", path("file.webp"), "-o", path("out.pam")], {
        stdio: "ignore",
      });
      const file = readFileSync(path("file.webp"));
      const facts = probe(file) as WebpFacts;
      const outcome = await byRows(memory, file, facts);
      const label = `seed ${seed} (${flags.join(" ")})`;
      if ("refusal" in outcome) throw new Error(`${label}: ${outcome.refusal}`);
      if (!areSame(outcome.rows, pixelsOfPam(readFileSync(path("out.pam")))))
        throw new Error(`${label}: other pixels`);
      counts[facts.lossless ? "lossless" : facts.hasAlpha ? "alpha" : "opaque"]!++;
      tell(seed, counts);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return counts;
}

/**
 * Decodes damaged files. Ours must refuse what libwebp refuses, show the same of the others, and take no more memory than
 * was planned. It also refuses alpha that ends early, of which libwebp shows what there is where the alpha has a palette,
 * and more groups of codes than it has memory for.
 * @throws Error with the seed of a file for which the decoders differ, or one traps
 */
export async function runLosslessDamage(firstSeed: number, count: number): Promise<Counts> {
  const [arena, memory] = [new Arena(), new BuildMemory()];
  const counts: Counts = { unread: 0, refused: 0, same: 0, "refused by us alone": 0 };
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    tell(seed, counts);
    const random = integersOf(seed);
    const file = damaged(encoded(arena, randomPicture(random), randomSettings(random)), random);
    const facts = factsOf(file);
    if (!facts) {
      counts["unread"]!++;
      continue;
    }
    const outcome = await byRows(memory, file, facts).catch((error: unknown) => {
      throw new Error(`seed ${seed}`, { cause: error });
    });
    const right = byLibwebp(arena, file);
    if ("refusal" in outcome) {
      const isStricter = right && /end before|more memory/.test(outcome.refusal);
      if (right && !isStricter) throw new Error(`seed ${seed}: only libwebp decodes it: ${outcome.refusal}`);
      counts[right ? "refused by us alone" : "refused"]!++;
      continue;
    }
    if (!right) throw new Error(`seed ${seed}: only ours decodes it`);
    if (!areSame(outcome.rows, right)) throw new Error(`seed ${seed}: other pixels`);
    const plan = planBuild(facts, file.length, specFor(facts, { format: "png" }));
    if (plan.ok && outcome.peakBytes > plan.memory.arena)
      throw new Error(`seed ${seed}: ${outcome.peakBytes} bytes`);
    counts["same"]!++;
  }
  return counts;
}
