/** Custom domains of Workers: a host name belongs to one Worker, and DNS records that were there are not taken over. */
import type { Account } from "./account.ts";
import { answer, refuse, type Routes } from "./route.ts";

interface Origin {
  hostname: string;
}

const isTaken = (account: Account, worker: string, { hostname }: Origin): boolean =>
  (account.domains.get(hostname) ?? worker) !== worker;

const hostsOf = (account: Account, worker: string): string[] =>
  [...account.domains].filter(([, owner]) => owner === worker).map(([host]) => host);

export const domainRoutes: Routes = {
  "POST /workers/scripts/:name/domains/changeset": (account, { params, json }) => {
    const worker = params["name"] ?? "";
    const origins = json() as unknown as Origin[];
    const known = origins.filter(({ hostname }) => account.domains.has(hostname));
    const gone = hostsOf(account, worker).filter((host) =>
      origins.every(({ hostname }) => hostname !== host),
    );
    return answer({
      added: origins.filter((origin) => !known.includes(origin)),
      updated: known.map((origin) => ({
        ...origin,
        id: origin.hostname,
        modified: isTaken(account, worker, origin),
      })),
      removed: gone.map((hostname) => ({ hostname })),
      conflicting: origins.filter(({ hostname }) => account.dnsRecords.has(hostname)),
    });
  },
  "PUT /workers/scripts/:name/domains/records": (account, { params, json }) => {
    const worker = params["name"] ?? "";
    const { origins, ...overrides } = json() as unknown as { origins: Origin[] } & Record<string, boolean>;
    if (
      !overrides["override_existing_origin"] &&
      origins.some((origin) => isTaken(account, worker, origin))
    ) {
      return refuse(409, 100116, "This hostname already has a Worker.");
    }
    if (
      !overrides["override_existing_dns_record"] &&
      origins.some(({ hostname }) => account.dnsRecords.has(hostname))
    ) {
      return refuse(409, 100117, "This hostname already has externally managed DNS records.");
    }
    for (const host of hostsOf(account, worker)) account.domains.delete(host);
    for (const { hostname } of origins) account.domains.set(hostname, worker);
    return answer(origins);
  },
};
