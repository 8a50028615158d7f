/** A model while it is edited, and the body that a save sends. Pure. */
import { canTitle, FIELD_TYPES } from "../api/field-types.ts";
import type { Field, FieldType, Model, ModelBody, ModelChangeBody, TypeModel } from "../api/models.ts";

export interface DraftField extends Field {
  /** A number that stays the same while the field is renamed and moved. */
  key: number;
  /** Its name as stored; null for a new field. */
  was: string | null;
}

export interface ModelDraft {
  label: string;
  description: string;
  titleField: string | null;
  previewUrl: string;
  drafts: boolean;
  public: boolean;
  fields: DraftField[];
}

let lastKey = 0;

export const newField = (type: FieldType): DraftField => ({
  key: ++lastKey,
  was: null,
  name: "",
  type,
  ...FIELD_TYPES[type].start,
});

export const EMPTY: ModelDraft = {
  label: "",
  description: "",
  titleField: null,
  previewUrl: "",
  drafts: false,
  public: false,
  fields: [],
};

export const draftOf = ({
  label,
  description,
  titleField,
  previewUrl,
  drafts,
  public: isPublic,
  fields,
}: Model): ModelDraft => ({
  label: label ?? "",
  description: description ?? "",
  titleField,
  previewUrl: previewUrl ?? "",
  drafts,
  public: isPublic,
  fields: fields.map((field) => ({ ...field, key: ++lastKey, was: field.name })),
});

const ALWAYS: readonly (keyof Field)[] = ["name", "type", "label", "description", "required"];
const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== "" && value !== false;

/** Required options. They are sent even if they are empty, so that the service reports them as missing. */
const ASKED: readonly (keyof Field)[] = ["name", "to", "component"];
/** Options of every type that a component's fields do not have. */
const BY_LANGUAGE: readonly (keyof Field)[] = ["localized", "requiredIn"];
const NOT_IN_COMPONENTS: readonly (keyof Field)[] = ["unique", ...BY_LANGUAGE];

/** Returns a field as the service takes it: the options of its type that are not empty. */
function fieldOf(draft: DraftField, typeModel: TypeModel): Field {
  const names = [
    ...ALWAYS,
    ...FIELD_TYPES[draft.type].options,
    ...(draft.localized ? BY_LANGUAGE : []),
  ].filter((name) => typeModel !== "components" || !NOT_IN_COMPONENTS.includes(name));
  // `false` is a default like any other.
  const said = names.filter(
    (name) => isSaid(draft[name]) || ASKED.includes(name) || (name === "default" && draft[name] === false),
  );
  const field = Object.fromEntries(said.map((name) => [name, draft[name] ?? ""])) as unknown as Field;
  return field.values ? { ...field, values: field.values.filter((value) => value.trim() !== "") } : field;
}

export function bodyOf(
  { label, description, titleField, previewUrl, drafts, public: isPublic, fields }: ModelDraft,
  typeModel: TypeModel,
): ModelBody {
  const isThere = fields.some((field) => field.name === titleField && canTitle(field));
  return {
    label: label.trim() || null,
    description: description.trim() || null,
    titleField: isThere ? titleField : null,
    previewUrl: (typeModel !== "components" && previewUrl.trim()) || null,
    drafts: drafts && typeModel !== "components",
    public: isPublic && typeModel !== "components",
    fields: fields.map((field) => fieldOf(field, typeModel)),
  };
}

export function changeOf(
  draft: ModelDraft,
  { typeModel, version }: Pick<Model, "typeModel" | "version">,
  drop: string[],
): ModelChangeBody {
  const renamed = draft.fields.filter(({ was, name }) => was !== null && was !== name);
  return {
    ...bodyOf(draft, typeModel),
    version,
    rename: Object.fromEntries(renamed.map(({ was, name }) => [was ?? name, name])),
    drop,
  };
}

/** Returns whether a save would change the stored model. */
export const isChanged = (draft: ModelDraft, model: Model): boolean =>
  JSON.stringify(changeOf(draft, model, [])) !== JSON.stringify(changeOf(draftOf(model), model, []));

/** Converts a label to the name of a model: "Blog posts" to "blog-posts". */
export const modelName = (label: string): string => words(label).join("-");

/** Converts a label to the name of a field: "Published on" to "publishedOn". */
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
