/** The properties on which the cost of a shape depends and that its parents may set. */
import type { CostedElement, StyleCost } from "../work/costed-element.ts";
import type { Dashes, Look, Paint } from "./look.ts";

export interface Inherited {
  fill: Paint;
  stroke: Paint;
  strokeWidth: number;
  dashes: Dashes;
  fontSize: number;
}

const NO_DASHES: Dashes = { count: 0, length: 1 };

export const START: Inherited = {
  fill: "plain",
  stroke: "none",
  strokeWidth: 1,
  dashes: NO_DASHES,
  fontSize: 16,
};

/**
 * Returns the values that an element inherits. Rules that may match are assumed to, and the costlier value of each
 * property counts.
 */
export function inheritedBy({ look, styles }: CostedElement, from: Inherited): Inherited {
  const looks = [look, ...styles.map(({ once }: StyleCost) => once.look)];
  const most = <T>(pick: (look: Look) => T | null, more: (one: T, other: T) => T, inherited: T): T =>
    looks.reduce<T | null>((found, each) => {
      const value = pick(each);
      return value === null ? found : found === null ? value : more(found, value);
    }, null) ?? inherited;
  const paint = (one: Paint, other: Paint): Paint =>
    one === "shaded" || other === "none" ? one : other === "shaded" || one === "none" ? other : one;
  return {
    fill: most((each) => each.fill, paint, from.fill),
    stroke: most((each) => each.stroke, paint, from.stroke),
    strokeWidth: most((each) => each.strokeWidth, Math.max, from.strokeWidth),
    dashes: most<Dashes>(
      (each) => each.dashes,
      (one: Dashes, other: Dashes) => (one.count / one.length > other.count / other.length ? one : other),
      from.dashes,
    ),
    fontSize: most((each) => each.fontSize, Math.max, from.fontSize),
  };
}
