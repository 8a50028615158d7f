/** The flags of `npm run deploy`. */
import { parseArgs } from "node:util";
import { SHARDS } from "../../src/limits.ts";

/** The places that D1 and R2 both take as a hint. */
export const LOCATIONS = ["wnam", "enam", "weur", "eeur", "apac", "oc"] as const;
export type Location = (typeof LOCATIONS)[number];

export interface Flags {
  /** A deployment beside the main one, such as `staging`. */
  name: string | null;
  location: Location | null;
  /** Host names under which the edge Worker answers. */
  domains: string[];
  /** How many databases the deployment has at least. */
  databases: number;
  isDryRun: boolean;
  isHelp: boolean;
}

export const HELP = `npm run deploy -- [flags]

  --name NAME          a deployment of its own, such as "staging": own Workers, database, bucket and secrets
  --location PLACE     where a new database and bucket are made: ${LOCATIONS.join(", ")}
                       (default: near whoever deploys first)
  --databases N        how many D1 databases there are, 1 to ${SHARDS.databasesMax}: makes those that are missing, never removes one;
                       without the flag, those that are there stay in use
  --domain HOST        a custom domain of a zone in this account; may be repeated. The Worker's custom domains become
                       those that are named; without the flag they stay as they are
  --dry-run            bundles both Workers and prints the plan; sends nothing
  --help               prints this

Signs in as wrangler does: CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID, or "npx wrangler login". A first deploy takes
ROOT_TOKEN from the environment; without it, it makes one.`;

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
/** Leaves room for what is put before and after it within the 63 characters of a Worker's name. */
const NAME_LENGTH_MAX = 30;
const HOST = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;

const isLocation = (text: string): text is Location => (LOCATIONS as readonly string[]).includes(text);

/** @throws Error that names the flag and what it takes */
export function parseFlags(args: string[]): Flags {
  const { values } = parseArgs({
    args,
    options: {
      name: { type: "string" },
      location: { type: "string" },
      domain: { type: "string", multiple: true },
      databases: { type: "string", default: "1" },
      "dry-run": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const { name, location, domain: domains = [] } = values;
  if (name !== undefined && (!NAME.test(name) || name.length > NAME_LENGTH_MAX)) {
    throw new Error(
      `--name takes up to ${NAME_LENGTH_MAX} lower-case letters, digits and single hyphens, not "${name}".`,
    );
  }
  if (location !== undefined && !isLocation(location)) {
    throw new Error(`--location takes one of ${LOCATIONS.join(", ")}, not "${location}".`);
  }
  const databases = /^\d+$/.test(values.databases) ? Number(values.databases) : 0;
  if (databases < 1 || databases > SHARDS.databasesMax)
    throw new Error(`--databases takes 1 to ${SHARDS.databasesMax}, not "${values.databases}".`);
  const bad = domains.find((host) => !HOST.test(host));
  if (bad !== undefined)
    throw new Error(`--domain takes a host name in lower case without a path, not "${bad}".`);
  return {
    name: name ?? null,
    location: location ?? null,
    domains: [...new Set(domains)],
    databases,
    isDryRun: values["dry-run"],
    isHelp: values.help,
  };
}
