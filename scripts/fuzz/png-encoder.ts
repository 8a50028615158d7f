/** Encodes random small pictures of many kinds as PNG, and reads them by libpng (sharp). */
import sharp from "sharp";
import { CHANNELS_OF } from "../../src/image/memory/rows.ts";
import { encodePng } from "../../src/builder/codecs/png/encoder.ts";
import { type Picture, rowsOf, workspaceIn } from "../harness/png-rows.ts";

const LAYOUTS = ["gray", "gray-alpha", "rgb", "rgba"] as const;
const MOST_SIDE = 400;

/** Returns numbers from 0 up to `below`, the same for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The kinds of samples. Each is made of a different share of literals, matches and long runs. */
const SAMPLES: ((random: (below: number) => number) => (x: number, y: number, channel: number) => number)[] =
  [
    (random) => () => random(256),
    (random) => {
      const level = random(256);
      return (_x, _y, channel) => level * (channel + 1);
    },
    (random) => {
      const [right, down] = [random(5), random(5)];
      return (x, y, channel) => x * right + y * down + channel;
    },
    (random) => {
      const [period, step] = [1 + random(90), 1 + random(40)];
      return (x, y) => (x % period === 0 || y % step === 0 ? 255 : 0);
    },
    (random) => {
      const [side, colours] = [1 + random(60), 2 + random(300)];
      return (x, y, channel) =>
        ((Math.floor(x / side) * 31 + Math.floor(y / side) * 17 + channel) % colours) * 7;
    },
    (random) => {
      const [grain, slope] = [1 + random(12), random(4)];
      return (x, y) => x + y * slope + random(grain);
    },
    (random) => {
      const rare = 50 + random(2_000);
      return () => (random(rare) === 0 ? random(256) : 200);
    },
  ];

function pictureOf(seed: number): Picture {
  const random = randomOf(seed);
  const layout = LAYOUTS[random(LAYOUTS.length)]!;
  const channels = CHANNELS_OF[layout];
  const [width, height] = [1 + random(random(4) ? 90 : MOST_SIDE), 1 + random(random(4) ? 90 : MOST_SIDE)];
  const bands = Array.from({ length: 1 + random(3) }, () => SAMPLES[random(SAMPLES.length)]!(random));
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++) {
    const sampleAt = bands[Math.floor((y * bands.length) / height)]!;
    for (let i = 0; i < width * channels; i++) {
      data[y * width * channels + i] = sampleAt(Math.floor(i / channels), y, i % channels);
    }
  }
  return { width, height, layout, data };
}

/** Returns the picture as red, green, blue and alpha. */
function rgbaOf({ layout, data }: Picture): Uint8Array {
  const channels = CHANNELS_OF[layout];
  const isGray = channels < 3;
  return Uint8Array.from({ length: (data.length / channels) * 4 }, (_, i) => {
    const from = Math.floor(i / 4) * channels;
    if (i % 4 === 3) return channels % 2 ? 255 : data[from + channels - 1]!;
    return data[isGray ? from : from + (i % 4)]!;
  });
}

/** @throws Error with the seed of the first picture that libpng reads differently than it was encoded */
export async function runPngEncoder(seed: number, count: number): Promise<string> {
  for (let at = seed; at < seed + count; at++) {
    const picture = pictureOf(at);
    for (const effort of ["quick", "thorough"] as const) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of encodePng(workspaceIn(), rowsOf(picture), effort)) chunks.push(chunk);
      const read = await sharp(Buffer.concat(chunks)).toColourspace("srgb").ensureAlpha().raw().toBuffer();
      if (Buffer.compare(read, rgbaOf(picture)) === 0) continue;
      const { layout, width, height } = picture;
      throw new Error(`seed ${at}: ${effort} ${layout} of ${width} x ${height} differs`);
    }
  }
  return "all alike";
}
