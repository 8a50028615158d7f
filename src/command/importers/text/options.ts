/** The options of fields of rich text, and the components that stand for parts of HTML that Portable Text has no form for. */
import {
  DEFAULT_DECORATORS,
  DEFAULT_LISTS,
  DEFAULT_STYLES,
} from "../../../content/field-types/nested/portable-text.ts";
import type { Json, SiteField, SiteModel } from "../site.ts";
import type { TextUse } from "./portable-text.ts";

/** The components of texts that come from HTML or Markdown, by the names that they have where these are free. */
export const TEXT_COMPONENTS = {
  code: {
    label: "Code",
    fields: [
      { name: "code", type: "text" },
      { name: "language", type: "string" },
    ],
  },
  table: {
    label: "Table",
    description: "rows: a list of rows, each a list of cells as plain text; html: the table as it was",
    fields: [
      { name: "rows", type: "json" },
      { name: "hasHeader", type: "boolean" },
      { name: "html", type: "text" },
    ],
  },
  embed: {
    label: "Embed",
    description: "A video, a player or another page",
    fields: [
      { name: "url", type: "string" },
      { name: "html", type: "text" },
    ],
  },
  divider: {
    label: "Divider",
    description: "kind: line, more (the end of the teaser) or page",
    fields: [{ name: "kind", type: "string" }],
  },
  html: {
    label: "HTML",
    description: "A part of the text that rich text has no form for, as it was",
    fields: [{ name: "html", type: "text" }],
  },
} as const satisfies Record<string, Omit<SiteModel, "typeModel" | "name">>;

export type TextComponent = keyof typeof TEXT_COMPONENTS;
export const TEXT_COMPONENT_NAMES = Object.keys(TEXT_COMPONENTS) as TextComponent[];

/** Returns the models of the text components that some text holds. */
export const textComponents = (used: ReadonlySet<string>): SiteModel[] =>
  TEXT_COMPONENT_NAMES.filter((name) => used.has(name)).map((name) => {
    const { fields, ...words } = TEXT_COMPONENTS[name];
    return {
      typeModel: "components",
      name,
      ...words,
      fields: fields.map((field): SiteField => ({ ...field })),
    };
  });

/** Returns what a text holds beside the defaults of an option, behind these; null if the defaults are enough. */
function beside(used: ReadonlySet<string>, defaults: readonly string[]): string[] | null {
  const further = [...used].filter((name) => !defaults.includes(name)).sort();
  return further.length > 0 ? [...defaults, ...further] : null;
}

/** Returns the options of a field of rich text. @param linkTo the collection of its links to records */
export function richTextOptions(use: TextUse, linkTo: string | null): Record<string, Json> {
  const styles = beside(use.styles, DEFAULT_STYLES);
  const lists = beside(use.lists, DEFAULT_LISTS);
  const decorators = beside(use.decorators, DEFAULT_DECORATORS);
  const hasRecord = use.hasRecord && linkTo !== null;
  return {
    ...(styles && { styles }),
    ...(lists && { lists }),
    ...(decorators && { decorators }),
    ...(hasRecord && { annotations: ["link", { name: "internalLink", to: linkTo }] }),
    ...(use.components.size > 0 && { components: [...use.components].sort() }),
    ...(use.hasImage && { image: true }),
  };
}
