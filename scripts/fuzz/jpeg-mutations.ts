/** Makes damaged JPEG files from a seed, and checks that the decoder decodes or refuses them. */
import { JpegDecodeError } from "../../src/builder/codecs/jpeg/decoder.ts";
import type { JpegFacts } from "../../src/image/model/facts.ts";
import { decode, factsOf, newArena } from "../harness/jpeg-decoding.ts";
import { makePicture } from "../samples/jpeg/picture.ts";
import { randomOf } from "../samples/random.ts";
import { progression, writeJpeg } from "../samples/jpeg/writer.ts";

export interface Specimen {
  file: Uint8Array;
  facts: JpegFacts;
  out: { width: number; height: number };
  /** The pixels of the undamaged file. */
  pixels: Uint8Array;
}

const MIB = 1 << 20;
/** Arena bytes: enough for every specimen, and for frames that damage made a little larger. */
const BUDGET = 24 * MIB;

/** Makes small files of every kind that the decoder supports, with their pixels. */
export async function makeSpecimens(): Promise<Specimen[]> {
  const halved = makePicture(70, 53, [[2, 2], [1, 1], [1, 1]]); // prettier-ignore
  const gray = makePicture(45, 61, [[1, 1]]);
  const inks = makePicture(40, 40, [[1, 1], [1, 1], [1, 1], [1, 1]]); // prettier-ignore
  const apart = [{ components: [0] }, { components: [1, 2] }];
  const files: [Uint8Array, number][] = [
    [writeJpeg(halved), 1],
    [writeJpeg(halved, { restartInterval: 3, tables: "long" }), 0.4],
    [writeJpeg(halved, { scans: apart }), 0.7],
    [writeJpeg(halved, { frameMarker: 0xc2, scans: progression(3) }), 1],
    [writeJpeg(halved, { frameMarker: 0xc2, scans: progression(3), restartInterval: 4 }), 0.2],
    [writeJpeg(gray, { frameMarker: 0xc2, scans: progression(1), tables: "long" }), 0.4],
    [writeJpeg(gray, { tables: "long" }), 0.1],
    [writeJpeg(inks, { adobe: 2 }), 1],
  ];
  const specimens: Specimen[] = [];
  for (const [file, times] of files) {
    const facts = factsOf(file);
    const out = { width: Math.ceil(facts.width * times), height: Math.ceil(facts.height * times) };
    specimens.push({ file, facts, out, pixels: (await decode(file, { out })).pixels });
  }
  return specimens;
}

/** Changes, removes, repeats or truncates bytes. */
export function mutate(file: Uint8Array, random: () => number): Uint8Array {
  const below = (limit: number): number => Math.floor(random() * limit);
  let bytes = Array.from(file);
  for (let damage = 1 + below(4); damage > 0; damage--) {
    const at = below(bytes.length);
    const kind = below(8);
    if (kind < 3) bytes[at] = below(256);
    else if (kind === 3) bytes[at] = bytes[at]! ^ (1 << below(8));
    else if (kind === 4) bytes.splice(at, 1 + below(8));
    else if (kind === 5) bytes.splice(at, 0, ...bytes.slice(at, at + 1 + below(40)));
    else if (kind === 6) bytes[at] = [0xff, 0x00, 0xd9, 0xda, 0xc4, 0xd0, 0xc2][below(7)]!;
    else if (random() < 0.3) bytes = bytes.slice(0, at);
  }
  return Uint8Array.from(bytes);
}

/**
 * Decodes `count` damaged files in one memory, and after each of them an undamaged one.
 * @throws Error for a trap, an error without a name, or an undamaged file whose pixels differ
 */
export async function runMutations(seed: number, count: number): Promise<Record<string, number>> {
  const specimens = await makeSpecimens();
  const random = randomOf(seed);
  const outcomes: Record<string, number> = {};
  const memory = newArena();
  for (let run = 0; run < count; run++) {
    const specimen = specimens[run % specimens.length]!;
    const file = mutate(specimen.file, random);
    let outcome = "decoded";
    try {
      const facts = random() < 0.5 ? specimen.facts : factsOf(file);
      const out =
        facts === specimen.facts ? specimen.out : { width: 1 + Math.floor(random() * 90), height: 50 };
      await decode(file, {
        memory,
        facts,
        out,
        memoryBudgetBytes: BUDGET,
        chunk: 1 + Math.floor(random() * 4000),
      });
    } catch (error) {
      if (!(error instanceof JpegDecodeError)) throw new Error(`seed ${seed}, run ${run}`, { cause: error });
      outcome = error.code;
    }
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    const next = specimens[(run + 3) % specimens.length]!;
    const { pixels } = await decode(next.file, { memory, facts: next.facts, out: next.out });
    if (Buffer.compare(pixels, next.pixels) !== 0) throw new Error(`seed ${seed}: wrong after run ${run}`);
  }
  return outcomes;
}
