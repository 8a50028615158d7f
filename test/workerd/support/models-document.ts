/** Plans and applies documents of models over HTTP (RULES 3.34). */
import type { Client, Reply } from "./api.ts";

export interface Plan {
  hash: string;
  changes: Record<string, unknown>[];
  conflicts: { path: string; message: string }[];
  working: unknown[];
}

export interface Applied {
  changes: Record<string, unknown>[];
  isComplete: boolean;
}

export const plan = (client: Client, document: object): Promise<Reply<Plan>> =>
  client.call<Plan>("POST", "/models/plan", document);

/** Plans and applies a document, and returns the changes that were made. */
export async function apply(client: Client, document: object, allowDrop: string[] = []): Promise<Applied> {
  const planned = await plan(client, { ...document, allowDrop });
  if (planned.status !== 200) throw new Error(JSON.stringify(planned.error));
  const { hash } = planned.data;
  const reply = await client.call<Applied>("POST", "/models/apply", { ...document, hash, allowDrop });
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.error));
  return reply.data;
}
