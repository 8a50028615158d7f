/**
 * The rules and the policy that a custom domain of the R2 bucket lacks beside the Worker's own `/cdn`: headers and a
 * bound for the edge's copies, by rules of its zone, and CORS, by a policy of the bucket. Rules are added and changed
 * one by one and known by their `ref`, so that rules of others are never sent, let alone touched.
 */
import { z } from "zod";
import { FORMATS } from "../../../src/image/formats/registry.ts";
import type { Deployment } from "../deployment.ts";
import { saysAll } from "../says-all.ts";
import { type Session, step, type Step } from "../step.ts";

const Domain = z.object({ zoneId: z.string() });
const Rule = z.looseObject({ id: z.string(), ref: z.string().optional() });
const Ruleset = z.object({ id: z.string(), rules: z.array(Rule).default([]) });
const CorsRule = z.looseObject({ id: z.string().optional() });
const CorsPolicy = z.object({ rules: z.array(CorsRule).optional() });

export type Phase = "http_response_headers_transform" | "http_request_cache_settings";

export interface WantedRule {
  /** Names it within its zone. */
  ref: string;
  description: string;
  expression: string;
  action: string;
  action_parameters: unknown;
  enabled: true;
}

/** The rules of a phase of the zone; `ruleset` is null before its first rule. */
export interface ZonePhase {
  zoneId: string;
  ruleset: z.infer<typeof Ruleset> | null;
}

/** How long the edge shows a file after it was trashed, at most. */
const EDGE_SECONDS = 3600;

const setHeaders = (headers: Record<string, string>) => ({
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, { operation: "set", value }]),
  ),
});

/** Returns the wanted rules in the order in which they are to run. */
export function wantedRules({ edge, filesHost }: Deployment): Record<Phase, WantedRule[]> {
  const isHost = `http.host eq "${filesHost}"`;
  const rule = (
    name: string,
    { description, expression }: Pick<WantedRule, "description" | "expression">,
    action: string,
    action_parameters: unknown,
  ): WantedRule => ({
    ...{ ref: `${edge}_files_${name}`, description: `${edge}: ${description}` },
    ...{ expression: `(${expression})`, action, action_parameters, enabled: true },
  });
  return {
    http_response_headers_transform: [
      rule(
        "headers",
        { description: "files are what they say they are, and may be embedded anywhere", expression: isHost },
        "rewrite",
        setHeaders({ "X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "cross-origin" }),
      ),
      rule(
        "svg",
        {
          description: "nothing in a drawing runs",
          expression: `${isHost} and ends_with(http.request.uri.path, ".svg")`,
        },
        "rewrite",
        setHeaders({ "Content-Security-Policy": FORMATS.svg.policy }),
      ),
    ],
    http_request_cache_settings: [
      rule(
        "cache",
        { description: "the edge keeps files for an hour, and no errors", expression: isHost },
        "set_cache_settings",
        {
          cache: true,
          edge_ttl: {
            mode: "override_origin",
            default: EDGE_SECONDS,
            status_code_ttl: [{ status_code_range: { from: 400, to: 599 }, value: -1 }],
          },
        },
      ),
    ],
  };
}

export type RuleChange =
  | { kind: "add"; rule: WantedRule }
  /** `id` is the zone's. */
  | { kind: "change"; id: string; rule: WantedRule };

/** Returns the changes for rules that are missing or different. */
export const changesOf = (ruleset: ZonePhase["ruleset"], wanted: WantedRule[]): RuleChange[] =>
  wanted.flatMap((rule): RuleChange[] => {
    const found = ruleset?.rules.find(({ ref }) => ref === rule.ref);
    if (!found) return [{ kind: "add", rule }];
    return saysAll(found, rule) ? [] : [{ kind: "change", id: found.id, rule }];
  });

/** Returns the zone of the files' domain; null when the domain is not one of the bucket's. */
export async function zoneOf({ api, deployment }: Session): Promise<string | null> {
  const { bucket, filesHost } = deployment;
  const found = await api.find(`/r2/buckets/${bucket}/domains/custom/${filesHost}`);
  return found === null ? null : Domain.parse(found).zoneId;
}

export const phasePath = (zoneId: string, phase: Phase): string =>
  `/zones/${zoneId}/rulesets/phases/${phase}/entrypoint`;

async function phaseOf(session: Session, phase: Phase): Promise<ZonePhase | null> {
  const zoneId = await zoneOf(session);
  if (zoneId === null) return null;
  const found = await session.api.find(phasePath(zoneId, phase));
  return { zoneId, ruleset: found === null ? null : Ruleset.parse(found) };
}

type Action = { kind: "leave" } | { kind: "set"; found: ZonePhase; changes: RuleChange[] };

function decide(found: ZonePhase | null, wanted: WantedRule[]): Action | null {
  if (found === null) return { kind: "leave" };
  const changes = changesOf(found.ruleset, wanted);
  return changes.length === 0 ? null : { kind: "set", found, changes };
}

async function act(action: Action, phase: Phase, { api }: Session): Promise<string> {
  // Some other service answers there, or the domain is yet to be connected: then the next deploy sees to it.
  if (action.kind === "leave") return "not R2's yet";
  const { found, changes } = action;
  const rulesets = `/zones/${found.zoneId}/rulesets`;
  if (!found.ruleset) {
    const rules = changes.map(({ rule }) => rule);
    // Refused when the phase has got rules meanwhile: the deploy replaces no rules of others.
    await api.post(rulesets, { name: "default", kind: "zone", phase, rules });
    return "set";
  }
  const path = `${rulesets}/${found.ruleset.id}/rules`;
  for (const change of changes) {
    if (change.kind === "add") await api.post(path, change.rule);
    else await api.patch(`${path}/${change.id}`, change.rule);
  }
  return "set";
}

const rulesStep = (phase: Phase, subject: string): Step =>
  step({
    subject: ({ filesHost }) => `${subject} of ${filesHost}`,
    lookUp: (session) => phaseOf(session, phase),
    decide: (found, deployment) => decide(found, wantedRules(deployment)[phase]),
    act: (action, session) => act(action, phase, session),
  });

export const filesRulesSteps: Step[] = [
  rulesStep("http_response_headers_transform", "response header rules"),
  rulesStep("http_request_cache_settings", "cache rule"),
];

const CORS_RULE = {
  id: "silverprint-files",
  allowed: { origins: ["*"], methods: ["GET", "HEAD"] },
  exposeHeaders: ["ETag", "Content-Length"],
  maxAgeSeconds: 86_400,
};

/** Returns the policy with our rule in it, all others kept; null when it is in it. */
export function withCors(rules: z.infer<typeof CorsRule>[]): z.infer<typeof CorsRule>[] | null {
  if (rules.some((rule) => saysAll(rule, CORS_RULE))) return null;
  return [...rules.filter(({ id }) => id !== CORS_RULE.id), CORS_RULE];
}

const corsPath = ({ deployment }: Session): string => `/r2/buckets/${deployment.bucket}/cors`;

export const filesCorsStep = step({
  subject: ({ bucket }) => `CORS policy of ${bucket}: files may be read from anywhere`,
  lookUp: async (session) => CorsPolicy.parse((await session.api.find(corsPath(session))) ?? {}),
  decide: ({ rules }) => withCors(rules ?? []),
  act: async (rules, session) => {
    await session.api.put(corsPath(session), { rules });
    return "set";
  },
});
