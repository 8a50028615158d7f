/** Checks the blocks of a rich text: paragraphs with their spans and marks, and pictures. */
import { ValidationErrors } from "../../faults/validation-errors.ts";
import { CONTENT, RICH_TEXT } from "../../../limits.ts";
import { good, type Checked, type Checking, type Json } from "../field-type.ts";
import { isId } from "../ids.ts";
import { checkText } from "../text-value.ts";
import { hrefFault } from "./href.ts";
import { Keys } from "./keys.ts";
import { listed } from "./names.ts";
import { isObject, type Members } from "./objects.ts";
import { NORMAL, type Allowed } from "./portable-text.ts";

const MEMBERS = {
  block: ["_type", "_key", "style", "level", "listItem", "children", "markDefs"],
  span: ["_type", "_key", "text", "marks"],
  link: ["_type", "_key", "href"],
  internalLink: ["_type", "_key", "record"],
  image: ["_type", "_key", "media", "alt", "caption"],
} as const;

/** Adds a fault for each member that the schema does not define. */
function checkMembers(
  value: Members,
  type: keyof typeof MEMBERS,
  path: string,
  errors: ValidationErrors,
): void {
  const known: readonly string[] = MEMBERS[type];
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) errors.add(`${path}${name}`, `is no member of ${article(type)}`);
  }
}

const article = (type: string): string => `${/^[aio]/.test(type) ? "an" : "a"} ${type}`;

/** Returns a member's value; undefined for null too, which queries give for members that are not there. */
const given = (value: Members, name: string): unknown =>
  Object.hasOwn(value, name) ? (value[name] ?? undefined) : undefined;

/** Returns a member that is a list; an empty one if it is missing. Undefined, with a fault, for what is no list. */
function listIn(
  value: Members,
  name: string,
  max: number,
  errors: ValidationErrors,
  path = name,
): readonly unknown[] | undefined {
  const list = given(value, name) ?? [];
  if (!Array.isArray(list)) errors.add(path, "must be a list");
  else if (list.length > max) errors.add(path, `must have at most ${max} items`);
  else return list as unknown[];
  return undefined;
}

function checkName(
  value: unknown,
  names: readonly string[],
  path: string,
  errors: ValidationErrors,
): string | undefined {
  if (typeof value === "string" && names.includes(value)) return value;
  errors.add(path, names.length > 0 ? `must be one of ${listed(names)}` : "is not allowed in this field");
  return undefined;
}

/** Checks the definitions of a block's marks. @returns their keys, and the definitions as they are stored */
function checkMarkDefs(
  items: readonly unknown[],
  allowed: Allowed,
  checking: Checking,
  errors: ValidationErrors,
): { defined: ReadonlySet<string>; stored: Json[] } {
  const own = new ValidationErrors();
  const keys = new Keys(items, own);
  const types = [...(allowed.hasLink ? ["link"] : []), ...(allowed.linkTo === null ? [] : ["internalLink"])];
  const defined = new Set<string>();
  const stored = items.map((item, index): Json => {
    if (!isObject(item)) return (own.add(String(index), "must be an object"), null);
    const type = checkName(given(item, "_type"), types, `${index}._type`, own);
    const key = given(item, "_key");
    // A mark that names it is not at fault for what is wrong with its definition.
    if (typeof key === "string") defined.add(key);
    if (typeof key === "string" && allowed.decorators.includes(key))
      own.add(`${index}._key`, `"${key}" is the name of a decorator; give it another key`);
    if (type === undefined) return null;
    checkMembers(item, type === "link" ? "link" : "internalLink", `${index}.`, own);
    const content =
      type === "link" ? linkOf(item, index, own) : internalLinkOf(item, index, allowed, checking, own);
    return { _type: type, _key: keys.keyOf(item, content), ...content };
  });
  for (const { path, message } of own.details) errors.add(`markDefs.${path}`, message);
  return { defined, stored };
}

function linkOf(item: Members, index: number, errors: ValidationErrors): { href: string } {
  const href = given(item, "href");
  const fault = hrefFault(href);
  if (fault !== null) errors.add(`${index}.href`, fault);
  return { href: fault === null ? String(href) : "" };
}

function internalLinkOf(
  item: Members,
  index: number,
  { linkTo }: Allowed,
  { references }: Checking,
  errors: ValidationErrors,
): { record: string } {
  const record = given(item, "record");
  if (!isId(record)) {
    errors.add(`${index}.record`, record === undefined ? "is required" : "must be an id");
    return { record: "" };
  }
  references.push({ path: `markDefs.${index}.record`, collection: linkTo, id: record });
  return { record };
}

function checkMarks(
  marks: readonly unknown[],
  { decorators }: Allowed,
  defined: ReadonlySet<string>,
  path: string,
  errors: ValidationErrors,
): Json[] {
  for (const [index, mark] of marks.entries()) {
    if (typeof mark !== "string") errors.add(`${path}.${index}`, "must be a string");
    else if (!decorators.includes(mark) && !defined.has(mark))
      errors.add(
        `${path}.${index}`,
        `"${mark}" is neither a decorator of this field (${listed(decorators)}) nor the key of a definition in markDefs`,
      );
  }
  return marks as Json[];
}

/** Checks the spans of a block. A block without any gets an empty one. */
function checkChildren(
  items: readonly unknown[],
  allowed: Allowed,
  defined: ReadonlySet<string>,
  errors: ValidationErrors,
): Json[] {
  const own = new ValidationErrors();
  const children = items.length > 0 ? items : [{ _type: "span", text: "" }];
  const keys = new Keys(children, own);
  const stored = children.map((item, index): Json => {
    if (!isObject(item)) return (own.add(String(index), "must be an object"), null);
    if (checkName(given(item, "_type"), ["span"], `${index}._type`, own) === undefined) return null;
    checkMembers(item, "span", `${index}.`, own);
    const text = checkText(item["text"] ?? undefined, CONTENT.recordMaxBytes);
    if (!text.ok) for (const { message } of text.faults) own.add(`${index}.text`, message);
    const marks = listIn(item, "marks", RICH_TEXT.marksMax, own, `${index}.marks`) ?? [];
    const content = {
      text: text.ok ? text.value : "",
      marks: checkMarks(marks, allowed, defined, `${index}.marks`, own),
    };
    return { _type: "span", _key: own.details.length > 0 ? "" : keys.keyOf(item, content), ...content };
  });
  for (const { path, message } of own.details) errors.add(`children.${path}`, message);
  return stored;
}

function checkListItem(block: Members, { lists }: Allowed, errors: ValidationErrors): Record<string, Json> {
  const [listItem, level] = [given(block, "listItem"), given(block, "level")];
  const max = RICH_TEXT.levelMax;
  if (listItem !== undefined) checkName(listItem, lists, "listItem", errors);
  if (level !== undefined && !(Number.isInteger(level) && (level as number) >= 1 && (level as number) <= max))
    errors.add("level", `must be a whole number from 1 to ${max}`);
  if (level !== undefined && listItem === undefined) errors.add("level", "needs listItem");
  return {
    ...(listItem !== undefined && { listItem: listItem as Json }),
    ...(level !== undefined && { level: level as Json }),
  };
}

/** Checks a block of text. The stored block has no key yet. */
export function checkTextBlock(block: Members, allowed: Allowed, checking: Checking): Checked {
  const errors = new ValidationErrors();
  checkMembers(block, "block", "", errors);
  const style = checkName(given(block, "style") ?? NORMAL, allowed.styles, "style", errors);
  const list = checkListItem(block, allowed, errors);
  const definitions = listIn(block, "markDefs", RICH_TEXT.markDefsMax, errors) ?? [];
  const { defined, stored: markDefs } = checkMarkDefs(definitions, allowed, checking, errors);
  const spans = listIn(block, "children", RICH_TEXT.spansMax, errors) ?? [];
  const children = checkChildren(spans, allowed, defined, errors);
  if (errors.details.length > 0 || style === undefined) return { ok: false, faults: errors.details };
  return good({ _type: "block", style, ...list, children, markDefs });
}

/** Checks a picture. The stored picture has no key yet. */
export function checkImage(image: Members, { references }: Checking): Checked {
  const errors = new ValidationErrors();
  checkMembers(image, "image", "", errors);
  const media = given(image, "media");
  if (isId(media)) references.push({ path: "media", collection: null, id: media });
  else errors.add("media", media === undefined ? "is required" : "must be an id");
  const stored: Record<string, Json> = { _type: "image", media: media as Json };
  for (const [name, max] of [
    ["alt", RICH_TEXT.altMaxCharacters],
    ["caption", RICH_TEXT.captionMaxCharacters],
  ] as const) {
    const text = given(image, name);
    if (text === undefined) continue;
    const checked = checkText(text, max);
    if (checked.ok) stored[name] = checked.value;
    else for (const { message } of checked.faults) errors.add(name, message);
  }
  return errors.details.length > 0 ? { ok: false, faults: errors.details } : good(stored);
}

/** Returns the number of spans that a body gives, with any faults in them. */
export const spansGiven = (items: readonly unknown[]): number =>
  items.reduce<number>((sum, item) => {
    const children = isObject(item) ? item["children"] : undefined;
    return sum + (Array.isArray(children) ? children.length : 0);
  }, 0);
