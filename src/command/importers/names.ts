/** Names of models and fields that follow from names in the source, which may have any form. */

/** Names that the service sets on records, in some spaces or in all. No field has one of these. */
const RESERVED_FIELDS = new Set([
  ...["id", "createdAt", "updatedAt", "version", "createdBy", "updatedBy"],
  ...["status", "publishedAt", "firstPublishedAt", "publishAt", "unpublishAt"],
  ...["locale", "statuses", "fallbacks", "sourceId"],
]);
/** Names in Portable Text that no component can have. */
const RESERVED_MODELS = new Set(["block", "span", "image", "link"]);
const NAME_MAX = 63;

const ascii = (text: string): string => text.normalize("NFKD").replaceAll(/[\u0300-\u036f]/g, "");

/** Returns a model's name: `blogPost` becomes `blog-post`, and `blocks.hero` `blocks-hero`. */
export function modelNameFrom(text: string): string {
  const name = ascii(text)
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "-")
    .replaceAll(/^[^a-z]+|-+$/g, "")
    .slice(0, NAME_MAX - 3)
    .replace(/-+$/, "");
  return name === "" ? "model" : name;
}

/** Returns a field's name: `Hero image` becomes `heroImage`. A name that can stay does. */
export function fieldNameFrom(text: string): string {
  const parts = ascii(text)
    .split(/[^A-Za-z0-9_]+/)
    .filter((part) => part !== "");
  const joined = parts.map((part, at) => (at === 0 ? part : part[0]!.toUpperCase() + part.slice(1))).join("");
  const name = joined.replace(/^[^A-Za-z]+/, "").slice(0, NAME_MAX - 3);
  return name === "" ? "field" : name[0]!.toLowerCase() + name.slice(1);
}

/** Gives each name of the source one of its own, always the same as long as they come in the same order. */
export class Names {
  readonly #bySource = new Map<string, string>();
  readonly #taken: Set<string>;
  readonly #from: (text: string) => string;
  readonly #suffix: string;

  private constructor(from: (text: string) => string, reserved: Iterable<string>, suffix: string) {
    this.#from = from;
    this.#taken = new Set(reserved);
    this.#suffix = suffix;
  }

  static ofModels(taken: Iterable<string> = []): Names {
    return new Names(modelNameFrom, [...RESERVED_MODELS, ...taken], "-");
  }

  static ofFields(taken: Iterable<string> = []): Names {
    return new Names(fieldNameFrom, [...RESERVED_FIELDS, ...taken], "_");
  }

  /** Returns the name of a source's name, and gives it one if it has none yet. */
  of(source: string): string {
    const known = this.#bySource.get(source);
    if (known !== undefined) return known;
    const first = this.#from(source);
    let name = first;
    for (let count = 2; this.#taken.has(name); count++) name = `${first}${this.#suffix}${count}`;
    this.#taken.add(name);
    this.#bySource.set(source, name);
    return name;
  }

  /** Returns the name that a source's name has already. */
  get(source: string): string | undefined {
    return this.#bySource.get(source);
  }

  entries(): IterableIterator<[string, string]> {
    return this.#bySource.entries();
  }
}
