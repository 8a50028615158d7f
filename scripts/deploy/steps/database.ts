/** The D1 database and its read replicas. */
import { z } from "zod";
import type { Deployment } from "../deployment.ts";
import { type Session, step } from "../step.ts";

const Database = z.object({ uuid: z.string(), name: z.string() });
export type Database = z.infer<typeof Database>;
const Page = z.array(Database);
const Replication = z.object({ read_replication: z.object({ mode: z.string() }).nullish() });

const PER_PAGE = 100;

async function allDatabases({ api }: Session): Promise<Database[]> {
  const found: Database[] = [];
  for (let page = 1; ; page += 1) {
    const some = Page.parse(await api.get(`/d1/database?per_page=${PER_PAGE}&page=${page}`));
    found.push(...some);
    if (some.length < PER_PAGE) return found;
  }
}

/**
 * The database to use: the one that the configuration pins by id, else the one with the deployment's name; null when
 * it is to be made.
 *
 * @throws Error when the pinned one is not in the account
 */
export function chooseDatabase(
  databases: Database[],
  { database, pinnedDatabaseId }: Pick<Deployment, "database" | "pinnedDatabaseId">,
): Database | null {
  if (pinnedDatabaseId === null) return databases.find(({ name }) => name === database) ?? null;
  const pinned = databases.find(({ uuid }) => uuid === pinnedDatabaseId);
  if (pinned) return pinned;
  throw new Error(
    `wrangler.toml names the id ${pinnedDatabaseId}, which this account does not have. Remove database_id there to ` +
      `use the database "${database}", made when it is missing; or sign in to the right account.`,
  );
}

/** A creation whose answer was lost may have been done, and another deploy may have been quicker: look again. */
async function create(session: Session): Promise<Database> {
  const { database, location } = session.deployment;
  const body = { name: database, ...(location && { primary_location_hint: location }) };
  try {
    return Database.parse(await session.api.post("/d1/database", body));
  } catch (error) {
    const made = chooseDatabase(await allDatabases(session), session.deployment);
    if (made) return made;
    throw error;
  }
}

export const databaseStep = step({
  subject: ({ database }) => `D1 database ${database}`,
  lookUp: async (session) => {
    const found = chooseDatabase(await allDatabases(session), session.deployment);
    session.databaseId = found?.uuid ?? null;
    return found;
  },
  decide: (found) => (found === null ? "create" : null),
  act: async (_, session) => {
    session.databaseId = (await create(session)).uuid;
    return "made";
  },
});

const pathOf = ({ databaseId }: Session): string => `/d1/database/${databaseId}`;

export const replicationStep = step({
  subject: ({ database }) => `read replicas of ${database}`,
  lookUp: async (session) => Replication.parse(await session.api.get(pathOf(session))),
  decide: ({ read_replication: replication }) => (replication?.mode === "auto" ? null : "switch on"),
  act: async (_, session) => {
    await session.api.put(pathOf(session), { read_replication: { mode: "auto" } });
    return "switched on";
  },
});
