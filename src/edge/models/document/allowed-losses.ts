/**
 * The values that a document may lose, as `allowDrop` names them: `model.field`, `model.field@de`, and `@de` for a locale.
 * Where two models of a document have the same name, the type stands before it: `pages/home.field`. The short name would
 * allow the loss in both. Pure.
 */
import type { ValidationErrors } from "../../../content/faults/validation-errors.ts";
import { keyOf, type DocumentModel, type ModelsDocument } from "./document.ts";

/** Returns the names that several models of a document have. */
const sharedNames = ({ models }: ModelsDocument): Set<string> => {
  const names = models.map(({ name }) => name);
  return new Set(names.filter((name, index) => names.indexOf(name) !== index));
};

/** Returns the locales whose values may be lost: `@de` in `allowDrop`. */
export const droppedLocales = (allowDrop: readonly string[]): string[] =>
  allowDrop.flatMap((name) => (name.startsWith("@") ? [name.slice(1)] : []));

/** The names by which a document's models are told apart, in `allowDrop` and in conflicts. */
export class ModelNames {
  readonly #document: ModelsDocument;
  readonly #shared: ReadonlySet<string>;

  constructor(document: ModelsDocument) {
    this.#document = document;
    this.#shared = sharedNames(document);
  }

  /** Returns the name of a model; `pages/home` if another model of the document has the same one. */
  of(model: DocumentModel): string {
    return this.#shared.has(model.name) ? keyOf(model) : model.name;
  }

  /** Returns the values of one model that may be lost, as `drop` of a model change names them. */
  dropsOf(model: DocumentModel, allowDrop: readonly string[]): string[] {
    const heads = [`${this.of(model)}.`, `${keyOf(model)}.`];
    return allowDrop.flatMap((path) => {
      const head = heads.find((one) => path.startsWith(one));
      return head === undefined ? [] : [path.slice(head.length)];
    });
  }

  /** Adds a fault for each name in `allowDrop` that several models have. */
  check(allowDrop: readonly string[], errors: ValidationErrors): void {
    for (const [index, path] of allowDrop.entries()) {
      const [name = ""] = path.split(".", 1);
      if (!this.#shared.has(name)) continue;
      const rest = path.slice(name.length);
      const same = this.#document.models.filter((model) => model.name === name);
      const long = same.map((model) => `"${keyOf(model)}${rest}"`).join(" or ");
      errors.add(`allowDrop.${index}`, `is the name of several models: write ${long}`);
    }
  }
}
