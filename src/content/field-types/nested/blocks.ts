/** `blocks`: a list of objects of several components. Each says in `_type` of which it is one. */
import * as z from "zod";
import { CONTENT } from "../../../limits.ts";
import { nameSchema } from "../../text/names.ts";
import { base, count, searchable } from "../base.ts";
import { bad, fieldType, type Json, type NestedObject, type WithComponents } from "../field-type.ts";
import { isLongEnough } from "../text-value.ts";
import { checkObjects } from "./component.ts";
import { listed, namedTwice, withKnown } from "./names.ts";
import { byNumber, componentsIn, isObject, objectsAmong, showObject, textsInObject } from "./objects.ts";

const schema = z.strictObject({
  ...base,
  type: z.literal("blocks"),
  searchable,
  components: z
    .array(nameSchema)
    .min(1)
    .max(CONTENT.modelsPerSpaceMax)
    .meta({ description: "The names of the components that may stand in it" }),
  max: count(CONTENT.blocksMax),
});

type BlocksField = z.output<typeof schema> & WithComponents;

const objectsOf = (value: Json, field: BlocksField): NestedObject[] =>
  Array.isArray(value) ? objectsAmong(value, byNumber(field, field.components)) : [];

export const BLOCKS = fieldType(schema, {
  form: "object",
  index: "nested",
  isList: () => true,
  faultsOf: ({ components }) => namedTwice({ components }),
  check(value, field: BlocksField, checking) {
    if (!Array.isArray(value)) return bad("must be a list of blocks");
    const { max = CONTENT.blocksMax } = field;
    if (value.length > max) return bad(`must have at most ${max} items`);
    const components = componentsIn(field);
    return checkObjects(value, checking, (item, index, errors) => {
      const type = isObject(item) ? item["_type"] : undefined;
      const component =
        typeof type === "string" && field.components.includes(type) ? components.get(type) : undefined;
      if (component) return component;
      if (isObject(item)) errors.add(`${index}._type`, `must be one of ${listed(field.components)}`);
      else errors.add(String(index), "must be an object");
      return null;
    });
  },
  schemaOf: () => ({ type: "object", properties: { _key: { type: "string" } }, required: ["_key"] }),
  isLooser: (before, after) =>
    before.components.every((name) => after.components.includes(name)) && isLongEnough(after.max, before.max),
  textsOf: (value, field) => objectsOf(value, field).flatMap(textsInObject),
  nested: {
    componentsOf: ({ components }) => components,
    ownReferencesOf: () => [],
    objectsIn: objectsOf,
    referencesIn: () => [],
    show: (value, field, shower) => objectsOf(value, field).map((object) => showObject(object, shower, true)),
    pathsTo: (component, member) => [[member], [component, member]],
  },
  title: "never",
  mended: (rest) => withKnown(rest, ["components"]),
});
