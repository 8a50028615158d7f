/** The forms of Portable Text (https://www.portabletext.org), and the parts of it that a field allows. */

export interface Span {
  _type: "span";
  _key: string;
  text: string;
  marks: string[];
}

export type MarkDef =
  { _type: "link"; _key: string; href: string } | { _type: "internalLink"; _key: string; record: string };

export interface TextBlock {
  _type: "block";
  _key: string;
  style: string;
  listItem?: string;
  level?: number;
  children: Span[];
  markDefs: MarkDef[];
}

export interface ImageBlock {
  _type: "image";
  _key: string;
  media: string;
  alt?: string;
  caption?: string;
}

/** The names in Portable Text that no component can have. `internalLink` is no name of a model anyway. */
export const RESERVED_TYPES: readonly string[] = ["block", "span", "image", "link", "internalLink"];

export const NORMAL = "normal";
export const DEFAULT_STYLES: readonly string[] = [NORMAL, "h1", "h2", "h3", "h4", "blockquote"];
export const DEFAULT_LISTS: readonly string[] = ["bullet", "number"];
export const DEFAULT_DECORATORS: readonly string[] = ["strong", "em", "underline", "strike-through", "code"];

export type Annotation = "link" | { name: "internalLink"; to: string };
export const DEFAULT_ANNOTATIONS: readonly Annotation[] = ["link"];

/** The options of a field of rich text. */
export interface TextOptions {
  styles?: string[] | undefined;
  lists?: string[] | undefined;
  decorators?: string[] | undefined;
  annotations?: Annotation[] | undefined;
  components?: string[] | undefined;
  image?: boolean | undefined;
}

/** The same with defaults in place of options that are left out. */
export interface Allowed {
  styles: readonly string[];
  lists: readonly string[];
  decorators: readonly string[];
  hasLink: boolean;
  /** The collection of internal links; null without them. */
  linkTo: string | null;
  components: readonly string[];
  hasImage: boolean;
}

export function allowedBy(options: TextOptions): Allowed {
  const { annotations = DEFAULT_ANNOTATIONS } = options;
  const internal = annotations.find((one) => typeof one === "object");
  return {
    styles: options.styles ?? DEFAULT_STYLES,
    lists: options.lists ?? DEFAULT_LISTS,
    decorators: options.decorators ?? DEFAULT_DECORATORS,
    hasLink: annotations.includes("link"),
    linkTo: internal?.to ?? null,
    components: options.components ?? [],
    hasImage: options.image ?? false,
  };
}
