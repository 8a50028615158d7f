/** The caller that pays for a list (RULES 3.18). */
import type { Payer } from "../content/scan-budget.ts";
import type { AppContext } from "../http/context.ts";

/** @param key the caller's key; null for the root token */
export const payerOfKey = (key: { id: string } | null): Payer => ({
  name: key ? `key ${key.id}` : "root",
  hasKey: true,
});

/** Without a key, the address pays. */
export const payerOfClient = (c: AppContext): Payer => ({ name: `client ${c.get("client")}`, hasKey: false });
