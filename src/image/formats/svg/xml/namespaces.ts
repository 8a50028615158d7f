/** The namespaces that are in scope while a document is read (Namespaces in XML 1.0). */
import { SVG } from "../../../../limits.ts";
import { XML_NAMESPACE } from "../safe/vocabulary.ts";

const XMLNS_NAMESPACE = "http://www.w3.org/2000/xmlns/";

export class Namespaces {
  readonly #uris = new Map([
    ["xml", XML_NAMESPACE],
    ["xmlns", XMLNS_NAMESPACE],
  ]);
  /** A number for each namespace, so that a long URI is not read again for each attribute that has it. */
  readonly #numbers = new Map([
    ["", 0],
    [XML_NAMESPACE, 1],
    [XMLNS_NAMESPACE, 2],
  ]);
  /** The former meanings of prefixes that open elements have declared, and how many each of these elements declares. */
  readonly #former: [prefix: string, uri: string | undefined][] = [];
  readonly #counts: number[] = [];

  /** Begins an element, whose declarations follow. */
  open(): void {
    this.#counts.push(0);
  }

  /** Ends the element that was opened last, and forgets its declarations. */
  close(): void {
    for (let count = this.#counts.pop() ?? 0; count > 0; count--) {
      const [prefix, uri] = this.#former.pop()!;
      if (uri === undefined) this.#uris.delete(prefix);
      else this.#uris.set(prefix, uri);
    }
  }

  /**
   * Declares a prefix, or with an empty one the namespace of elements without a prefix.
   * @returns why it may not be declared; null if it may
   */
  declare(prefix: string, uri: string): string | null {
    if (uri.length > SVG.namespaceMaxCharacters)
      return `a namespace has more than ${SVG.namespaceMaxCharacters} characters`;
    if (prefix !== "" && uri === "") return "a prefix of a namespace is declared as empty";
    if (prefix === "xmlns" || uri === XMLNS_NAMESPACE) return "the namespace xmlns is declared";
    if ((prefix === "xml") !== (uri === XML_NAMESPACE)) return "the prefix xml has another namespace";
    this.#former.push([prefix, this.#uris.get(prefix)]);
    this.#counts[this.#counts.length - 1]! += 1;
    this.#uris.set(prefix, uri);
    if (!this.#numbers.has(uri)) this.#numbers.set(uri, this.#numbers.size);
    return null;
  }

  /** Returns the number of a namespace that was declared. */
  numberOf(uri: string): number {
    return this.#numbers.get(uri)!;
  }

  /** Returns the namespace of an element with this prefix; null if the prefix is not declared. */
  ofElement(prefix: string): string | null {
    if (prefix === "xmlns") return null;
    return this.#uris.get(prefix) ?? (prefix === "" ? "" : null);
  }

  /** Returns the namespace of an attribute. One without a prefix has none, whatever that of its element is. */
  ofAttribute(prefix: string, local: string): string | null {
    if (prefix === "") return local === "xmlns" ? XMLNS_NAMESPACE : "";
    return this.#uris.get(prefix) ?? null;
  }
}
