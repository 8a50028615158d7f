/** Reads WXR, the export of WordPress: XML in a stream, item by item. */
import { SaxesParser, type SaxesTagPlain } from "saxes";
import { Failure } from "../../base/failure.ts";

export interface WxrCategory {
  /** The taxonomy. */
  domain: string;
  /** The slug; empty where the item gives the name alone. */
  nicename: string;
  name: string;
}

/** A post, a page, an attachment, or any other item. */
export interface WxrItem {
  kind: "item";
  /** The texts of its elements by their names: `title`, `wp:post_id`, `content:encoded`. */
  values: Record<string, string>;
  meta: [key: string, value: string][];
  categories: WxrCategory[];
  comments: number;
}

/** An author or a term: `wp:author`, `wp:category`, `wp:tag` or `wp:term`. */
export interface WxrEntry {
  kind: "wp:author" | "wp:category" | "wp:tag" | "wp:term";
  values: Record<string, string>;
}

/** A text of the channel, such as its `link`. */
export interface WxrFact {
  kind: "fact";
  name: string;
  text: string;
}

export type WxrPart = WxrItem | WxrEntry | WxrFact;

const ENTRIES: readonly string[] = ["wp:author", "wp:category", "wp:tag", "wp:term"];
const DEPTH = { channel: 2, part: 3, value: 4, inner: 5 } as const;

/**
 * Returns a part with texts of its own. V8 keeps a text that is cut out of another as a view of that one, so the id of a
 * post would keep all that was read of the file with it.
 */
const copyOf = (part: WxrPart): WxrPart => JSON.parse(JSON.stringify(part)) as WxrPart;

/** The taxonomy of tags in exports of WordPress before 3.1. */
const OLD_TAG = "tag";

/**
 * Returns the categories of an item. WordPress before 3.1 writes each twice: its name alone, and its name with its
 * nicename. Of these two the one without a nicename is dropped.
 */
function withoutTwins(categories: readonly WxrCategory[]): WxrCategory[] {
  const keyOf = ({ domain, name }: WxrCategory): string => `${domain}\0${name.trim()}`;
  const named = new Set(categories.filter(({ nicename }) => nicename !== "").map(keyOf));
  return categories.filter((category) => category.nicename !== "" || !named.has(keyOf(category)));
}

/** The state of one read: the element that is open at each depth, and the part that is being filled. */
class Reader {
  readonly parts: WxrPart[] = [];
  /** The first fault of the XML. Exports of real sites have some, and most of it can be read all the same. */
  fault: string | null = null;
  isWxr = false;
  /** Whether the outermost element was closed: a file that was cut off lacks its end. */
  isEnded = false;
  readonly #open: string[] = [];
  #item: WxrItem | null = null;
  #entry: WxrEntry | null = null;
  #category: WxrCategory | null = null;
  #meta: Record<string, string> = {};
  #text = "";

  opened({ name, attributes }: SaxesTagPlain): void {
    this.#open.push(name);
    this.#text = "";
    const depth = this.#open.length;
    this.isWxr ||= depth === 1 && name === "rss";
    if (depth === DEPTH.part && name === "item") {
      this.#item = { kind: "item", values: {}, meta: [], categories: [], comments: 0 };
    } else if (depth === DEPTH.part && ENTRIES.includes(name)) {
      this.#entry = { kind: name as WxrEntry["kind"], values: {} };
    } else if (depth === DEPTH.value && this.#item && name === "category") {
      const { domain = "category", nicename = "" } = attributes;
      this.#category = { domain: domain === OLD_TAG ? "post_tag" : domain, nicename, name: "" };
    }
  }

  text(text: string): void {
    this.#text += text;
  }

  closed(): void {
    const depth = this.#open.length;
    const name = this.#open.pop() ?? "";
    const text = this.#text;
    this.#text = "";
    this.isEnded ||= depth === 1;
    if (depth === DEPTH.part) this.#closedPart(name, text);
    else if (depth === DEPTH.value) this.#closedValue(name, text);
    else if (depth === DEPTH.inner && this.#open.at(-1) === "wp:postmeta") this.#meta[name] = text;
  }

  #closedPart(name: string, text: string): void {
    if (this.#item) this.#item.categories = withoutTwins(this.#item.categories);
    this.parts.push(copyOf(this.#item ?? this.#entry ?? { kind: "fact", name, text }));
    this.#item = null;
    this.#entry = null;
  }

  #closedValue(name: string, text: string): void {
    if (this.#entry) this.#entry.values[name] = text;
    const item = this.#item;
    if (!item) return;
    if (name === "wp:postmeta") {
      item.meta.push([this.#meta["wp:meta_key"] ?? "", this.#meta["wp:meta_value"] ?? ""]);
      this.#meta = {};
    } else if (name === "wp:comment") item.comments += 1;
    else if (name === "category" && this.#category) {
      item.categories.push({ ...this.#category, name: text });
    } else item.values[name] = text;
  }
}

/**
 * Yields the parts of a WXR file in their order.
 * @param faulty is told of the first fault of the XML, after which as much as possible is read
 * @throws Failure for a file that is no WXR, and, after its parts, for one that was cut off
 */
export async function* wxrParts(
  stream: AsyncIterable<Uint8Array>,
  faulty: (fault: string) => void,
): AsyncIterable<WxrPart> {
  const reader = new Reader();
  const parser = new SaxesParser();
  parser.on("opentag", (tag) => reader.opened(tag));
  parser.on("closetag", () => reader.closed());
  parser.on("text", (text) => reader.text(text));
  parser.on("cdata", (text) => reader.text(text));
  parser.on("error", ({ message }) => {
    if (reader.fault === null) faulty((reader.fault = message));
  });
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    parser.write(decoder.decode(chunk, { stream: true }));
    yield* reader.parts.splice(0);
  }
  parser.write(decoder.decode()).close();
  yield* reader.parts.splice(0);
  if (!reader.isWxr) {
    throw new Failure("The file is no export of WordPress (WXR).", {
      next: "Make one in WordPress: Tools, Export, All content.",
    });
  }
  if (!reader.isEnded)
    throw new Failure("The file ends in the middle of its XML.", { next: "Export it again." });
}
