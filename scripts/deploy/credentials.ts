/** The account that a deploy goes to, and the credentials for it: those that wrangler would use. */
import { z } from "zod";
import { ApiError } from "./cloudflare-api.ts";

const PUBLIC_API = "https://api.cloudflare.com/client/v4";

const Token = z.union([
  z.object({ type: z.literal("api_key"), key: z.string(), email: z.string() }),
  z.object({ type: z.string().optional(), token: z.string() }),
]);
const Accounts = z.object({ result: z.array(z.object({ id: z.string(), name: z.string() })) });

export interface Credentials {
  baseUrl: string;
  accountId: string;
  credentials: Record<string, string>;
  /** Whether they are those of `wrangler login`. */
  isLogin: boolean;
}

export type Environment = Record<string, string | undefined>;

/** Returns the headers that sign in, from what `wrangler auth token --json` prints. */
export function headersOf(printed: string): Pick<Credentials, "credentials" | "isLogin"> {
  const token = Token.parse(JSON.parse(printed));
  if ("key" in token)
    return { credentials: { "X-Auth-Key": token.key, "X-Auth-Email": token.email }, isLogin: false };
  return { credentials: { Authorization: `Bearer ${token.token}` }, isLogin: token.type === "oauth" };
}

/** @throws Error that says what to set when there is not exactly one account to choose */
async function onlyAccount(baseUrl: string, credentials: Record<string, string>): Promise<string> {
  const response = await fetch(`${baseUrl}/accounts?per_page=50`, { headers: credentials });
  if (!response.ok) throw new ApiError("GET /accounts", response.status, [], await response.text());
  const { result } = Accounts.parse(await response.json());
  const [first] = result;
  if (first && result.length === 1) return first.id;
  const list = result.map(({ id, name }) => `  ${id}  ${name}`).join("\n");
  throw new Error(
    result.length === 0
      ? "These credentials name no account. Set CLOUDFLARE_ACCOUNT_ID."
      : `There are several accounts. Set CLOUDFLARE_ACCOUNT_ID to one of these:\n${list}`,
  );
}

/**
 * @param readToken what `wrangler auth token --json` prints; asked only when the environment holds no token
 * @throws Error that says how to sign in
 */
export async function findCredentials(
  env: Environment,
  readToken: () => Promise<string>,
): Promise<Credentials> {
  const baseUrl = env["CLOUDFLARE_API_BASE_URL"] ?? PUBLIC_API;
  const token = env["CLOUDFLARE_API_TOKEN"];
  const { credentials, isLogin } = token
    ? { credentials: { Authorization: `Bearer ${token}` }, isLogin: false }
    : headersOf(await readToken());
  const accountId = env["CLOUDFLARE_ACCOUNT_ID"] || (await onlyAccount(baseUrl, credentials));
  return { baseUrl, accountId, credentials, isLogin };
}
