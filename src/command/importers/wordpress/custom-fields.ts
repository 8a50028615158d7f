/** Custom fields of WordPress: their names, and types that follow from all of their values. */
import { Names } from "../names.ts";
import type { Json, SiteField } from "../site.ts";
import { cleanText } from "../text/portable-text.ts";

const STRING_MAX_CHARACTERS = 2000;
/** The most custom fields that get a field each. A model takes 100, and posts have up to 30 others. */
export const CUSTOM_FIELDS_MAX = 70;
/** The field that holds all others: an object by their names in WordPress. */
const OTHERS = "otherCustomFields";

interface Seen {
  posts: number;
  isRepeated: boolean;
  isLong: boolean;
}

/** The custom fields of one type of posts. */
export class CustomFields {
  readonly #names: Names;
  readonly #seen = new Map<string, Seen>();
  #kept: ReadonlySet<string> | null = null;

  constructor(taken: readonly string[]) {
    this.#names = Names.ofFields([...taken, OTHERS]);
  }

  /** Takes note of the values of a post. */
  add(meta: readonly (readonly [key: string, value: string])[]): void {
    const inPost = new Set<string>();
    for (const [key, value] of meta) {
      const seen = this.#seen.get(key) ?? { posts: 0, isRepeated: false, isLong: false };
      if (inPost.has(key)) seen.isRepeated = true;
      else seen.posts += 1;
      seen.isLong ||= value.length > STRING_MAX_CHARACTERS || value.includes("\n");
      this.#seen.set(key, seen);
      inPost.add(key);
    }
    this.#kept = null;
  }

  #typeOf({ isRepeated, isLong }: Seen): string {
    return isRepeated ? "json" : isLong ? "text" : "string";
  }

  /** The keys that get a field each: those that most posts have. */
  get #own(): ReadonlySet<string> {
    if (this.#kept) return this.#kept;
    const byPosts = [...this.#seen].sort(([, a], [, b]) => b.posts - a.posts).slice(0, CUSTOM_FIELDS_MAX);
    const most = new Set(byPosts.map(([key]) => key));
    this.#kept = new Set([...this.#seen.keys()].filter((key) => most.has(key)));
    // In the order of the export, so that two names that become alike are told apart in the same way each time.
    for (const key of this.#kept) this.#names.of(key);
    return this.#kept;
  }

  /** Returns the names in WordPress of those that share one field. */
  others(): string[] {
    return [...this.#seen.keys()].filter((key) => !this.#own.has(key));
  }

  fields(): SiteField[] {
    const own = [...this.#own].map((key) => ({
      ...{ name: this.#names.of(key), type: this.#typeOf(this.#seen.get(key)!) },
      ...(this.#names.of(key) !== key && { label: key.slice(0, 200) }),
    }));
    return this.others().length === 0 ? own : [...own, { name: OTHERS, type: "json" }];
  }

  values(meta: readonly (readonly [key: string, value: string])[]): Record<string, Json> {
    const values: Record<string, Json> = {};
    const others: Record<string, Json> = {};
    for (const [key, { isRepeated }] of this.#seen) {
      const own = meta.filter(([name]) => name === key).map(([, value]) => cleanText(value));
      if (own.length === 0) continue;
      const value = isRepeated ? own : own[0]!;
      if (this.#own.has(key)) values[this.#names.of(key)] = value;
      else others[key] = value;
    }
    return Object.keys(others).length === 0 ? values : { ...values, [OTHERS]: others };
  }
}
