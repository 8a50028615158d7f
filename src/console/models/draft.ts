/** A model while it is edited: what the form holds, and the body that a save sends. Pure. */
import type { Field, FieldType, Model, ModelBody, ModelChangeBody } from "../api/models.ts";

export interface DraftField extends Field {
  /** Stays the same while the field is renamed and moved. */
  key: number;
  /** Its name as stored; null for a new field. */
  was: string | null;
}

export interface ModelDraft {
  label: string;
  description: string;
  titleField: string | null;
  drafts: boolean;
  public: boolean;
  fields: DraftField[];
}

interface TypeOfField {
  type: FieldType;
  words: string;
  meaning: string;
  /** Options that the service takes of it beside name, label, description and required. */
  options: readonly (keyof Field)[];
}

export const FIELD_TYPES: readonly TypeOfField[] = [
  {
    type: "string",
    words: "Short text",
    meaning: "A line: a title, a name, an address",
    options: ["unique", "searchable", "maxLength", "pattern", "default"],
  },
  {
    type: "text",
    words: "Long text",
    meaning: "Paragraphs, Markdown, HTML",
    options: ["searchable", "maxLength", "default"],
  },
  {
    type: "number",
    words: "Number",
    meaning: "With or without decimals",
    options: ["unique", "integer", "min", "max", "default"],
  },
  { type: "boolean", words: "Yes or no", meaning: "A switch", options: ["default"] },
  {
    type: "datetime",
    words: "Date and time",
    meaning: "A moment, kept in UTC",
    options: ["unique", "default"],
  },
  {
    type: "enum",
    words: "Choice",
    meaning: "One of a list of values",
    options: ["unique", "values", "default"],
  },
  { type: "media", words: "Picture", meaning: "One or several media items", options: ["unique", "multiple"] },
  {
    type: "relation",
    words: "Relation",
    meaning: "Records of a collection",
    options: ["unique", "to", "multiple"],
  },
  { type: "json", words: "JSON", meaning: "Any structure of your own", options: ["default"] },
];

const BY_TYPE = new Map(FIELD_TYPES.map((one) => [one.type, one]));
export const wordsOf = (type: FieldType): string => BY_TYPE.get(type)?.words ?? type;
export const takes = (type: FieldType, option: keyof Field): boolean =>
  BY_TYPE.get(type)?.options.includes(option) ?? false;

const TITLES: readonly FieldType[] = ["string", "text", "enum", "number", "datetime"];
/** Whether a field's values can be read as a record's title. */
export const canTitle = ({ type }: Pick<Field, "type">): boolean => TITLES.includes(type);

let lastKey = 0;

export const newField = (type: FieldType): DraftField => ({
  key: ++lastKey,
  was: null,
  name: "",
  type,
  ...(type === "enum" && { values: [] }),
});

export const EMPTY: ModelDraft = {
  label: "",
  description: "",
  titleField: null,
  drafts: false,
  public: false,
  fields: [],
};

export const draftOf = ({
  label,
  description,
  titleField,
  drafts,
  public: isPublic,
  fields,
}: Model): ModelDraft => ({
  label: label ?? "",
  description: description ?? "",
  titleField,
  drafts,
  public: isPublic,
  fields: fields.map((field) => ({ ...field, key: ++lastKey, was: field.name })),
});

const ALWAYS: readonly (keyof Field)[] = ["name", "type", "label", "description", "required"];
const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== "" && value !== false;

/** What the service asks of every field of a type: sent empty too, so that it says what is missing. */
const ASKED: readonly (keyof Field)[] = ["name", "to"];

/** A field as the service takes it: what its type knows, and of that what says something. */
function fieldOf(draft: DraftField): Field {
  const names = [...ALWAYS, ...(BY_TYPE.get(draft.type)?.options ?? [])];
  // `false` is a default like any other.
  const said = names.filter(
    (name) => isSaid(draft[name]) || ASKED.includes(name) || (name === "default" && draft[name] === false),
  );
  const field = Object.fromEntries(said.map((name) => [name, draft[name] ?? ""])) as unknown as Field;
  return field.values ? { ...field, values: field.values.filter((value) => value.trim() !== "") } : field;
}

export function bodyOf({
  label,
  description,
  titleField,
  drafts,
  public: isPublic,
  fields,
}: ModelDraft): ModelBody {
  const isThere = fields.some((field) => field.name === titleField && canTitle(field));
  return {
    label: label.trim() || null,
    description: description.trim() || null,
    titleField: isThere ? titleField : null,
    drafts,
    public: isPublic,
    fields: fields.map(fieldOf),
  };
}

export function changeOf(draft: ModelDraft, version: number, drop: string[]): ModelChangeBody {
  const renamed = draft.fields.filter(({ was, name }) => was !== null && was !== name);
  return {
    ...bodyOf(draft),
    version,
    rename: Object.fromEntries(renamed.map(({ was, name }) => [was ?? name, name])),
    drop,
  };
}

/** Whether saving would send anything else than what is stored. */
export const isChanged = (draft: ModelDraft, model: Model): boolean =>
  JSON.stringify(changeOf(draft, model.version, [])) !==
  JSON.stringify(changeOf(draftOf(model), model.version, []));

/** "Blog posts" as the name of a model: "blog-posts". */
export const modelName = (label: string): string => words(label).join("-");

/** "Published on" as the name of a field: "publishedOn". */
export const fieldName = (label: string): string =>
  words(label)
    .map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("");

const ACCENTS = /\p{Mn}/gu;
const NAME_MAX_CHARACTERS = 63;

const words = (label: string): string[] =>
  label
    .normalize("NFD")
    .replace(ACCENTS, "")
    .toLowerCase()
    .slice(0, NAME_MAX_CHARACTERS)
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    // A name starts with a letter.
    .filter((word, at) => at > 0 || /^[a-z]/.test(word));
