/** Custom domains of the edge Worker. Neither another Worker's domain nor a DNS record is taken over. */
import { z } from "zod";
import { type Session, step } from "../step.ts";

const Origin = z.object({ hostname: z.string() });
const Changes = z.object({
  added: z.array(Origin),
  removed: z.array(Origin),
  updated: z.array(Origin.extend({ modified: z.boolean().optional() })),
  conflicting: z.array(Origin),
});
export type DomainChanges = z.infer<typeof Changes>;

const list = (origins: { hostname: string }[]): string => origins.map(({ hostname }) => hostname).join(", ");

/**
 * Returns whether a domain has to be changed.
 *
 * @throws Error when a domain belongs to another Worker or has a DNS record of its own
 */
export function needsChange({ added, removed, updated, conflicting }: DomainChanges): boolean {
  if (conflicting.length > 0) {
    throw new Error(
      `DNS records stand in the way: ${list(conflicting)}. Remove them in the dashboard, or choose another name.`,
    );
  }
  const others = updated.filter(({ modified }) => modified);
  if (others.length > 0) {
    throw new Error(
      `These belong to another Worker: ${list(others)}. Remove them there first, or choose another name.`,
    );
  }
  return added.length + removed.length > 0;
}

const pathOf = ({ deployment }: Session): string => `/workers/scripts/${deployment.edge}/domains`;
const originsOf = ({ deployment }: Session) => deployment.domains.map((hostname) => ({ hostname }));

export const domainsStep = step({
  subject: ({ domains }) => `custom domains: ${domains.join(", ")}`,
  lookUp: async (session) =>
    Changes.parse(
      await session.api.post(`${pathOf(session)}/changeset?replace_state=true`, originsOf(session)),
    ),
  decide: (changes) => (needsChange(changes) ? "attach" : null),
  act: async (_, session) => {
    const refusals = { override_existing_origin: false, override_existing_dns_record: false };
    await session.api.put(`${pathOf(session)}/records`, {
      override_scope: true,
      ...refusals,
      origins: originsOf(session),
    });
    return "attached";
  },
});
