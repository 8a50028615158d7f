/** Film grain of whole frames, by the AV1 specification (section 7.18.3), word by word. */

export interface Grain {
  seed: number;
  points: [value: number, scaling: number][][];
  fromLuma: boolean;
  scalingMinus8: number;
  lag: number;
  /** ar_coeffs_plus_128 of each plane. */
  coefficients: number[][];
  arShiftMinus6: number;
  scaleShift: number;
  /** mult, luma_mult, offset of Cb and of Cr. */
  mixes: [number, number, number][];
  hasOverlap: boolean;
  isClipped: boolean;
}

export interface GrainFormat {
  bitDepth: number;
  planeCount: number;
  subX: number;
  subY: number;
  matrixCoefficients: number;
}

const round2 = (value: number, bits: number): number =>
  bits === 0 ? value : (value + (1 << (bits - 1))) >> bits;
const clip3 = (low: number, high: number, value: number): number => Math.min(high, Math.max(low, value));

let register = 0;

function getRandomNumber(bits: number): number {
  let r = register;
  const bit = (r ^ (r >> 1) ^ (r >> 3) ^ (r >> 12)) & 1;
  r = (r >> 1) | (bit << 15);
  register = r;
  return (r >> (16 - bits)) & ((1 << bits) - 1);
}

function generate(grain: Grain, format: GrainFormat, gaussian: Int16Array): number[][][] {
  const { bitDepth, planeCount, subX, subY } = format;
  const center = 128 << (bitDepth - 8);
  const shift = 12 - bitDepth + grain.scaleShift;
  const templates: number[][][] = [];
  for (let plane = 0; plane < planeCount; plane++) {
    const [w, h] = plane ? [subX ? 44 : 82, subY ? 38 : 73] : [82, 73];
    register = grain.seed ^ [0, 0xb524, 0x49d8][plane]!;
    const isOn = grain.points[plane]!.length > 0 || (plane > 0 && grain.fromLuma);
    const noise = Array.from({ length: h }, () =>
      Array.from({ length: w }, () => (isOn ? round2(gaussian[getRandomNumber(11)]!, shift) : 0)),
    );
    for (let y = 3; y < h; y++) {
      for (let x = 3; x < w - 3; x++) {
        let [sum, pos] = [0, 0];
        for (let deltaRow = -grain.lag; deltaRow <= 0; deltaRow++) {
          for (let deltaCol = -grain.lag; deltaCol <= grain.lag; deltaCol++) {
            const c = (grain.coefficients[plane]![pos] ?? 128) - 128;
            if (deltaRow === 0 && deltaCol === 0) {
              if (plane > 0 && grain.points[0]!.length > 0) {
                let luma = 0;
                for (let i = 0; i <= subY; i++) {
                  for (let j = 0; j <= subX; j++) {
                    luma += templates[0]![((y - 3) << subY) + 3 + i]![((x - 3) << subX) + 3 + j]!;
                  }
                }
                sum += round2(luma, subX + subY) * c;
              }
              break;
            }
            sum += noise[y + deltaRow]![x + deltaCol]! * c;
            pos++;
          }
        }
        noise[y]![x] = clip3(-center, center - 1, noise[y]![x]! + round2(sum, grain.arShiftMinus6 + 6));
      }
    }
    templates.push(noise);
  }
  return templates;
}

function scalingLut(points: [number, number][]): number[] {
  const lut = new Array<number>(256).fill(0);
  if (points.length === 0) return lut;
  lut.fill(points[0]![1], 0, points[0]![0]);
  for (let i = 0; i + 1 < points.length; i++) {
    const [[x0, y0], [x1, y1]] = [points[i]!, points[i + 1]!];
    const deltaX = x1 - x0;
    const delta = (y1 - y0) * Math.floor((65536 + (deltaX >> 1)) / deltaX);
    for (let x = 0; x < deltaX; x++) lut[x0 + x] = y0 + ((x * delta + 32768) >> 16);
  }
  const [last, scaling] = points.at(-1);
  return lut.fill(scaling, last, 256);
}

function scaleLut(lut: number[], index: number, bitDepth: number): number {
  const shift = bitDepth - 8;
  const x = index >> shift;
  const rem = index - (x << shift);
  if (bitDepth === 8 || x === 255) return lut[x]!;
  return lut[x]! + round2((lut[x + 1]! - lut[x]!) * rem, shift);
}

function noiseImage(
  grain: Grain,
  format: GrainFormat,
  templates: number[][][],
  w: number,
  h: number,
): number[][][] {
  const { bitDepth, planeCount, subX, subY } = format;
  const center = 128 << (bitDepth - 8);
  const blend = (old: number, a: number, g: number, b: number): number =>
    clip3(-center, center - 1, round2(old * a + g * b, 5));
  const stripes: number[][][][] = [];
  for (let y = 0; y < (h + 1) >> 1; y += 16) {
    const lumaNum = stripes.length;
    register = grain.seed;
    register ^= ((lumaNum * 37 + 178) & 255) << 8;
    register ^= (lumaNum * 173 + 105) & 255;
    const stripe: number[][][] = Array.from({ length: planeCount }, () =>
      Array.from({ length: 34 }, () => []),
    );
    for (let x = 0; x < (w + 1) >> 1; x += 16) {
      const rand = getRandomNumber(8);
      const [offsetX, offsetY] = [rand >> 4, rand & 15];
      for (let plane = 0; plane < planeCount; plane++) {
        const [sx, sy] = plane ? [subX, subY] : [0, 0];
        const planeOffsetX = sx ? 6 + offsetX : 9 + offsetX * 2;
        const planeOffsetY = sy ? 6 + offsetY : 9 + offsetY * 2;
        for (let i = 0; i < 34 >> sy; i++) {
          for (let j = 0; j < 34 >> sx; j++) {
            let g = templates[plane]![planeOffsetY + i]![planeOffsetX + j]!;
            const at = sx ? x + j : x * 2 + j;
            const old = stripe[plane]![i]![at]!;
            if (grain.hasOverlap && x > 0) {
              if (!sx && j < 2) g = j === 0 ? blend(old, 27, g, 17) : blend(old, 17, g, 27);
              if (sx && j === 0) g = blend(old, 23, g, 22);
            }
            stripe[plane]![i]![at] = g;
          }
        }
      }
    }
    stripes.push(stripe);
  }
  return Array.from({ length: planeCount }, (_, plane) => {
    const [sx, sy] = plane ? [subX, subY] : [0, 0];
    return Array.from({ length: (h + sy) >> sy }, (_, y) => {
      const lumaNum = y >> (5 - sy);
      const i = y - (lumaNum << (5 - sy));
      return Array.from({ length: (w + sx) >> sx }, (_, x) => {
        const g = stripes[lumaNum]![plane]![i]![x]!;
        if (lumaNum === 0 || !grain.hasOverlap || i >= 2 >> sy) return g;
        const old = stripes[lumaNum - 1]![plane]![i + (32 >> sy)]![x]!;
        if (sy) return blend(old, 23, g, 22);
        return i === 0 ? blend(old, 27, g, 17) : blend(old, 17, g, 27);
      });
    });
  });
}

/** Adds grain to the planes of a picture, in place. */
export function grainFrame(
  planes: number[][][],
  grain: Grain,
  format: GrainFormat,
  gaussian: Int16Array,
): void {
  const { bitDepth, subX, subY } = format;
  const [h, w] = [planes[0]!.length, planes[0]![0]!.length];
  const noise = noiseImage(grain, format, generate(grain, format, gaussian), w, h);
  const scale = bitDepth - 8;
  const minValue = grain.isClipped ? 16 << scale : 0;
  const maxLuma = grain.isClipped ? 235 << scale : (256 << scale) - 1;
  let maxChroma = maxLuma;
  if (grain.isClipped && format.matrixCoefficients !== 0) maxChroma = 240 << scale;
  const luts = planes.map((_, plane) => scalingLut(grain.points[grain.fromLuma ? 0 : plane]!));
  const shift = grain.scalingMinus8 + 8;
  const add = (plane: number, y: number, x: number, index: number, most: number): void => {
    const orig = planes[plane]![y]![x]!;
    const change = round2(scaleLut(luts[plane]!, index, bitDepth) * noise[plane]![y]![x]!, shift);
    planes[plane]![y]![x] = clip3(minValue, most, orig + change);
  };
  for (let plane = 1; plane < planes.length; plane++) {
    if (grain.points[plane]!.length === 0 && !grain.fromLuma) continue;
    const [mult, lumaMult, offset] = grain.mixes[plane - 1]!;
    planes[plane]!.forEach((row, y) => {
      row.forEach((orig, x) => {
        const luma = planes[0]![y << subY]!;
        const lumaX = x << subX;
        let merged = luma[lumaX]!;
        if (subX) merged = round2(luma[lumaX]! + luma[Math.min(lumaX + 1, w - 1)]!, 1);
        if (!grain.fromLuma) {
          const combined = merged * (lumaMult - 128) + orig * (mult - 128);
          merged = clip3(0, (1 << bitDepth) - 1, (combined >> 6) + ((offset - 256) << scale));
        }
        add(plane, y, x, merged, maxChroma);
      });
    });
  }
  if (grain.points[0]!.length === 0) return;
  planes[0]!.forEach((row, y) => row.forEach((orig, x) => add(0, y, x, orig, maxLuma)));
}
