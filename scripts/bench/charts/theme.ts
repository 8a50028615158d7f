/** The colours of light and dark charts, and helpers that write SVG shapes. */

export interface Theme {
  ground: string;
  text: string;
  muted: string;
  rule: string;
  /** Colours of the builder's cells, from little memory to much. `inkOn` are text colours that are readable on them. */
  ramp: readonly string[];
  inkOn: readonly string[];
  /** Colours of lines, from narrow variants to wide ones. */
  widths: readonly string[];
  warning: string;
  warningGround: string;
}

export const THEMES: Record<"light" | "dark", Theme> = {
  light: {
    ground: "#ffffff",
    text: "#1f2328",
    muted: "#59636e",
    rule: "#d1d9e0",
    ramp: ["#e3f1ee", "#b5dcd4", "#74bfb2", "#2f9586", "#0b6b60"],
    inkOn: ["#1f2328", "#1f2328", "#06302b", "#ffffff", "#ffffff"],
    widths: ["#8fcfc4", "#4aa99b", "#1c8576", "#07544b"],
    warning: "#cf4a1c",
    warningGround: "#fdefe9",
  },
  dark: {
    ground: "#0d1117",
    text: "#f0f6fc",
    muted: "#9198a1",
    rule: "#30363d",
    ramp: ["#12302d", "#17504a", "#1f786d", "#35a797", "#7cdccd"],
    inkOn: ["#b9d8d3", "#d3ebe7", "#ffffff", "#04201c", "#04201c"],
    widths: ["#1f786d", "#35a797", "#66cdbd", "#b4f0e6"],
    warning: "#ff8a5c",
    warningGround: "#2b1811",
  },
};

const round = (value: number): string => String(Math.round(value * 10) / 10);
const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export type Attributes = Record<string, string | number>;

const listed = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${typeof value === "number" ? round(value) : value}"`)
    .join("");

export const shape = (name: string, attributes: Attributes): string => `<${name}${listed(attributes)}/>`;

/** Returns text with its baseline at `y`. `attributes` may set a class, an anchor and a colour. */
export const label = (x: number, y: number, text: string, attributes: Attributes = {}): string =>
  `<text${listed({ x, y, ...attributes })}>${escape(text)}</text>`;

export const path = (points: readonly (readonly [number, number])[]): string =>
  points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${round(x)} ${round(y)}`).join("");
