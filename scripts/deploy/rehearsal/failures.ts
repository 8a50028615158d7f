/** Every call of a deploy fails in turn, and the next deploy is to mend what that left. */
import { type Account, emptyAccount, isNewestDeployed, secretOf } from "./account.ts";
import { type Cloudflare, type Failure, startCloudflare } from "./cloudflare.ts";

/** The end of a deploy, and its printed lines. */
export interface Rehearsed {
  exitCode: number | null;
  output: string;
  /** The root tokens that it told. */
  tokens: string[];
}

export interface Trial {
  /** The deploy that is tried: the first, into an empty account, or a later one. */
  deploy: "first" | "later";
  /** The call that failed, as did every later one of its route: `GET /d1/database`. */
  call: string;
  failure: Failure;
  /** The message that stopped the deploy; null when it went on without the call. */
  stopped: string | null;
  /** Calls of the deploy that came after it. */
  callsToMend: number;
  /** The faults of the account after the deploy. */
  faults: string[];
}

/**
 * Returns the failures to try with one call. A look-up that is cut is one that failed; a change that is cut may have
 * been made.
 */
const failuresOf = (call: string): Failure[] =>
  call.startsWith("GET ") ? ["500", "403"] : ["500", "cut after"];

/** Returns the step, and the words of Cloudflare or wrangler, on one line. */
function reasonOf({ exitCode, output }: Omit<Rehearsed, "tokens">): string | null {
  if (exitCode === 0) return null;
  const message = output.split(/\n\n(?:The deploy stopped here|Nothing was made)\./)[0] ?? output;
  const lines = message.split("\n").map((line) => line.trim());
  const start = lines.findLastIndex((line) => /^(?:\S+ )+\S+: /.test(line));
  return lines
    .slice(Math.max(0, start))
    .filter((line) => line !== "")
    .join(" ")
    .replaceAll(/\s+/g, " ");
}

/** Returns the faults of an account after a deploy, which must leave each thing once, and nothing else. */
function faultsOf(account: Account, edge: string, token: string | undefined): string[] {
  const isOnce = (what: string, found: number, wanted: number): string[] =>
    found === wanted ? [] : [`${found} ${what} instead of ${wanted}`];
  const rules = [...account.buckets.values()].flatMap((bucket) => bucket.rules.map(({ id }) => id));
  const refs = [...account.zones.values()].flatMap(({ rulesets }) =>
    rulesets.flatMap(({ rules }) => rules.map(({ ref }) => ref)),
  );
  const stale = [...account.workers.values()].filter((worker) => !isNewestDeployed(worker));
  return [
    ...isOnce("databases", account.databases.size, 1),
    ...isOnce("buckets", account.buckets.size, 1),
    ...isOnce("queues", account.queues.size, 2),
    ...isOnce("consumers", [...account.queues.values()].flatMap(({ consumers }) => consumers).length, 1),
    ...isOnce("Workers", account.workers.size, 2),
    ...isOnce("lifecycle rules", rules.length, new Set(rules).size),
    ...isOnce("rules of zones", refs.length, new Set(refs).size),
    ...stale.map(({ name }) => `the newest version of ${name} does not answer`),
    ...(secretOf(account, edge, "ROOT_TOKEN") === token
      ? []
      : ["the root token is not the one that was told last"]),
  ];
}

interface Rehearsal {
  /** The edge Worker's name. */
  edge: string;
  deploy: (cloudflare: Cloudflare) => Promise<Rehearsed>;
  /** Makes the account that a first deploy finds; without it, the account is empty. */
  account?: () => Account;
  /** Only calls that hold this text are tried: `/secrets`. */
  among?: string;
  /** Told of each trial as it ends. */
  report: (trial: Trial) => void;
}

/** Lets the call at `index` of what follows fail, and every later one of its route. */
function failFrom(cloudflare: Cloudflare, index: number, failure: Failure): void {
  const start = cloudflare.log.length;
  let route: string | null = null;
  cloudflare.failing = (call) => {
    if (call.index - start === index) route = call.route;
    return call.route === route ? failure : null;
  };
}

/** Makes one deploy that fails at the call `index`, and one that mends it. */
async function tryOnce(
  cloudflare: Cloudflare,
  { edge, deploy }: Rehearsal,
  { kind, index, failure, token }: { kind: Trial["deploy"]; index: number; failure: Failure; token?: string },
): Promise<Trial> {
  const start = cloudflare.log.length;
  failFrom(cloudflare, index, failure);
  const broken = await deploy(cloudflare);
  cloudflare.failing = null;
  const end = cloudflare.log.length;
  const mended = await deploy(cloudflare);
  const tokens = [...broken.tokens, ...mended.tokens];
  const faults = faultsOf(cloudflare.account, edge, token ?? tokens.at(-1));
  if (mended.exitCode !== 0)
    faults.unshift(`the next deploy ended with ${mended.exitCode}: ${reasonOf(mended)}`);
  if (token !== undefined && tokens.length > 0) faults.push("a root token was made anew");
  return {
    deploy: kind,
    call: cloudflare.log[start + index]?.line ?? "the call never came",
    failure,
    stopped: reasonOf(broken),
    callsToMend: cloudflare.log.length - end,
    faults,
  };
}

/** Returns the calls to try: of the same call in a row, as migrations make them, the first, the second and the last. */
export function indexesToTry(lines: string[]): number[] {
  return lines.flatMap((line, at) => {
    const isInside = lines[at - 1] === line && lines[at + 1] === line;
    return isInside && lines[at - 2] === line ? [] : [at];
  });
}

/**
 * Tries every call of a first deploy, each on an account of its own, then every call of a later deploy.
 * @throws Error when a deploy that nothing disturbs fails
 */
export async function rehearseFailures(rehearsal: Rehearsal): Promise<Trial[]> {
  const { deploy, report, among = "", account = emptyAccount } = rehearsal;
  const trials: Trial[] = [];
  const settled = await startCloudflare(account());
  const callsOf = async (): Promise<string[]> => {
    const start = settled.log.length;
    const run = await deploy(settled);
    if (run.exitCode !== 0) throw new Error(`A deploy failed that nothing disturbed:\n${run.output}`);
    const [token] = run.tokens;
    rootToken ??= token;
    return settled.log.slice(start).map(({ line }) => line);
  };
  let rootToken: string | undefined;
  const first = await callsOf();
  const later = await callsOf();
  const note = (trial: Trial): void => {
    trials.push(trial);
    report(trial);
  };
  const toTry = (lines: string[]): { index: number; failure: Failure }[] =>
    indexesToTry(lines)
      .filter((index) => lines[index]?.includes(among))
      .flatMap((index) => failuresOf(lines[index] ?? "").map((failure) => ({ index, failure })));
  for (const { index, failure } of toTry(first)) {
    const cloudflare = await startCloudflare(account());
    note(await tryOnce(cloudflare, rehearsal, { kind: "first", index, failure }));
    await cloudflare.close();
  }
  for (const { index, failure } of toTry(later)) {
    note(await tryOnce(settled, rehearsal, { kind: "later", index, failure, token: rootToken ?? "" }));
  }
  await settled.close();
  return trials;
}

/** Replaces ids, because a database has another id in each account. */
const withoutIds = (line: string): string =>
  line.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, ":id");

const REASON_MAX_CHARACTERS = 160;

/** Returns the line about one trial. */
export function trialLine({ deploy, call, failure, stopped, callsToMend, faults }: Trial): string {
  const reason =
    stopped && stopped.length > REASON_MAX_CHARACTERS
      ? `${stopped.slice(0, REASON_MAX_CHARACTERS)} …`
      : stopped;
  const ending = reason === null ? "went on without it" : `stopped: ${reason}`;
  const mended = faults.length === 0 ? `mended by ${callsToMend} calls` : `NOT MENDED: ${faults.join("; ")}`;
  return `${deploy} deploy, ${withoutIds(call)}, ${failure}\n    ${ending}\n    ${mended}`;
}

/** Returns the summary of all trials. */
export function summaryOf(trials: Trial[]): string[] {
  const lines = (["first", "later"] as const).map((kind) => {
    const tried = trials.filter(({ deploy }) => deploy === kind);
    const calls = new Set(tried.map(({ call }) => withoutIds(call))).size;
    const stopped = tried.filter((trial) => trial.stopped !== null).length;
    return `A ${kind} deploy: ${tried.length} failures of ${calls} calls; ${stopped} stopped it, it went on after ${tried.length - stopped}.`;
  });
  const unmended = trials.filter(({ faults }) => faults.length > 0);
  const end =
    unmended.length === 0
      ? "The next deploy mended every one: nothing was made twice, and no root token changed."
      : `The next deploy did not mend ${unmended.length}:`;
  return [...lines, end, ...unmended.map(trialLine)];
}
