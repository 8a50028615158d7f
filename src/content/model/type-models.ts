/** The kinds of models (RULES 3.1). */

/** The kinds whose models have records. */
export const RECORD_TYPE_MODELS = ["collections", "pages"] as const;
export type RecordTypeModel = (typeof RECORD_TYPE_MODELS)[number];

export const TYPE_MODELS = [...RECORD_TYPE_MODELS, "components"] as const;
export type TypeModel = (typeof TYPE_MODELS)[number];

export const isTypeModel = (text: string): text is TypeModel =>
  (TYPE_MODELS as readonly string[]).includes(text);

export const hasRecords = (typeModel: string): typeModel is RecordTypeModel =>
  (RECORD_TYPE_MODELS as readonly string[]).includes(typeModel);
