/** The models of the space "sections", written by `silverprint types`. */
export interface Space {
  collections: {
    people: {
      values: {
        photo: string | null;
      };
      input: {
        photo?: string | null;
      };
      references: {
        photo: { to: null; many: false };
      };
    };
    posts: {
      values: {
        cta: ({ _key: string } & Space["components"]["cta"]["values"]) | null;
        sections: (
          | ({ _key: string; _type: "cta" } & Space["components"]["cta"]["values"])
          | ({ _key: string; _type: "quote" } & Space["components"]["quote"]["values"])
        )[];
        body: (
          | TextBlock<"normal" | "h1" | "h2" | "h3" | "h4" | "blockquote", "bullet", Link | InternalLink>
          | ImageBlock
          | ({ _key: string; _type: "quote" } & Space["components"]["quote"]["values"])
        )[];
      };
      input: {
        cta?: ({ _key?: string; _type?: "cta" } & Space["components"]["cta"]["input"]) | null;
        sections?:
          | (
              | ({ _key?: string; _type: "cta" } & Space["components"]["cta"]["input"])
              | ({ _key?: string; _type: "quote" } & Space["components"]["quote"]["input"])
            )[]
          | null;
        body?:
          | (
              | TextBlockInput<
                  "normal" | "h1" | "h2" | "h3" | "h4" | "blockquote",
                  "bullet",
                  LinkInput | InternalLinkInput
                >
              | ImageBlockInput
              | ({ _key?: string; _type: "quote" } & Space["components"]["quote"]["input"])
            )[]
          | null;
      };
      references: {
        "cta.icon": { to: null; many: false };
        "sections.cta.icon": { to: null; many: false };
        "sections.author": { to: "people"; many: false };
        "sections.quote.icon": { to: null; many: true };
        "body.image": { to: null; many: false };
        "body.internalLink": { to: "people"; many: false };
        "body.quote.author": { to: "people"; many: false };
        "body.quote.cta.icon": { to: null; many: false };
        "body.quote.icon": { to: null; many: true };
      };
    };
  };
  pages: {
    home: {
      values: {
        title: string | null;
      };
      input: {
        title?: string | null;
      };
      references: object;
    };
  };
  components: {
    cta: {
      values: {
        label: string;
        icon: string | null;
      };
      input: {
        label: string;
        icon?: string | null;
      };
    };
    quote: {
      values: {
        author: string | null;
        cta: ({ _key: string } & Space["components"]["cta"]["values"]) | null;
        icon: string[];
      };
      input: {
        author?: string | null;
        cta?: ({ _key?: string; _type?: "cta" } & Space["components"]["cta"]["input"]) | null;
        icon?: string[] | null;
      };
    };
  };
}
export interface Span {
  _type: "span";
  _key: string;
  text: string;
  marks: string[];
}
export interface Link {
  _type: "link";
  _key: string;
  href: string;
}
export interface InternalLink {
  _type: "internalLink";
  _key: string;
  record: string;
}
export interface TextBlock<Style extends string, List extends string, Def> {
  _type: "block";
  _key: string;
  style: Style;
  listItem?: List;
  level?: number;
  children: Span[];
  markDefs: Def[];
}
export interface ImageBlock {
  _type: "image";
  _key: string;
  media: string;
  alt?: string;
  caption?: string;
}
export type SpanInput = Pick<Span, "_type" | "text"> & Partial<Span>;
export type LinkInput = Link;
export type InternalLinkInput = InternalLink;
export type TextBlockInput<Style extends string, List extends string, Def> = {
  _type: "block";
  children?: SpanInput[];
} & Partial<Omit<TextBlock<Style, List, Def>, "_type" | "children">>;
export type ImageBlockInput = Omit<ImageBlock, "_key"> & { _key?: string };
