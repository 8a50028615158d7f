/** The steps of a deploy. Each looks, decides and acts, so that it can be run again at any time. */
import type { CloudflareApi } from "./cloudflare-api.ts";
import type { Deployment } from "./deployment.ts";
import type { RootTokenPlace } from "./secrets.ts";
import type { ClientSecret } from "./sign-in.ts";
import type { RunWrangler } from "./wrangler.ts";

/** Something that has to be mended before a deploy can make anything. */
export class NotReady extends Error {
  override name = "NotReady";
}

/** The state that the steps of one deploy share. */
export interface Session {
  deployment: Deployment;
  api: CloudflareApi;
  wrangler: RunWrangler;
  print: (line: string) => void;
  rootToken: RootTokenPlace;
  clientSecret: ClientSecret;
  /** Whether Cloudflare's own CI runs the deploy, with a token that it has made. */
  isWorkersBuilds: boolean;
  /** Known once the step of the databases is through. */
  databaseIds: (string | null)[];
  /** Where the service answers. */
  addresses: string[];
  /** The version of each Worker that answered before this deploy. */
  earlierVersions: Map<string, string>;
}

interface Definition<Found, Action> {
  /** Names the thing that the step sees to. */
  subject: (deployment: Deployment) => string;
  /** Returns the present state. */
  lookUp: (session: Session) => Promise<Found>;
  /** Returns the action to take; null: none. Pure. */
  decide: (found: Found, deployment: Deployment) => Action | null;
  /** Does it. What was done, as a participle: "made". */
  act: (action: Action, session: Session) => Promise<string>;
}

export interface Step {
  subject: (deployment: Deployment) => string;
  /** Returns a sentence about what was done, or null when there was nothing to do. */
  run: (session: Session) => Promise<string | null>;
}

export const step = <Found, Action>({ subject, lookUp, decide, act }: Definition<Found, Action>): Step => ({
  subject,
  run: async (session) => {
    const action = decide(await lookUp(session), session.deployment);
    return action === null ? null : act(action, session);
  },
});

/** Column of what a step sees to, in characters. */
const WORD_LENGTH = 13;

/** @throws Error that names the step that failed and says how to go on */
export async function runSteps(steps: Step[], session: Session): Promise<void> {
  for (const { subject, run } of steps) {
    const what = subject(session.deployment);
    try {
      const done = await run(session);
      session.print(
        done === null
          ? `  ${"as it was".padEnd(WORD_LENGTH)}${what}`
          : `  ${done.padEnd(WORD_LENGTH)}${what}`,
      );
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const ending =
        error instanceof NotReady
          ? "Nothing was made. Mend this and run the deploy again."
          : "The deploy stopped here. What was done stays; run it again and it goes on from here.";
      throw new Error(`${what}: ${reason}\n\n${ending}`, { cause: error });
    }
  }
}
