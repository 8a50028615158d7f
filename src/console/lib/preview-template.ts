/** The template of a preview's address (src/content/model/preview-url.ts): names in braces. Pure. */

const PLACE = /\{([^{}]*)\}/g;
/** The names that every template may use. They hide fields of the same name. */
const COMMON: readonly string[] = ["id", "model", "locale", "token"];

interface Previewed {
  /** The record as it is stored, in the locale. */
  record: { id: string; [field: string]: unknown };
  model: string;
  /** Empty in a space without locales. */
  locale: string;
  token: string;
}

/** Returns the address of a page by a model's template. Each value is percent-encoded. */
export function previewAddress(template: string, { record, model, locale, token }: Previewed): string {
  const common: Record<string, string> = { id: record.id, model, locale, token };
  return template.replaceAll(PLACE, (_, name: string) => {
    const value = COMMON.includes(name) ? common[name] : record[name];
    return encodeURIComponent(typeof value === "string" ? value : "");
  });
}

/** Returns a template with the new name of a field. */
export const renamedInPreview = (template: string, from: string, to: string): string =>
  from === "" || to === "" || COMMON.includes(from) ? template : template.replaceAll(`{${from}}`, `{${to}}`);
