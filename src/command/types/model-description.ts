/** A model as the service describes it, with the parts that its types follow from. */
import type { Field } from "../../content/field-types/registry.ts";
import type { TypeModel } from "../../content/model/type-models.ts";

export interface ModelDescription {
  typeModel: TypeModel;
  name: string;
  fields: Field[];
  drafts?: boolean;
}
