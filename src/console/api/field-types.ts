/**
 * The facts about field types that the console needs beside their controls: words for people, options, filters. The
 * controls are in field-controls/registry.ts, under the same names.
 */
import type { Field, FieldType } from "./models.ts";

/** An operator of a filter, and its words after the name of the field. */
export type OfferedOperator = readonly [operator: string, words: string];

export interface FieldTypeFacts {
  /** The name of the type in a model form. */
  words: string;
  meaning: string;
  /** The options that the service takes beside name, label, description and required. */
  options: readonly (keyof Field)[];
  /** The options of a new field. */
  start: Partial<Field>;
  /** Whether its first field titles the records of a model that names none, or a field that the model names. */
  title: "first" | "named" | "never";
  /** The operators that the table of records offers, the most useful first. */
  operators: readonly OfferedOperator[];
  /** The input for the value of a filter. */
  filterInput: "text" | "number" | "date";
  /** Returns the values to choose from, if they can be listed. */
  choicesOf: (field: Field) => readonly (readonly [words: string, value: string | boolean])[] | null;
  /** Whether records can be sorted by it. */
  isSorted: boolean;
  /** Whether a table of records shows it as a column unless the reader chooses other columns. */
  isColumn: boolean;
  /** Whether its values are ids, which lists of records expand. */
  isReference: boolean;
  /** The hint of the option `multiple`; empty for types without it. */
  listHint: string;
  /** Whether values are lists, whatever the options are. */
  isAlwaysList: boolean;
}

const IS: OfferedOperator = ["eq", "is"];
const IS_NOT: OfferedOperator = ["ne", "is not"];
const IS_EMPTY: OfferedOperator = ["null", "is empty"];
const CONTAINS: OfferedOperator = ["icontains", "contains"];
const STARTS_WITH: OfferedOperator = ["startsWith", "starts with"];

/** The operators of every field that holds a list. */
const LIST_OPERATORS: readonly OfferedOperator[] = [["contains", "has"], IS_EMPTY];

const none = (): null => null;

/** The facts by type, in the order in which a model form offers the types. */
export const FIELD_TYPES: Record<FieldType, FieldTypeFacts> = {
  string: {
    words: "Short text",
    meaning: "A line: a title, a name, an address",
    options: ["unique", "searchable", "maxLength", "pattern", "default"],
    start: {},
    title: "first",
    operators: [CONTAINS, IS, IS_NOT, STARTS_WITH, IS_EMPTY],
    filterInput: "text",
    choicesOf: none,
    isSorted: true,
    isColumn: true,
    isReference: false,
    listHint: "",
    isAlwaysList: false,
  },
  text: {
    words: "Long text",
    meaning: "Paragraphs, Markdown, HTML",
    options: ["searchable", "maxLength", "default"],
    start: {},
    title: "first",
    operators: [CONTAINS, STARTS_WITH, IS_EMPTY],
    filterInput: "text",
    choicesOf: none,
    isSorted: true,
    isColumn: false,
    isReference: false,
    listHint: "",
    isAlwaysList: false,
  },
  number: {
    words: "Number",
    meaning: "With or without decimals",
    options: ["unique", "integer", "min", "max", "default"],
    start: {},
    title: "named",
    operators: [
      IS,
      IS_NOT,
      ["gt", "is over"],
      ["gte", "is at least"],
      ["lt", "is below"],
      ["lte", "is at most"],
      IS_EMPTY,
    ],
    filterInput: "number",
    choicesOf: none,
    isSorted: true,
    isColumn: true,
    isReference: false,
    listHint: "",
    isAlwaysList: false,
  },
  boolean: {
    words: "Yes or no",
    meaning: "A switch",
    options: ["default"],
    start: {},
    title: "never",
    operators: [IS, IS_EMPTY],
    filterInput: "text",
    choicesOf: () => [
      ["Yes", true],
      ["No", false],
    ],
    isSorted: true,
    isColumn: true,
    isReference: false,
    listHint: "",
    isAlwaysList: false,
  },
  datetime: {
    words: "Date and time",
    meaning: "A moment, kept in UTC",
    options: ["unique", "default"],
    start: {},
    title: "named",
    operators: [["gte", "is from"], ["lt", "is before"], IS_EMPTY],
    filterInput: "date",
    choicesOf: none,
    isSorted: true,
    isColumn: true,
    isReference: false,
    listHint: "",
    isAlwaysList: false,
  },
  enum: {
    words: "Choice",
    meaning: "One of a list of values",
    options: ["unique", "values", "default"],
    start: { values: [] },
    title: "named",
    operators: [IS, IS_NOT, IS_EMPTY],
    filterInput: "text",
    choicesOf: ({ values = [] }) => values.map((value) => [value, value]),
    isSorted: true,
    isColumn: true,
    isReference: false,
    listHint: "",
    isAlwaysList: false,
  },
  media: {
    words: "Picture",
    meaning: "One or several media items",
    options: ["unique", "multiple"],
    start: {},
    title: "never",
    operators: [IS, IS_EMPTY],
    filterInput: "text",
    choicesOf: none,
    isSorted: true,
    isColumn: true,
    isReference: true,
    listHint: "A list of pictures.",
    isAlwaysList: false,
  },
  relation: {
    words: "Relation",
    meaning: "Records of a collection",
    options: ["unique", "to", "multiple"],
    start: {},
    title: "never",
    operators: [IS, IS_EMPTY],
    filterInput: "text",
    choicesOf: none,
    isSorted: true,
    isColumn: true,
    isReference: true,
    listHint: "A list of records.",
    isAlwaysList: false,
  },
  json: {
    words: "JSON",
    meaning: "Any structure of your own",
    options: ["default"],
    start: {},
    title: "never",
    operators: [IS_EMPTY],
    filterInput: "text",
    choicesOf: none,
    isSorted: false,
    isColumn: false,
    isReference: false,
    listHint: "",
    isAlwaysList: false,
  },
  richtext: {
    words: "Rich text",
    meaning: "Headings, lists, links, pictures: Portable Text",
    options: ["searchable", "styles", "lists", "decorators", "annotations", "components", "image"],
    start: {},
    title: "never",
    operators: [IS_EMPTY],
    filterInput: "text",
    choicesOf: none,
    isSorted: false,
    isColumn: false,
    isReference: false,
    listHint: "",
    isAlwaysList: true,
  },
  component: {
    words: "Component",
    meaning: "A group of fields that other models use too",
    options: ["searchable", "component", "multiple", "max"],
    start: {},
    title: "never",
    operators: [IS_EMPTY],
    filterInput: "text",
    choicesOf: none,
    isSorted: false,
    isColumn: false,
    isReference: false,
    listHint: "A list of them, in an order.",
    isAlwaysList: false,
  },
  blocks: {
    words: "Blocks",
    meaning: "A list of different components: the sections of a page",
    options: ["searchable", "components", "max"],
    start: { components: [] },
    title: "never",
    operators: [IS_EMPTY],
    filterInput: "text",
    choicesOf: none,
    isSorted: false,
    isColumn: false,
    isReference: false,
    listHint: "",
    isAlwaysList: true,
  },
};

export const factsOf = ({ type }: Pick<Field, "type">): FieldTypeFacts => FIELD_TYPES[type];

export const isFieldType = (name: string): name is FieldType => Object.hasOwn(FIELD_TYPES, name);

/** Lists the types with their facts, in the order of the table. */
export const fieldTypes = (): (FieldTypeFacts & { type: FieldType })[] =>
  (Object.keys(FIELD_TYPES) as FieldType[]).map((type) => ({ type, ...FIELD_TYPES[type] }));

export const takesOption = ({ type }: Pick<Field, "type">, option: keyof Field): boolean =>
  factsOf({ type }).options.includes(option);

/** Returns whether a field's values can be read as a record's title. */
export const canTitle = (field: Pick<Field, "type">): boolean => factsOf(field).title !== "never";

/** Returns whether the field titles the records of a model that names no title field, if it is the first such field. */
export const titlesFirst = (field: Pick<Field, "type">): boolean => factsOf(field).title === "first";

export const operatorsOf = (field: Field): readonly OfferedOperator[] =>
  field.multiple ? LIST_OPERATORS : factsOf(field).operators;

/** Returns whether a search without an index can look inside the field's texts. */
export const hasContains = (field: Field): boolean =>
  operatorsOf(field).some(([operator]) => operator === "icontains");
