/** Writes the background of a drawing, which renderers of SVG 1.1 do not paint, out as a rectangle. */
import type { Declaration } from "../cascade/cascade.ts";
import { SvgNode } from "../cascade/tree.ts";
import { Unresolved } from "../values/unresolved.ts";
import { plainValue, withVariables } from "../values/values.ts";
import type { Variables } from "../values/variables.ts";
import { viewOf } from "./view.ts";

/**
 * How far the background extends beyond the viewBox, in multiples of its sides: more than the viewBox is visible if the
 * picture has other proportions.
 */
const BACKGROUND_SIDE_FACTOR = 100;

/** Paints the background of the root below the drawing. @throws Unresolved */
export function paintBackground(
  root: SvgNode,
  declarations: readonly Declaration[],
  variables: Variables,
  isDark: boolean,
): void {
  const said = declarations.findLast(({ property }) => /^background(?:-color)?$/.test(property));
  const value = said ? withVariables(said.value, (name) => variables.get(name)) : null;
  const colour = value === null ? null : plainValue(value, isDark);
  if (!said || !colour || /^(?:none|transparent|initial|unset|inherit|revert)$/i.test(colour)) return;
  if (!/^(?:#[\da-f]{3,8}|[a-z]+|rgba\([^()]*\))$/i.test(colour)) {
    throw new Unresolved(`it sets ${said.property} to ${colour.slice(0, 80)}`);
  }
  const { x, y, width, height } = viewOf(root);
  const ground = new Map([
    ["x", String(x - BACKGROUND_SIDE_FACTOR * width)],
    ["y", String(y - BACKGROUND_SIDE_FACTOR * height)],
    ["width", String((2 * BACKGROUND_SIDE_FACTOR + 1) * width)],
    ["height", String((2 * BACKGROUND_SIDE_FACTOR + 1) * height)],
    ["fill", colour],
    ["stroke", "none"],
    ["fill-opacity", "1"],
  ]);
  root.children.unshift(new SvgNode("rect", ground, root));
}
