/** Nested values as lines of text, by which versions of them are compared. Pure. */
import { outline as richOutline } from "../rich-text/portable-text.ts";
import { isObject } from "./component-value.ts";

const INDENT = "  ";

function linesOf(value: unknown, indent: string): string[] {
  if (Array.isArray(value)) {
    if (value.some((one) => isObject(one) && one._type === "block"))
      return richOutline(value)
        .split("\n")
        .map((line) => indent + line);
    return value.flatMap((one) => linesOf(one, indent));
  }
  if (!isObject(value)) return [`${indent}${typeof value === "string" ? value : JSON.stringify(value)}`];
  const { _type } = value;
  const lines = Object.entries(value).flatMap(([name, member]) => {
    if (name === "_type" || name === "_key") return [];
    if (member === null || member === undefined || (Array.isArray(member) && member.length === 0)) return [];
    const inner = linesOf(member, indent + INDENT);
    return typeof member === "object"
      ? [`${indent}${name}:`, ...inner]
      : [`${indent}${name}: ${inner.join("").trim()}`];
  });
  return [...(_type === undefined ? [] : [`${indent}[${_type}]`]), ...lines, ""];
}

export const outlineOf = (value: unknown): string =>
  value === null || value === undefined ? "" : linesOf(value, "").join("\n").trim();
