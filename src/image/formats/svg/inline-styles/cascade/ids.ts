/**
 * Resolves references as browsers do: of several elements with the same id the first one counts, an id may have any
 * characters, and a reference to an element of the wrong kind is a reference to nothing (SVG 2, section 16.1).
 */
import type { SvgNode } from "./tree.ts";
import { Unresolved } from "../values/unresolved.ts";

const PAINT_SERVERS = ["linearGradient", "radialGradient", "pattern"];
/** The kinds of elements that a property may refer to. */
const TARGETS: Record<string, readonly string[]> = {
  fill: PAINT_SERVERS,
  stroke: PAINT_SERVERS,
  "clip-path": ["clipPath"],
  mask: ["mask"],
  filter: ["filter"],
  "marker-start": ["marker"],
  "marker-mid": ["marker"],
  "marker-end": ["marker"],
};

/** Returns whether `property` may refer to an element called `name`. */
export const isTarget = (property: string, name: string): boolean =>
  TARGETS[property]?.includes(name) ?? true;

const REFERENCE = /url\((?:"#((?:[^"\\]|\\.)*)"|#([^)"]*))\)/g;
/** Ids that the renderer finds. */
const PLAIN = /^[\w.:-]+$/;

export class Ids {
  readonly #byId = new Map<string, SvgNode>();
  /** The id that an element is given. */
  readonly #written = new Map<SvgNode, string>();
  readonly #byWritten = new Map<string, SvgNode>();

  constructor(nodes: readonly SvgNode[]) {
    for (const node of nodes) {
      const id = node.attributes.get("id");
      if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, node);
    }
    let count = 0;
    for (const [id, node] of this.#byId) {
      let written = id;
      while (!PLAIN.test(written) || (written !== id && this.#byId.has(written))) written = `id-${count++}`;
      this.#written.set(node, written);
      this.#byWritten.set(written, node);
    }
  }

  /**
   * Returns the element that `#id` refers to: the id as written or, if there is none, with its percent encoding
   * decoded.
   */
  target(id: string): SvgNode | undefined {
    return this.#byId.get(id) ?? this.#byId.get(decoded(id));
  }

  /** Returns the target of the `href` of an element that is settled. */
  targetOf({ attributes }: SvgNode): SvgNode | undefined {
    const reference = attributes.get("href") ?? attributes.get("xlink:href");
    return reference?.startsWith("#") ? this.#byWritten.get(reference.slice(1)) : undefined;
  }

  /** Writes the id and the references of an element, whose styles are attributes already. @throws Unresolved */
  settle(node: SvgNode): void {
    const { attributes } = node;
    const id = this.#written.get(node);
    if (id === undefined) attributes.delete("id");
    else attributes.set("id", id);
    for (const [property, kinds] of Object.entries(TARGETS)) {
      const value = attributes.get(property);
      if (value?.includes("url(")) attributes.set(property, this.#value(property, value, kinds));
    }
    for (const name of ["href", "xlink:href"]) {
      const reference = attributes.get(name);
      if (!reference?.startsWith("#")) continue;
      const target = this.target(reference.slice(1));
      if (target) attributes.set(name, `#${this.#written.get(target) ?? ""}`);
      else attributes.delete(name);
    }
  }

  #value(property: string, value: string, kinds: readonly string[]): string {
    const missing: string[] = [];
    const written = value.replace(REFERENCE, (url: string, quoted?: string, bare?: string) => {
      const target = this.target(quoted?.replace(/\\(.)/g, "$1") ?? bare ?? "");
      if (target && kinds.includes(target.name)) return `url(#${this.#written.get(target) ?? ""})`;
      missing.push(url);
      return "";
    });
    if (missing.length === 0) return written;
    const rest = written.trim();
    // The colour to fall back on follows the paint server.
    if (kinds === PAINT_SERVERS) return rest || "none";
    if (rest !== "") throw new Unresolved(`its ${property} refers to a missing element`);
    return "none";
  }
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
