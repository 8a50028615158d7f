/** Converts CSS transforms (CSS Transforms 1 and 2) to the `transform` attribute of SVG 1.1. */
import { topLevelParts } from "../values/values.ts";
import { Unresolved } from "../values/unresolved.ts";
import type { Box } from "./view.ts";

export interface Transforms {
  /** The value of the property or, if no style sets it, of the attribute. */
  transform?: { value: string; isAttribute: boolean };
  translate?: string;
  rotate?: string;
  scale?: string;
  "transform-origin"?: string;
  "transform-box"?: string;
}

const PIXELS: Record<string, number> = { px: 1, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, pt: 96 / 72, pc: 16 };
const DEGREES: Record<string, number> = { deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 };
const QUANTITY = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)$/i;
const CALL = /\s*([a-z0-9]{1,12})\(([^()]*)\)\s*/giy;
const KEYWORDS: Record<string, string> = {
  left: "0%",
  top: "0%",
  center: "50%",
  right: "100%",
  bottom: "100%",
};

/**
 * Returns the equivalent attribute; null for no transform.
 * @param box the viewBox, to which percentages refer; null when it is unknown
 * @throws Unresolved
 */
export function transformAttribute(transforms: Transforms, box: Box | null): string | null {
  const { transform } = transforms;
  const list = [
    ...single(
      "translate",
      transforms.translate,
      ([x = "0px", y = "0px"]) => `translate(${length(x)} ${length(y)})`,
    ),
    ...single("rotate", transforms.rotate, ([by = ""]) => `rotate(${angle(by)})`),
    ...single("scale", transforms.scale, ([x = "", y = x]) => `scale(${share(x)} ${share(y)})`),
  ];
  if (transform && transform.value !== "none") {
    list.push(transform.isAttribute ? transform.value : functions(transform.value));
  }
  if (list.length === 0) return null;
  const reference = transforms["transform-box"] ?? "view-box";
  if (reference !== "view-box") throw new Unresolved(`it sets transform-box to ${reference.slice(0, 80)}`);
  const [x, y] = origin(transforms["transform-origin"] ?? "0 0", box);
  if (x === 0 && y === 0) return list.join(" ");
  return [`translate(${x} ${y})`, ...list, `translate(${-x} ${-y})`].join(" ");
}

function single(name: string, value: string | undefined, write: (parts: string[]) => string): string[] {
  if (value === undefined || value === "none") return [];
  const parts = value.split(/\s+/);
  if (parts.length > (name === "rotate" ? 1 : 2)) throw beyond(`${name}: ${value}`);
  return [write(parts)];
}

function functions(value: string): string {
  const written: string[] = [];
  CALL.lastIndex = 0;
  for (let end = 0; end < value.length; end = CALL.lastIndex) {
    const [, name = "", inside = ""] = CALL.exec(value) ?? [];
    if (name === "") throw beyond(value);
    written.push(one(name.toLowerCase(), topLevelParts(inside)));
  }
  return written.join(" ");
}

function one(name: string, [a = "", b, ...more]: string[]): string {
  const second = b ?? "";
  if (name === "matrix" && more.length === 4) return `matrix(${[a, second, ...more].map(share).join(" ")})`;
  if (more.length > 0) throw beyond(name);
  switch (name) {
    case "translate":
      return `translate(${length(a)} ${b === undefined ? 0 : length(b)})`;
    case "translatex":
      return `translate(${length(a)} 0)`;
    case "translatey":
      return `translate(0 ${length(a)})`;
    case "scale":
      return `scale(${share(a)} ${share(b ?? a)})`;
    case "scalex":
      return `scale(${share(a)} 1)`;
    case "scaley":
      return `scale(1 ${share(a)})`;
    case "rotate":
    case "rotatez":
      return `rotate(${angle(a)})`;
    case "skewx":
      return `skewX(${angle(a)})`;
    case "skewy":
      return `skewY(${angle(a)})`;
    case "skew": {
      const tangent = (text: string): number => Math.tan((angle(text) * Math.PI) / 180);
      return `matrix(1 ${b === undefined ? 0 : tangent(b)} ${tangent(a)} 1 0 0)`;
    }
    default:
      throw beyond(name);
  }
}

function origin(text: string, box: Box | null): [x: number, y: number] {
  const parts = text.trim().split(/\s+/).slice(0, 2);
  // If there are two keywords, the vertical one may come first.
  if (/^(?:top|bottom)$/.test(parts[0] ?? "") || /^(?:left|right)$/.test(parts[1] ?? "")) {
    parts.unshift(parts.pop() ?? "");
    if (parts.length === 1) parts.unshift("center");
  }
  const [x = "0", y = "center"] = parts;
  return [at(x, box?.width), at(y, box?.height)];
}

function at(text: string, whole: number | undefined): number {
  const quantity = KEYWORDS[text.toLowerCase()] ?? text;
  if (!quantity.endsWith("%")) return length(quantity);
  if (whole === undefined) throw beyond(`transform-origin ${text}`);
  return (Number(quantity.slice(0, -1)) / 100) * whole;
}

/** Reads a length, in user units. */
function length(text: string): number {
  const [, value, unit = ""] = QUANTITY.exec(text) ?? [];
  const pixels = unit === "" ? 1 : PIXELS[unit.toLowerCase()];
  if (value === undefined || pixels === undefined) throw beyond(text);
  return Number(value) * pixels;
}

/** Reads an angle, in degrees. */
function angle(text: string): number {
  const [, value, unit = ""] = QUANTITY.exec(text) ?? [];
  const degrees = unit === "" ? Number(value) === 0 && 1 : DEGREES[unit.toLowerCase()];
  if (value === undefined || !degrees) throw beyond(text);
  return Number(value) * degrees;
}

/** Reads a number, or a percentage as a share of 1. */
function share(text: string): number {
  const [, value, unit = ""] = QUANTITY.exec(text) ?? [];
  if (value === undefined || (unit !== "" && unit !== "%")) throw beyond(text);
  return unit === "%" ? Number(value) / 100 : Number(value);
}

const beyond = (text: string): Unresolved => new Unresolved(`it is transformed by ${text.slice(0, 80)}`);
