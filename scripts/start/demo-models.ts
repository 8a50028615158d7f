/** The models of the demo: the website of a small photo house, in two languages, whose pages are blocks. */

export interface DemoModel {
  typeModel: "collections" | "pages" | "components";
  name: string;
  label: string;
  description: string;
  titleField?: string;
  /** Its records are published after they are made. */
  drafts?: true;
  fields: object[];
}

/** The languages of the demo. Pages without a German text show the English one. */
export const LOCALES = [{ code: "en" }, { code: "de", fallback: "en" }] as const;

const required = true;
const localized = true;

/** The parts of pages. Each stands before those that hold it. */
const COMPONENTS: readonly DemoModel[] = [
  {
    typeModel: "components",
    name: "button",
    label: "Button",
    description: "A way on",
    fields: [
      { name: "words", label: "Words", type: "string", required, maxLength: 40 },
      { name: "address", label: "Address", type: "string", required, description: "Such as /prints" },
    ],
  },
  {
    typeModel: "components",
    name: "opening",
    label: "Opening",
    description: "A large picture with a line above it",
    titleField: "headline",
    fields: [
      { name: "headline", label: "Headline", type: "string", required },
      { name: "words", label: "Words", type: "text" },
      { name: "picture", label: "Picture", type: "media" },
      { name: "button", label: "Button", type: "component", component: "button" },
    ],
  },
  {
    typeModel: "components",
    name: "callout",
    label: "Callout",
    description: "A remark that stands out",
    fields: [
      { name: "words", label: "Words", type: "text", required },
      { name: "tone", label: "Tone", type: "enum", values: ["calm", "urgent"], default: "calm" },
    ],
  },
  {
    typeModel: "components",
    name: "story",
    label: "Text",
    description: "Paragraphs with their headings",
    fields: [
      {
        name: "text",
        label: "Text",
        type: "richtext",
        image: true,
        components: ["callout"],
        annotations: ["link", { name: "internalLink", to: "articles" }],
      },
    ],
  },
  {
    typeModel: "components",
    name: "gallery",
    label: "Gallery",
    description: "Pictures beside each other",
    titleField: "title",
    fields: [
      { name: "title", label: "Title", type: "string" },
      { name: "pictures", label: "Pictures", type: "media", multiple: true },
    ],
  },
  {
    typeModel: "components",
    name: "quote",
    label: "Quotation",
    description: "Words and their author",
    titleField: "words",
    fields: [
      { name: "words", label: "Words", type: "text", required },
      { name: "by", label: "By", type: "relation", to: "people" },
    ],
  },
];

const sections = {
  name: "sections",
  label: "Sections",
  type: "blocks",
  components: ["opening", "story", "gallery", "quote"],
  max: 20,
  localized,
  searchable: true,
};

const COLLECTIONS: readonly DemoModel[] = [
  {
    typeModel: "collections",
    name: "people",
    label: "People",
    description: "Who writes and takes pictures",
    titleField: "name",
    fields: [
      { name: "name", label: "Name", type: "string", required, unique: true, searchable: true },
      { name: "role", label: "Role", type: "enum", values: ["Photographer", "Writer", "Printer"] },
      { name: "about", label: "About", type: "text", searchable: true, localized },
      { name: "portrait", label: "Portrait", type: "media" },
    ],
  },
  {
    typeModel: "collections",
    name: "articles",
    label: "Articles",
    description: "The journal of the house",
    titleField: "title",
    drafts: true,
    fields: [
      {
        name: "title",
        label: "Title",
        type: "string",
        required,
        searchable: true,
        maxLength: 120,
        localized,
      },
      {
        name: "slug",
        label: "Address",
        type: "string",
        required,
        unique: true,
        pattern: "^[a-z0-9-]+$",
        description: "The last part of the page's address: a-z, 0-9 and -",
      },
      { name: "summary", label: "Summary", type: "text", searchable: true, maxLength: 300, localized },
      { name: "body", label: "Text", type: "richtext", searchable: true, image: true, localized },
      { name: "cover", label: "Cover", type: "media" },
      { name: "author", label: "Author", type: "relation", to: "people" },
      { name: "topic", label: "Topic", type: "enum", values: ["Light", "Paper", "Places"] },
      { name: "writtenOn", label: "Written on", type: "datetime" },
      { name: "minutes", label: "Minutes to read", type: "number", integer: true, min: 1 },
      { name: "featured", label: "Featured", type: "boolean", default: false },
    ],
  },
  {
    typeModel: "collections",
    name: "prints",
    label: "Prints",
    description: "What the shop sells",
    titleField: "title",
    fields: [
      { name: "title", label: "Title", type: "string", required, searchable: true, localized },
      { name: "picture", label: "Picture", type: "media", required },
      { name: "by", label: "By", type: "relation", to: "people" },
      { name: "price", label: "Price", type: "number", min: 0, description: "In francs" },
      { name: "edition", label: "Edition", type: "number", integer: true, min: 1 },
      { name: "sizes", label: "Sizes", type: "json", description: "In centimetres" },
    ],
  },
];

const PAGES: readonly DemoModel[] = [
  {
    typeModel: "pages",
    name: "home",
    label: "Home page",
    description: "What visitors see first",
    titleField: "headline",
    fields: [
      { name: "headline", label: "Headline", type: "string", localized },
      sections,
      { name: "hero", label: "Picture for search engines", type: "media" },
      { name: "featured", label: "Featured articles", type: "relation", to: "articles", multiple: true },
    ],
  },
  {
    typeModel: "pages",
    name: "about",
    label: "About us",
    description: "The house and how to find it",
    titleField: "headline",
    fields: [
      { name: "headline", label: "Headline", type: "string", localized },
      sections,
      { name: "plan", label: "Floor plan", type: "media" },
      { name: "openingHours", label: "Opening hours", type: "json" },
    ],
  },
];

/** The models in their order: components lead to collections, and pages hold components. */
export const MODELS: readonly DemoModel[] = [...COLLECTIONS, ...COMPONENTS, ...PAGES];
