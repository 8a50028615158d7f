/** Looks, before anything is made, for what keeps a deploy from ending well. All that is found is told at once. */
import {
  adviceOn,
  type Advise,
  CACHE_RIGHT,
  D1_RIGHT,
  needsSubdomain,
  QUEUES_RIGHT,
  R2_RIGHT,
  TRANSFORM_RIGHT,
  WORKERS_RIGHT,
} from "../advice.ts";
import { ApiError } from "../cloudflare-api.ts";
import { knownSecrets, missingSecrets, tokenFault } from "../secrets.ts";
import { clientSecretFault } from "../sign-in.ts";
import { type Session, step } from "../step.ts";
import { phasePath, zoneOf } from "./files-domain.ts";

/** @throws the error itself when there is no advice on it */
function advised(error: unknown, advise: Advise, session: Session): string {
  const advice = error instanceof ApiError ? advise(error, session) : null;
  if (advice === null) throw error;
  return advice;
}

/** Looks up something that the deploy needs. An error that `advise` has no advice for stops the deploy. */
async function look(session: Session, path: string, advise: Advise): Promise<string | null> {
  try {
    await session.api.find(path);
    return null;
  } catch (error) {
    return advised(error, advise, session);
  }
}

/**
 * Asks for the right to make something, with a request that lacks its name: a token with the right gets the answer that
 * the name is missing, and nothing is made. Any other answer says nothing.
 */
async function mayMake(session: Session, path: string, advise: Advise): Promise<string | null> {
  try {
    await session.api.post(path, {});
    return null;
  } catch (error) {
    return error instanceof ApiError ? advise(error, session) : null;
  }
}

/**
 * Looks for the subdomain of Workers. Another failure does not stop the deploy: wrangler says so if it needs the name.
 */
async function lookForSubdomain(session: Session): Promise<string | null> {
  if (!session.deployment.onWorkersDev) return null;
  try {
    await session.api.get("/workers/subdomain");
    return null;
  } catch (error) {
    return error instanceof ApiError ? needsSubdomain(error, session) : null;
  }
}

async function lookForSecrets(session: Session): Promise<(string | null)[]> {
  try {
    const known = await knownSecrets(session.api, session.deployment.edge);
    return [
      tokenFault(missingSecrets(known), session.rootToken),
      clientSecretFault(known, session.clientSecret),
    ];
  } catch (error) {
    return [advised(error, WORKERS_RIGHT, session)];
  }
}

/** Looks for the rules of the zone in front of the bucket, where files come from there. */
async function lookForRules(session: Session): Promise<string[]> {
  const { bucket, filesHost } = session.deployment;
  if (filesHost === null) return [];
  const domain = await look(session, `/r2/buckets/${bucket}/domains/custom/${filesHost}`, R2_RIGHT);
  if (domain !== null) return [domain];
  const zoneId = await zoneOf(session);
  if (zoneId === null) return [];
  const found = [
    await look(session, phasePath(zoneId, "http_response_headers_transform"), TRANSFORM_RIGHT),
    await look(session, phasePath(zoneId, "http_request_cache_settings"), CACHE_RIGHT),
  ];
  return found.filter((fault) => fault !== null);
}

async function faultsOf(session: Session): Promise<string[]> {
  const { bucket } = session.deployment;
  const found = [
    ...session.deployment.signInFaults,
    ...(await lookForSecrets(session)),
    await lookForSubdomain(session),
    (await look(session, "/d1/database?per_page=1", D1_RIGHT)) ??
      (await mayMake(session, "/d1/database", D1_RIGHT)),
    (await look(session, `/r2/buckets/${bucket}`, R2_RIGHT)) ??
      (await mayMake(session, "/r2/buckets", R2_RIGHT)),
    (await look(session, "/queues?per_page=1", QUEUES_RIGHT)) ??
      (await mayMake(session, "/queues", QUEUES_RIGHT)),
    ...(await lookForRules(session)),
  ];
  return found.filter((fault) => fault !== null);
}

export const readinessStep = step({
  subject: () => "the account's products and the token's rights",
  lookUp: faultsOf,
  decide: (faults, deployment) => {
    if (faults.length === 0) return "go on";
    throw adviceOn(faults, deployment);
  },
  act: () => Promise.resolve("ready"),
});
