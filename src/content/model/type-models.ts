/** The two kinds of models (RULES 3.1). */

export const TYPE_MODELS = ["collections", "pages"] as const;
export type TypeModel = (typeof TYPE_MODELS)[number];

export const isTypeModel = (text: string): text is TypeModel =>
  (TYPE_MODELS as readonly string[]).includes(text);
