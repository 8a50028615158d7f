/**
 * References to records of several models. A relation leads to one collection, so such a field becomes a list of blocks:
 * each is an object of a component `link-to-…` that holds one relation. The order stays, and `populate` reaches them.
 */
import type { Json, JsonObject, SiteField, SiteModel } from "./site.ts";

const PREFIX = "link-to-";
const NAME_MAX = 63;

/** The components of links that fields or texts use. */
export class LinkComponents {
  readonly #targets = new Map<string, string>();

  /** Returns the name of the component that holds a link to a collection. */
  nameFor(model: string): string {
    const name = `${PREFIX}${model}`.slice(0, NAME_MAX);
    this.#targets.set(name, model);
    return name;
  }

  models(): SiteModel[] {
    return [...this.#targets]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, to]) => ({
        ...{ typeModel: "components", name, label: `Link to ${to}` },
        fields: [{ name: "record", type: "relation", to }],
      }));
  }

  /** Returns the definition of a field of references. */
  field(name: string, targets: readonly string[], isList: boolean): SiteField {
    if (targets.length === 1)
      return { name, type: "relation", to: targets[0]!, ...(isList && { multiple: true }) };
    const components = targets.map((target) => this.nameFor(target)).sort();
    return { name, type: "blocks", components, ...(!isList && { max: 1 }) };
  }

  /** Returns the value of such a field. */
  value(
    targets: readonly string[],
    isList: boolean,
    references: readonly { model: string; id: string; key: string }[],
  ): Json {
    if (targets.length !== 1) return references.map((one) => this.object(one));
    const ids = references.map(({ id }) => id);
    // A list names a record once.
    return isList ? [...new Set(ids)] : (ids[0] ?? null);
  }

  object({ model, id, key }: { model: string; id: string; key: string }): JsonObject {
    return { _type: this.nameFor(model), _key: key, record: id };
  }
}
