/** A few words that tell one object of a component from another. Pure. */
import type { Model } from "../../api/models.ts";
import { plainText } from "../rich-text/portable-text.ts";
import { isObject } from "./component-value.ts";

const SUMMARY_CHARACTERS = 80;

function textOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  if (typeof value === "number") return String(value);
  return "";
}

/** Returns the first text of an object. The title field comes first, ids come last or not at all. */
export function summaryOf(model: Model, object: Readonly<Record<string, unknown>>): string {
  const titled = model.fields.filter(({ name }) => name === model.titleField);
  const texts = model.fields.filter(({ type }) => type === "string" || type === "text" || type === "number");
  for (const { name } of [...titled, ...texts]) {
    const text = textOf(object[name]);
    if (text !== "") return cut(text);
  }
  for (const { name } of model.fields) {
    const value = object[name];
    const [first] = Array.isArray(value) ? (value as unknown[]) : [];
    if (isObject(first) && first._type === "block") return cut(plainText(value));
  }
  return "";
}

const cut = (text: string): string =>
  text.length > SUMMARY_CHARACTERS ? `${text.slice(0, SUMMARY_CHARACTERS)}…` : text;
