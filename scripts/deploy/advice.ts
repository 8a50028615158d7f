/** Says what to do about an account or a token that a deploy cannot go on with. */
import type { ApiError } from "./cloudflare-api.ts";
import type { Deployment } from "./deployment.ts";
import { NotReady, type Session } from "./step.ts";

const NO_R2_CODES = [10042, 10136];
/** Codes of an account that cannot have queues. */
const NO_QUEUES_CODES = [10026];
const NO_SUBDOMAIN_CODE = 10007;
const FREE_PLAN_CODE = 100328;
/** Codes of an answer that says that the token lacks a right. */
const NO_RIGHT_CODES = [9109, 10000, 10001];

const LACKS_RIGHT = "The token lacks a right:";
const TOKENS = "https://dash.cloudflare.com/profile/api-tokens";
const BUILD_TOKEN =
  " The token that Workers Builds makes lacks the right to D1, and that to Queues: make one of your own and choose it under Settings, Build, API token.";

/** Returns the rights of the API token, by the names that the dashboard gives them. */
export function rightsOf({ domains, filesHost }: Pick<Deployment, "domains" | "filesHost">): string[] {
  return [
    ...["Account, Workers Scripts, Edit", "Account, D1, Edit", "Account, Workers R2 Storage, Edit"],
    "Account, Queues, Edit",
    ...(domains.length > 0 ? ["Zone, Workers Routes, Edit", "Zone, Zone, Read"] : []),
    ...(filesHost === null ? [] : ["Zone, Transform Rules, Edit", "Zone, Cache Rules, Edit"]),
  ];
}

const list = (rights: string[]): string => rights.map((right) => `    ${right}`).join("\n");

const isRefused = ({ status, codes }: ApiError): boolean =>
  (status === 401 || status === 403) &&
  !codes.some((code) => NO_R2_CODES.includes(code) || NO_QUEUES_CODES.includes(code));

/** Advice on a call that was refused; null if the error says nothing about the account or the token. */
export type Advise = (error: ApiError, session: Session) => string | null;

export const needsRight =
  (right: string, more: (session: Session) => string = () => ""): Advise =>
  (error, session) =>
    isRefused(error) ? `${LACKS_RIGHT} ${right} (${error.message}).${more(session)}` : null;

const needsR2: Advise = (error, { api }) =>
  error.codes.some((code) => NO_R2_CODES.includes(code))
    ? `R2 is not enabled. Open https://dash.cloudflare.com/${api.accountId}/r2 once and add the R2 subscription, which is free up to 10 GB.`
    : null;

export const needsSubdomain: Advise = (error, { api }) =>
  error.codes.includes(NO_SUBDOMAIN_CODE)
    ? `The account has no name under workers.dev. Open https://dash.cloudflare.com/${api.accountId}/workers-and-pages once, which gives it one, and choose Workers Paid there.`
    : null;

const first =
  (...all: Advise[]): Advise =>
  (error, session) =>
    all.map((advise) => advise(error, session)).find((advice) => advice !== null) ?? null;

export const R2_RIGHT = first(needsR2, needsRight("Account, Workers R2 Storage, Edit"));
const needsQueues: Advise = (error, { api }) =>
  error.codes.some((code) => NO_QUEUES_CODES.includes(code)) || /queues? (?:is|are) not /i.test(error.message)
    ? `Queues are not enabled (${error.message}). Open https://dash.cloudflare.com/${api.accountId}/workers/queues once, and choose Workers Paid there if it asks for it.`
    : null;

export const QUEUES_RIGHT = first(
  needsQueues,
  needsRight("Account, Queues, Edit", ({ isWorkersBuilds }) => (isWorkersBuilds ? BUILD_TOKEN : "")),
);
export const D1_RIGHT = needsRight("Account, D1, Edit", ({ isWorkersBuilds }) =>
  isWorkersBuilds ? BUILD_TOKEN : "",
);
export const TRANSFORM_RIGHT = needsRight("Zone, Transform Rules, Edit");
export const CACHE_RIGHT = needsRight("Zone, Cache Rules, Edit");
export const WORKERS_RIGHT = needsRight("Account, Workers Scripts, Edit");

/** Returns the advice on everything that was found, with the rights that a token needs if one lacks any. */
export function adviceOn(faults: string[], deployment: Deployment): NotReady {
  const rights = faults.some((fault) => fault.startsWith(LACKS_RIGHT))
    ? `\n  An API token for this deploy (${TOKENS}) has these rights:\n${list(rightsOf(deployment))}`
    : "";
  return new NotReady(faults.map((fault) => `\n  - ${fault}`).join("") + rights);
}

/** Returns what to do about the refusal of the first Worker; null if the refusal does not concern the account. */
export function refusedWorker(error: unknown, accountId: string): NotReady | null {
  const text = error instanceof Error ? error.message : String(error);
  const isCode = (code: number): boolean => text.includes(`[code: ${code}]`);
  if (isCode(FREE_PLAN_CODE))
    return new NotReady(
      `The account is on the free plan, on which a build of a picture has too little CPU time [${FREE_PLAN_CODE}]. Choose ` +
        `Workers Paid at https://dash.cloudflare.com/${accountId}/workers/plans.`,
    );
  if (NO_RIGHT_CODES.some(isCode))
    return new NotReady(
      `${LACKS_RIGHT} Account, Workers Scripts, Edit. API tokens are at ${TOKENS}.\n\n${text}`,
    );
  return null;
}

/** Refuses `wrangler login` where rules of a zone are needed: it cannot ask for the right to them. */
export function checkLogin(isLogin: boolean, deployment: Deployment): void {
  if (!isLogin || deployment.filesHost === null) return;
  throw new NotReady(
    `CDN_BASE_URL names ${deployment.filesHost}, whose zone needs rules that "wrangler login" has no right to. Make an API ` +
      `token at ${TOKENS} with these rights, and set CLOUDFLARE_API_TOKEN to it:\n${list(rightsOf(deployment))}\n\nNothing was made.`,
  );
}
