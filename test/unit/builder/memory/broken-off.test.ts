/**
 * A build that is broken off in the middle of its work leaves nothing to the next one, even where two instances of the
 * AVIF encoder have exchanged the data that lie at the same addresses of one memory.
 */
import { expect, it } from "vitest";
import { buildVariant } from "../../../../src/builder/build.ts";
import { BuildMemory } from "../../../../src/builder/memory/build-memory.ts";
import { WorkMeter } from "../../../../src/builder/scheduling/work-meter.ts";
import { contextOf, specFor, wholeOf } from "../../../../scripts/harness/builds.ts";
import { probe } from "../../../../scripts/harness/probe-run.ts";
import { cutout, image } from "../../../../scripts/samples/pictures.ts";
import { isZero } from "../../../support/is-zero.ts";

/** Ends the build where it accounts for work for the `last` time. */
class BreakingMeter extends WorkMeter {
  readonly #last: number;
  spent = 0;

  constructor(last = Infinity) {
    super();
    this.#last = last;
  }

  override spend(units: number): Promise<void> {
    this.spent++;
    return this.spent === this.#last ? Promise.reject(new Error("broken off")) : super.spend(units);
  }
}

const SIZE = [150, 140] as const;
/** Superblocks of colour, and those of alpha. */
const SUPERBLOCKS = 2 * Math.ceil(SIZE[0] / 64) * Math.ceil(SIZE[1] / 64);

it("the build after one that was broken off is right, wherever that was", async () => {
  const master = await image(await cutout(...SIZE))
    .png({ compressionLevel: 1 })
    .toBuffer();
  const spec = specFor(probe(master), { format: "avif" });
  const buildIn = async (memory: BuildMemory, work: WorkMeter): Promise<Buffer> => {
    const { pieces } = await wholeOf(buildVariant({ ...contextOf(master, { spec, memory }), work }));
    return Buffer.concat(pieces);
  };
  const meter = new BreakingMeter();
  const wanted = await buildIn(new BuildMemory(), meter);
  expect(meter.spent).toBeGreaterThanOrEqual(SUPERBLOCKS);
  const memory = new BuildMemory();
  for (let last = 1; last <= meter.spent; last++) {
    await expect(buildIn(memory, new BreakingMeter(last)), `${last}`).rejects.toThrow("broken off");
    expect(isZero(memory.rowCodec.memory)).toBe(true);
    expect((await buildIn(memory, new WorkMeter())).equals(wanted), `${last}`).toBe(true);
  }
});
