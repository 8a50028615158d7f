/** `richtext`: Portable Text, a list of blocks of text, pictures and components. */
import * as z from "zod";
import { CONTENT, RICH_TEXT } from "../../../limits.ts";
import { ValidationErrors } from "../../faults/validation-errors.ts";
import { nameSchema } from "../../text/names.ts";
import { textSchema } from "../../text/text.ts";
import { base, searchable } from "../base.ts";
import {
  bad,
  fieldType,
  good,
  type Checked,
  type Checking,
  type Json,
  type NestedObject,
  type OwnReference,
  type Shower,
  type StoredObject,
  type WithComponents,
} from "../field-type.ts";
import { Keys } from "./keys.ts";
import { listed, namedTwice, withKnown } from "./names.ts";
import {
  addPart,
  byNumber,
  checkObject,
  componentsIn,
  isObject,
  objectsAmong,
  showObject,
  textsInObject,
} from "./objects.ts";
import {
  allowedBy,
  DEFAULT_ANNOTATIONS,
  DEFAULT_DECORATORS,
  DEFAULT_LISTS,
  DEFAULT_STYLES,
  type Allowed,
  type ImageBlock,
  type TextBlock,
} from "./portable-text.ts";
import { checkImage, checkTextBlock, spansGiven } from "./text-block.ts";

const names = (what: string, defaults: readonly string[], min: number) =>
  z
    .array(textSchema(RICH_TEXT.nameMaxCharacters, 1))
    .min(min)
    .max(RICH_TEXT.namesMax)
    .optional()
    .meta({ description: `The ${what} that it may have`, default: defaults });

const annotation = z.union([
  z.literal("link"),
  z.strictObject({
    name: z.literal("internalLink"),
    to: nameSchema.meta({ description: "The name of a collection" }),
  }),
]);

const schema = z.strictObject({
  ...base,
  type: z.literal("richtext"),
  searchable,
  styles: names("styles of blocks", DEFAULT_STYLES, 1),
  lists: names("kinds of lists", DEFAULT_LISTS, 0),
  decorators: names("decorators of spans", DEFAULT_DECORATORS, 0),
  annotations: z.array(annotation).max(2).optional().meta({
    description:
      "The links that it may have: `link` with a `href`, and links to records of one collection with `record`",
    default: DEFAULT_ANNOTATIONS,
  }),
  components: z
    .array(nameSchema)
    .max(CONTENT.modelsPerSpaceMax)
    .optional()
    .meta({ description: "The names of the components that may stand among the blocks", default: [] }),
  image: z
    .boolean()
    .optional()
    .meta({ description: "Whether pictures may stand among the blocks", default: false }),
});

type RichTextField = z.output<typeof schema> & WithComponents;

/** Checks a block by its type. The stored block of text or picture has no key yet. */
function checkBlock(item: unknown, field: RichTextField, allowed: Allowed, checking: Checking): Checked {
  if (!isObject(item)) return bad("must be an object");
  const type = item["_type"];
  if (type === "block") return checkTextBlock(item, allowed, checking);
  if (type === "image" && allowed.hasImage) return checkImage(item, checking);
  const component =
    typeof type === "string" && allowed.components.includes(type) ? componentsIn(field).get(type) : undefined;
  if (component) return checkObject(item, component, checking);
  const types = ["block", ...(allowed.hasImage ? ["image"] : []), ...allowed.components];
  return { ok: false, faults: [{ path: "_type", message: `must be one of ${listed(types)}` }] };
}

function check(value: unknown, field: RichTextField, checking: Checking): Checked {
  if (!Array.isArray(value)) return bad("must be a list of blocks");
  const items: readonly unknown[] = value;
  if (items.length > RICH_TEXT.blocksMax) return bad(`must have at most ${RICH_TEXT.blocksMax} blocks`);
  if (spansGiven(items) > RICH_TEXT.spansMax) return bad(`must have at most ${RICH_TEXT.spansMax} spans`);
  const errors = new ValidationErrors();
  const keys = new Keys(items, errors);
  const allowed = allowedBy(field);
  const stored = items.map((item, index): Json => {
    const own = { ...checking, references: [] };
    const checked = checkBlock(item, field, allowed, own);
    addPart(errors, checking, String(index), { checked, references: own.references });
    if (!checked.ok) return null;
    const { _type, ...content } = checked.value as StoredObject;
    return { _type: _type ?? null, _key: keys.keyOf(item, checked.value), ...content };
  });
  return errors.details.length > 0 ? { ok: false, faults: errors.details } : good(stored);
}

const componentNames = ({ components = [] }: RichTextField): readonly string[] => components;

const itemsOf = (value: Json): readonly Json[] => (Array.isArray(value) ? value : []);

const isText = (item: unknown): item is TextBlock => isObject(item) && item["_type"] === "block";
const isImage = (item: unknown): item is ImageBlock => isObject(item) && item["_type"] === "image";

const objectsOf = (value: Json, field: RichTextField): NestedObject[] =>
  objectsAmong(itemsOf(value), byNumber(field, componentNames(field)));

function referencesIn(value: Json, field: RichTextField): OwnReference[] {
  const { linkTo } = allowedBy(field);
  return itemsOf(value).flatMap((item: unknown, index): OwnReference[] => {
    if (isImage(item)) return [{ name: "image", collection: null, id: item.media, path: `${index}.media` }];
    if (!isText(item) || linkTo === null) return [];
    return item.markDefs.flatMap((def, at): OwnReference[] =>
      def._type === "internalLink"
        ? [{ name: def._type, collection: linkTo, id: def.record, path: `${index}.markDefs.${at}.record` }]
        : [],
    );
  });
}

/** Returns one text per block, so that a word may run over several spans, but not over two blocks. */
function textsOf(value: Json, field: RichTextField): string[] {
  const numbers = byNumber(field, componentNames(field));
  return itemsOf(value).flatMap((item: unknown): string[] => {
    if (isText(item)) return [item.children.map(({ text }) => text).join("")];
    if (isImage(item)) return [item.alt ?? "", item.caption ?? ""];
    return objectsAmong([item as Json], numbers).flatMap(textsInObject);
  });
}

function showBlock(item: Json, field: RichTextField, shower: Shower): unknown[] {
  const block: unknown = item;
  if (isImage(block)) {
    return [{ ...block, media: shower.reference({ name: "image", collection: null, id: block.media }) }];
  }
  if (!isText(block)) {
    const objects = objectsAmong([item], byNumber(field, componentNames(field)));
    return objects.map((object) => showObject(object, shower, true));
  }
  const { linkTo } = allowedBy(field);
  if (linkTo === null || block.markDefs.length === 0) return [block];
  const markDefs = block.markDefs.map((def) =>
    def._type === "internalLink"
      ? { ...def, record: shower.reference({ name: def._type, collection: linkTo, id: def.record }) }
      : def,
  );
  return [{ ...block, markDefs }];
}

/** Returns whether all that one list allows, another one does too. */
const isWithin = (before: readonly string[], after: readonly string[]): boolean =>
  before.every((name) => after.includes(name));

function isLooser(before: RichTextField, after: RichTextField): boolean {
  const [was, is] = [allowedBy(before), allowedBy(after)];
  return (
    (["styles", "lists", "components"] as const).every((option) => isWithin(was[option], is[option])) &&
    // A new decorator may be the key of a definition.
    isWithin(was.decorators, is.decorators) &&
    isWithin(is.decorators, was.decorators) &&
    (is.hasLink || !was.hasLink) &&
    (was.linkTo === null || was.linkTo === is.linkTo) &&
    (is.hasImage || !was.hasImage)
  );
}

export const RICH_TEXT_TYPE = fieldType(schema, {
  form: "object",
  index: "nested",
  isList: () => true,
  faultsOf: ({ styles, lists, decorators, annotations, components }) =>
    namedTwice({
      ...{ styles, lists, decorators, components },
      annotations: annotations?.map((one) => (typeof one === "string" ? one : one.name)),
    }),
  check,
  schemaOf: () => ({ type: "object", properties: { _key: { type: "string" } }, required: ["_key"] }),
  isLooser,
  textsOf,
  nested: {
    componentsOf: componentNames,
    ownReferencesOf(field) {
      const { hasImage, linkTo } = allowedBy(field);
      return [
        ...(hasImage ? [{ name: "image", collection: null }] : []),
        ...(linkTo === null ? [] : [{ name: "internalLink", collection: linkTo }]),
      ];
    },
    objectsIn: objectsOf,
    referencesIn,
    show: (value, field, shower) => itemsOf(value).flatMap((item) => showBlock(item, field, shower)),
    pathsTo: (component, member) => [[component, member]],
  },
  title: "never",
  mended: (rest) => withKnown(rest, ["styles", "lists", "decorators", "annotations", "components"]),
});
