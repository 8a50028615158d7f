/** The queue that wakes webhooks, and the queue of its messages that fail over and over. */
import { z } from "zod";
import { type Session, step } from "../step.ts";

const Queues = z.array(z.looseObject({ queue_name: z.string() }));

/** Returns whether the account has a queue of the name. The look-up by name may find others that begin with it. */
async function isThere({ api }: Session, name: string): Promise<boolean> {
  const found = Queues.parse(await api.get(`/queues?name=${encodeURIComponent(name)}`));
  return found.some(({ queue_name }) => queue_name === name);
}

/** Before the edge Worker: its upload names the queues, which must exist. */
export const queuesStep = step({
  subject: ({ queues }) => `queues ${queues.join(" and ")}`,
  lookUp: async (session) => {
    const { queues } = session.deployment;
    const found = await Promise.all(queues.map((name) => isThere(session, name)));
    return queues.filter((_, at) => !found[at]);
  },
  decide: (missing) => (missing.length > 0 ? missing : null),
  act: async (missing, session) => {
    for (const name of missing) {
      try {
        await session.api.post("/queues", { queue_name: name });
      } catch (error) {
        // A creation whose answer was lost may have been done.
        if (!(await isThere(session, name))) throw error;
      }
    }
    return "made";
  },
});
