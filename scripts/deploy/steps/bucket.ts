/** The R2 bucket and the rules by which R2 removes what the sweep ever fails to. */
import { z } from "zod";
import { DAY_MS, VARIANT } from "../../../src/limits.ts";
import { saysAll } from "../says-all.ts";
import { type Session, step } from "../step.ts";

const Rule = z.looseObject({ id: z.string() });
export type LifecycleRule = z.infer<typeof Rule>;
const Rules = z.object({ rules: z.array(Rule).optional() });

const SECONDS_PER_DAY = 86_400;
/** A week past the day on which the sweep removes a variant. */
const VARIANT_DAYS = VARIANT.lifetimeMs / DAY_MS + 7;
/** A day past the longest time that an upload in parts may take. */
const UPLOAD_DAYS = 2;

const after = (days: number) => ({ condition: { type: "Age", maxAge: days * SECONDS_PER_DAY } });

export const OUR_RULES: LifecycleRule[] = [
  {
    id: "expire-variants",
    enabled: true,
    conditions: { prefix: "v/" },
    deleteObjectsTransition: after(VARIANT_DAYS),
  },
  {
    id: "abort-uploads",
    enabled: true,
    conditions: { prefix: "" },
    abortMultipartUploadsTransition: after(UPLOAD_DAYS),
  },
];

/** Returns the list with ours in it, all others kept; null when ours are in it as they should be. */
export function withOurRules(rules: LifecycleRule[]): LifecycleRule[] | null {
  const isThere = (ours: LifecycleRule): boolean => rules.some((rule) => saysAll(rule, ours));
  if (OUR_RULES.every(isThere)) return null;
  const others = rules.filter(({ id }) => OUR_RULES.every((ours) => ours.id !== id));
  return [...others, ...OUR_RULES];
}

const pathOf = ({ deployment }: Session): string => `/r2/buckets/${deployment.bucket}`;

export const bucketStep = step({
  subject: ({ bucket }) => `R2 bucket ${bucket}`,
  lookUp: (session) => session.api.find(pathOf(session)),
  decide: (found) => (found === null ? "create" : null),
  act: async (_, session) => {
    const { bucket, location } = session.deployment;
    try {
      await session.api.post("/r2/buckets", { name: bucket, ...(location && { locationHint: location }) });
    } catch (error) {
      // A creation whose answer was lost may have been done.
      if ((await session.api.find(pathOf(session))) === null) throw error;
    }
    return "made";
  },
});

export const lifecycleStep = step({
  subject: ({ bucket }) => `lifecycle rules of ${bucket}: ${OUR_RULES.map(({ id }) => id).join(", ")}`,
  lookUp: async (session) => Rules.parse(await session.api.get(`${pathOf(session)}/lifecycle`)),
  decide: ({ rules }) => withOurRules(rules ?? []),
  act: async (rules, session) => {
    await session.api.put(`${pathOf(session)}/lifecycle`, { rules });
    return "set";
  },
});
