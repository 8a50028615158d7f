/** A deployment whose files come from a custom domain of its bucket. */
import type { Configs } from "../deployment.ts";
import { type Account, emptyAccount, newZone } from "./account.ts";

const CACHE_PHASE = "http_request_cache_settings";

export const withFilesDomain = (configs: Configs, host: string): Configs => ({
  ...configs,
  edge: { ...configs.edge, vars: { ...configs.edge.vars, CDN_BASE_URL: `https://${host}` } },
});

/**
 * Returns an account that is empty but for the zone of that domain, where another owner has a rule of caching, and the
 * domain itself.
 */
export function accountWithFilesDomain(bucket: string, host: string): Account {
  const account = emptyAccount();
  const zone = newZone(host.slice(host.indexOf(".") + 1), [CACHE_PHASE]);
  account.zones.set(zone.id, zone);
  account.bucketDomains.set(host, { bucket, zoneId: zone.id });
  return account;
}
