/** Measures the outline of a shape, in user units. */
import { pathPoints } from "./path-points.ts";
import type { SvgNode } from "../cascade/tree.ts";
import { PRICES, type Work } from "../../work/work.ts";

/**
 * Returns the length of the outline; null if the shape has units or forms that are not measured.
 * @throws TooMuchWork
 */
export function shapeLength({ name, attributes }: SvgNode, work: Work): number | null {
  const read = (side: string): number => {
    const text = attributes.get(side) ?? "0";
    return /^[+-]?[\d.]+(?:e[+-]?\d+)?(?:px)?$/i.test(text.trim()) ? parseFloat(text) : NaN;
  };
  const known = (length: number): number | null => (Number.isFinite(length) && length > 0 ? length : null);
  switch (name) {
    case "circle":
      return known(2 * Math.PI * read("r"));
    case "line":
      return known(Math.hypot(read("x2") - read("x1"), read("y2") - read("y1")));
    case "rect":
      return attributes.has("rx") || attributes.has("ry")
        ? null
        : known(2 * (read("width") + read("height")));
    case "polyline":
    case "polygon":
      work.spend((attributes.get("points") ?? "").length * PRICES.pathCharacter);
      return known(along(pointsOf(attributes.get("points") ?? "", name === "polygon")));
    case "path": {
      const runs = pathPoints(attributes.get("d") ?? "", work);
      return runs && known(runs.reduce((sum, points) => sum + along(points), 0));
    }
    default:
      return null;
  }
}

type Point = readonly [x: number, y: number];

function along(points: readonly Point[]): number {
  let sum = 0;
  for (let i = 1; i < points.length; i++) {
    const [[x1, y1], [x2, y2]] = [points[i - 1]!, points[i]!];
    sum += Math.hypot(x2 - x1, y2 - y1);
  }
  return sum;
}

function pointsOf(text: string, isClosed: boolean): Point[] {
  const numbers = (text.match(/[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/gi) ?? []).map(Number);
  const points: Point[] = [];
  for (let i = 0; i + 1 < numbers.length; i += 2) points.push([numbers[i]!, numbers[i + 1]!]);
  return isClosed && points[0] ? [...points, points[0]] : points;
}
