/** Returns the definitions of planned fields. */
import type { LinkComponents } from "../links.ts";
import type { SiteField } from "../site.ts";
import { richTextOptions } from "../text/options.ts";
import type { Plan, PlannedField } from "./plan.ts";

interface Definitions {
  plan: Plan;
  links: LinkComponents;
  hasLocales: boolean;
  isComponent: boolean;
}

export function siteFields(
  field: PlannedField,
  { plan, links, hasLocales, isComponent }: Definitions,
): SiteField[] {
  const { source, name, kind, isList, isLocalized, targets, urlName, hasPictures } = field;
  const localized = isLocalized && hasLocales && { localized: true };
  const common = { ...(name !== source && source !== "" && { label: source.slice(0, 200) }), ...localized };
  const searchable = !isComponent && { searchable: true };
  switch (kind) {
    case "slug":
      return [{ name, type: "string", ...common }];
    case "string":
    case "text":
      return [{ name, type: kind, ...common, ...searchable }];
    case "number":
    case "boolean":
    case "datetime":
    case "json":
      return [{ name, type: kind, ...common }];
    case "media": {
      const media = { name, type: "media", ...(isList && { multiple: true }), ...common };
      const about = `Addresses of files in ${name} that are no pictures`;
      const urls = { name: urlName ?? "", type: isList ? "text" : "string", label: about, ...localized };
      return [...(hasPictures ? [media] : []), ...(urlName === null ? [] : [urls])];
    }
    case "links":
      return [{ ...links.field(name, targets, isList), ...common }];
    case "component": {
      const component = plan.held(field)[0]!.name;
      return [
        { name, type: "component", component, ...(isList && { multiple: true }), ...common, ...searchable },
      ];
    }
    case "blocks": {
      const components = [
        ...plan.held(field).map((one) => one.name),
        ...targets.map((one) => links.nameFor(one)),
      ];
      const max = !isList && { max: 1 };
      return [{ name, type: "blocks", components: components.sort(), ...max, ...common, ...searchable }];
    }
    case "richtext":
      return [
        { name, type: "richtext", ...common, ...searchable, ...richTextOptions(field.use, field.linkTo) },
      ];
    default:
      return kind satisfies never;
  }
}
