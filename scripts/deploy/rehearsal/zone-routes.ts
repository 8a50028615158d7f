/** Rulesets of zones: one per phase, whose rules are added and changed one by one, or set all at once. */
import type { Account, Ruleset, ZoneRule } from "./account.ts";
import { answer, type ApiResponse, refuse, type Routes } from "./route.ts";

const PHASES = ["http_response_headers_transform", "http_request_cache_settings"];
/** Actions that a phase takes. */
const ACTIONS: Record<string, string> = {
  http_response_headers_transform: "rewrite",
  http_request_cache_settings: "set_cache_settings",
};

const noRuleset = refuse(404, 10003, "could not find entrypoint ruleset in the phase");
const noZone = refuse(404, 7003, "Could not route to this zone, perhaps your object identifier is invalid?");

type Given = Omit<ZoneRule, "id" | "ref"> & { ref?: string };

function made(given: Given): ZoneRule {
  const id = crypto.randomUUID().replaceAll("-", "");
  return { ...given, id, ref: given.ref ?? id };
}

const refusalOf = ({ phase, rules }: Ruleset, rule: Given, id?: string): ApiResponse | null => {
  if (rule["action"] !== ACTIONS[phase] || typeof rule["expression"] !== "string") {
    return refuse(400, 20015, `the action or expression of the rule does not fit ${phase}`);
  }
  const isDouble = rules.some((other) => other.ref === rule.ref && other.id !== id);
  return isDouble ? refuse(400, 20114, `the ref ${rule.ref} is given to two rules`) : null;
};

const rulesetOf = (account: Account, params: Record<string, string>): Ruleset | undefined =>
  account.zones.get(params["zone"] ?? "")?.rulesets.find(({ id }) => id === params["ruleset"]);

export const zoneRoutes: Routes = {
  "GET /zones/:zone/rulesets/phases/:phase/entrypoint": (account, { params }) => {
    const zone = account.zones.get(params["zone"] ?? "");
    if (!zone) return noZone;
    const found = zone.rulesets.find(({ phase }) => phase === params["phase"]);
    return found ? answer(found) : noRuleset;
  },
  "POST /zones/:zone/rulesets": (account, { params, json }) => {
    const zone = account.zones.get(params["zone"] ?? "");
    if (!zone) return noZone;
    const { phase, kind, rules } = json() as { phase: string; kind: string; rules: Given[] };
    if (kind !== "zone" || !PHASES.includes(phase)) return refuse(400, 20016, "no such kind or phase");
    if (zone.rulesets.some((ruleset) => ruleset.phase === phase)) {
      return refuse(
        400,
        20217,
        "a ruleset of this phase exists; overwriting it will have unintended consequences",
      );
    }
    const ruleset: Ruleset = { id: crypto.randomUUID(), phase, rules: [] };
    for (const rule of rules) {
      const refusal = refusalOf(ruleset, rule);
      if (refusal) return refusal;
      ruleset.rules.push(made(rule));
    }
    zone.rulesets.push(ruleset);
    return answer(ruleset);
  },
  "POST /zones/:zone/rulesets/:ruleset/rules": (account, { params, json }) => {
    const ruleset = rulesetOf(account, params);
    if (!ruleset) return noRuleset;
    const refusal = refusalOf(ruleset, json());
    if (refusal) return refusal;
    ruleset.rules.push(made(json()));
    return answer(ruleset);
  },
  "PATCH /zones/:zone/rulesets/:ruleset/rules/:rule": (account, { params, json }) => {
    const ruleset = rulesetOf(account, params);
    const at = ruleset?.rules.findIndex(({ id }) => id === params["rule"]) ?? -1;
    if (!ruleset || at < 0) return noRuleset;
    const id = params["rule"] ?? "";
    const refusal = refusalOf(ruleset, json(), id);
    if (refusal) return refusal;
    ruleset.rules[at] = { ...made(json()), id };
    return answer(ruleset);
  },
};
