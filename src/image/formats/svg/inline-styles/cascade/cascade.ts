/** Collects the declarations for each element, from style sheets, style attributes and attributes (CSS Cascade 4). */
import { safeSheet, safeStyle, type Declarations } from "../../css/css-rules.ts";
import { PRESENTATION } from "../../safe/vocabulary.ts";
import { Matcher } from "./matching.ts";
import { matchesMedia } from "./media.ts";
import { parseSelectors } from "./selector.ts";
import type { SvgNode } from "./tree.ts";
import { Unresolved } from "../values/unresolved.ts";
import { type InPieces, pauseIfDue } from "../../work/pieces.ts";
import { PRICES, type Work } from "../../work/work.ts";

export interface Declaration {
  property: string;
  value: string;
  /** Whether an attribute of the same name sets it, not a style. */
  isAttribute: boolean;
}

interface Applied {
  specificity: number;
  order: number;
  declarations: Declarations["values"];
}

/** The limit for the characters of all declarations, each counted once per element that it applies to. */
const APPLIED_MAX_CHARACTERS = 4_000_000;
/** The cost of a rule of one element beside its declarations, in characters. */
const APPLIED_CHARACTERS = 24;
const IMPORTANT = /\s*!\s*important\s*$/i;

/** Returns the declarations for each of `nodes`, in ascending order of precedence. @throws Unresolved, TooMuchWork */
export function* cascade(nodes: readonly SvgNode[], work: Work): InPieces<Declaration[][]> {
  const applied = yield* matchedRules(nodes, work);
  const declared: Declaration[][] = [];
  for (const [i, node] of nodes.entries()) {
    declared.push(declarationsOf(node, applied[i] ?? [], work));
    if (work.isPauseDue) yield* pauseIfDue(work);
  }
  return declared;
}

/** Returns the declarations for an element, to which these rules apply. */
function declarationsOf(node: SvgNode, applied: Applied[], work: Work): Declaration[] {
  const attributes = [...node.attributes]
    .filter(([name]) => PRESENTATION.has(name))
    .map(([property, value]) => ({ property, value, isAttribute: true }));
  const rules = applied
    .sort((a, b) => a.specificity - b.specificity || a.order - b.order)
    .flatMap(({ declarations }) => declarations);
  const own = safeStyle(node.attributes.get("style") ?? "", work).values;
  const styles = [...rules, ...own].map(([property, value]) => ({
    property,
    value: value.replace(IMPORTANT, ""),
    isAttribute: false,
    isImportant: IMPORTANT.test(value),
  }));
  const byWeight = (isImportant: boolean): Declaration[] =>
    styles.filter((style) => style.isImportant === isImportant);
  return [...attributes, ...byWeight(false), ...byWeight(true)];
}

function* matchedRules(nodes: readonly SvgNode[], work: Work): InPieces<(Applied[] | undefined)[]> {
  const applied: (Applied[] | undefined)[] = [];
  const matcher = new Matcher(nodes, work);
  let [order, characters] = [0, 0];
  for (const sheet of nodes) {
    if (sheet.name !== "style" || !matchesMedia(sheet.attributes.get("media") ?? "")) continue;
    const { rules } = yield* safeSheet(sheet.text, work);
    for (const rule of rules) {
      order += 1;
      if (!matchesMedia(rule.media)) continue;
      const { values } = rule.declarations;
      const length = values.reduce(
        (sum, [property, value]) => sum + property.length + value.length,
        APPLIED_CHARACTERS,
      );
      for (const selector of parseSelectors(rule.selectors, work)) {
        if (work.isPauseDue) yield* pauseIfDue(work);
        for (const index of matcher.matches(selector)) {
          characters += length;
          work.spend(PRICES.applied);
          if (characters > APPLIED_MAX_CHARACTERS) {
            throw new Unresolved("its style sheets match too many elements");
          }
          const { specificity } = selector;
          (applied[index] ??= []).push({ specificity, order, declarations: values });
        }
      }
    }
  }
  return applied;
}
