/** The D1 databases and their read replicas. */
import { z } from "zod";
import { SHARDS } from "../../../src/limits.ts";
import { type Deployment, furtherDatabase } from "../deployment.ts";
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
 * Returns the database to use: the one that the configuration pins by id, else the one with the deployment's name; null
 * when the deploy has to make it.
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

/**
 * Returns the databases to use, by their numbers; null for one that the deploy has to make. Spaces stand on those that
 * are there, so none of them is left out, however few are asked for.
 *
 * @throws Error when the pinned one is not in the account
 */
export function chooseDatabases(
  databases: Database[],
  deployment: Pick<Deployment, "database" | "pinnedDatabaseId" | "databases">,
): (Database | null)[] {
  const further = Array.from(
    { length: SHARDS.databasesMax - 1 },
    (_, index) => databases.find(({ name }) => name === furtherDatabase(deployment, index + 1)) ?? null,
  );
  const there = further.findLastIndex((database) => database !== null) + 1;
  const wanted = further.slice(0, Math.max(there, deployment.databases - 1));
  return [chooseDatabase(databases, deployment), ...wanted];
}

const nameOf = (deployment: Deployment, shard: number): string =>
  shard === 0 ? deployment.database : furtherDatabase(deployment, shard);

/**
 * Creates a database. After a failure it looks again: a creation whose answer was lost may have been done, and another
 * deploy may have been quicker.
 */
async function create(session: Session, shard: number): Promise<Database> {
  const { deployment } = session;
  const { location } = deployment;
  const name = nameOf(deployment, shard);
  const body = { name, ...(location && { primary_location_hint: location }) };
  try {
    return Database.parse(await session.api.post("/d1/database", body));
  } catch (error) {
    const made = chooseDatabases(await allDatabases(session), deployment)[shard];
    if (made) return made;
    throw error;
  }
}

/** Returns the names in words: "silverprint", or "silverprint to silverprint_2". */
export const databasesOf = (deployment: Deployment): string =>
  deployment.databases === 1
    ? deployment.database
    : `${deployment.database} to ${furtherDatabase(deployment, deployment.databases - 1)}`;

export const databaseStep = step({
  subject: (deployment) => `D1 database${deployment.databases > 1 ? "s" : ""} ${databasesOf(deployment)}`,
  lookUp: async (session) => {
    const found = chooseDatabases(await allDatabases(session), session.deployment);
    session.databaseIds = found.map((database) => database?.uuid ?? null);
    return session.databaseIds;
  },
  decide: (ids) => {
    const missing = ids.flatMap((id, shard) => (id === null ? [shard] : []));
    return missing.length === 0 ? null : missing;
  },
  act: async (missing, session) => {
    for (const shard of missing) session.databaseIds[shard] = (await create(session, shard)).uuid;
    return "made";
  },
});

const pathOf = (id: string | null): string => `/d1/database/${id}`;

export const replicationStep = step({
  subject: (deployment) => `read replicas of ${databasesOf(deployment)}`,
  lookUp: async ({ api, databaseIds }) => {
    const without: (string | null)[] = [];
    for (const id of databaseIds) {
      const { read_replication: replication } = Replication.parse(await api.get(pathOf(id)));
      if (replication?.mode !== "auto") without.push(id);
    }
    return without;
  },
  decide: (without) => (without.length === 0 ? null : without),
  act: async (without, { api }) => {
    for (const id of without) await api.put(pathOf(id), { read_replication: { mode: "auto" } });
    return "switched on";
  },
});
