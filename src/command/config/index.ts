/** `silverprint/config`: the types of a document of models, for `silverprint.config.ts`. */
import type { components } from "../../client/schema.ts";

type Schemas = components["schemas"];

/** A field as it is written. Options with a default are always there in an answer, and may be left out here. */
type Written<Field> = Field extends { type: "richtext"; name: string }
  ? Pick<Field, "type" | "name"> & Partial<Field>
  : Field;

/** A field of a model. `renamedFrom` is the name that it had before. */
export type DocumentField = Written<Schemas["DocumentField"]>;
/** A collection, a page or a component. */
export type DocumentModel = Omit<Schemas["DocumentModel"], "fields"> & { fields: DocumentField[] };
/** The settings and models that a space is to have. */
export type ModelsDocument = Pick<Schemas["ModelsDocument"], "settings"> & { models: DocumentModel[] };

/** Returns the document as it is. It gives an editor its types: `export default defineModels({ models: [...] })`. */
export const defineModels = (document: ModelsDocument): ModelsDocument => document;
