/** The caller that pays for a list (RULES 3.18). */
import type { Payer } from "../../lists/scan-budget.ts";
import type { AppContext } from "../../http/context.ts";

/** With a key, the space pays: it may have any number of keys. */
export const payerOfSpace = ({ id }: { id: string }): Payer => ({ name: `space ${id}`, hasKey: true });

/** Without a key, the address pays. */
export const payerOfClient = (c: AppContext): Payer => ({ name: `client ${c.get("client")}`, hasKey: false });
