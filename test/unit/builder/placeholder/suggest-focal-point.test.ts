/** Suggested focal points: of drawn pictures, whose subject is known. */
import { describe, expect, it } from "vitest";
import { suggestFocalPoint } from "../../../../src/builder/placeholder/suggest-focal-point.ts";
import type { Pixels } from "../../../../src/builder/placeholder/thumb-hash.ts";
import { cropOf } from "../../../../src/image/geometry/crop.ts";

type Colour = readonly [red: number, green: number, blue: number, alpha?: number];

interface Disc {
  /** Percent of width and height. */
  x: number;
  y: number;
  radius: number;
  colour: Colour;
}

const paint = (width: number, height: number, colourAt: (x: number, y: number) => Colour): Pixels => {
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [red, green, blue, alpha = 255] = colourAt(x, y);
      rgba.set([red, green, blue, alpha], 4 * (y * width + x));
    }
  }
  return { width, height, rgba };
};

const SKY = (_x: number, y: number): Colour => [90 + y, 130 + y, 200];
const RED: Colour = [200, 40, 30];

/** Draws discs on a ground. */
const drawn = (discs: Disc[], { width = 100, height = 75, ground = SKY } = {}): Pixels =>
  paint(width, height, (x, y) => {
    const isIn = (disc: Disc): boolean =>
      Math.hypot(x + 0.5 - (disc.x * width) / 100, y + 0.5 - (disc.y * height) / 100) <= disc.radius;
    return discs.find(isIn)?.colour ?? ground(x, y);
  });

const PLACES = [15, 50, 85].flatMap((x) => [20, 50, 80].map((y) => ({ x, y })));
const RATIOS = [
  [1, 1],
  [9, 16],
  [16, 9],
  [21, 9],
] as const;

describe("a suggested focal point", () => {
  it.each(PLACES)("has every crop show what stands alone at $x, $y", ({ x, y }) => {
    for (const [width, height] of [
      [100, 75],
      [67, 100],
    ] as const) {
      const radius = 8;
      const focal = suggestFocalPoint(drawn([{ x, y, radius, colour: RED }], { width, height }));
      for (const [across, down] of RATIOS) {
        const { rect } = cropOf({ width, height }, { width: across, height: down }, focal)!;
        const [atX, atY] = [(x * width) / 100, (y * height) / 100];
        // A pixel is left out for rounding.
        expect(rect.left - 1).toBeLessThanOrEqual(Math.max(0, atX - radius));
        expect(rect.left + rect.width + 1).toBeGreaterThanOrEqual(Math.min(width, atX + radius));
        expect(rect.top - 1).toBeLessThanOrEqual(Math.max(0, atY - radius));
        expect(rect.top + rect.height + 1).toBeGreaterThanOrEqual(Math.min(height, atY + radius));
      }
    }
  });

  it("is found on the other side of a mirrored picture", () => {
    const at = (x: number): number => suggestFocalPoint(drawn([{ x, y: 50, radius: 10, colour: RED }])).x;
    for (const x of [10, 25, 40]) expect(Math.abs(at(x) + at(100 - x) - 100)).toBeLessThanOrEqual(2);
  });

  it("is whole percents, inside the picture, whatever its size", () => {
    for (const [width, height] of [
      [1, 1],
      [2, 2],
      [3, 3],
      [100, 1],
      [1, 100],
      [100, 2],
      [3, 100],
    ] as const) {
      const noise = paint(width, height, (x, y) => [(x * 97 + y * 31) % 256, (x * 13) % 256, (y * 71) % 256]);
      for (const percent of Object.values(suggestFocalPoint(noise)) as number[]) {
        expect(Number.isInteger(percent)).toBe(true);
        expect(percent).toBeGreaterThanOrEqual(0);
        expect(percent).toBeLessThanOrEqual(100);
      }
    }
  });
});

describe("the centre", () => {
  it.each([
    ["black", [0, 0, 0]],
    ["white", [255, 255, 255]],
    ["the colour of skin", [224, 172, 140]],
    ["nothing", [10, 20, 30, 0]],
  ] as const)("is suggested where all is %s", (_, colour) => {
    expect(suggestFocalPoint(paint(100, 60, () => colour))).toEqual({ x: 50, y: 50 });
  });
});

describe("of two things", () => {
  const left = { x: 22, y: 50, radius: 11 };
  const right = { x: 78, y: 50, radius: 11 };
  const GREY = (): Colour => [128, 128, 128];
  const xOf = (discs: Disc[], ground: (x: number, y: number) => Colour = GREY): number =>
    suggestFocalPoint(drawn(discs, { ground })).x;

  it.each([
    ["the one that is colourful, of two that differ as much from the ground", [150, 90, 170], [32, 32, 32]],
    ["the one that differs more from the ground", [250, 250, 250], [165, 165, 165]],
    ["the one that is like skin, of two as light and about as colourful", [206, 150, 119], [134, 179, 125]],
  ] as const)("it takes %s", (_, taken, other) => {
    expect(
      xOf([
        { ...left, colour: taken },
        { ...right, colour: other },
      ]),
    ).toBeLessThan(40);
    expect(
      xOf([
        { ...left, colour: other },
        { ...right, colour: taken },
      ]),
    ).toBeGreaterThan(60);
  });

  const squares = (x: number, y: number, side: number, colours: readonly [Colour, Colour]): Colour =>
    colours[(Math.floor(x / side) + Math.floor(y / side)) % 2] as Colour;

  it("it takes the one that has detail, not the one that is plain", () => {
    const detailed: [Colour, Colour] = [
      [70, 70, 70],
      [190, 190, 190],
    ];
    const xWith = (isLeft: boolean): number =>
      suggestFocalPoint(
        paint(100, 75, (x, y) => {
          const isAt = (centre: number): boolean => Math.hypot(x - centre, y - 38) <= 12;
          if (isAt(isLeft ? 22 : 78)) return squares(x, y, 4, detailed);
          return isAt(isLeft ? 78 : 22) ? [250, 250, 250] : [130, 130, 130];
        }),
      ).x;
    expect(xWith(true)).toBeLessThan(40);
    expect(xWith(false)).toBeGreaterThan(60);
  });

  it("it takes the one that stands in front of the ground, not a pattern that runs out of the picture", () => {
    const pattern: [Colour, Colour] = [
      [120, 120, 120],
      [136, 136, 136],
    ];
    const ground = (x: number, y: number): Colour => (x < 30 ? squares(x, y, 2, pattern) : [128, 128, 128]);
    expect(xOf([{ x: 72, y: 50, radius: 11, colour: [190, 190, 190] }], ground)).toBeGreaterThan(60);
  });
});

describe("what is not seen", () => {
  it("counts for nothing, whatever its colour", () => {
    const shape = { x: 80, y: 30, radius: 9, colour: [255, 255, 255] as Colour };
    const over = (hidden: Colour) => suggestFocalPoint(drawn([shape], { ground: () => hidden }));
    const focal = over([255, 255, 255, 0]);
    expect(focal.x).toBeGreaterThan(65);
    expect(focal.y).toBeLessThan(45);
    expect(over([255, 0, 0, 0])).toEqual(focal);
    const gaudy = (x: number, y: number): Colour => [(x * 37) % 256, (y * 91) % 256, 128, 0];
    expect(suggestFocalPoint(drawn([shape], { ground: gaudy }))).toEqual(focal);
  });
});
