/** The caller that pays for a list (RULES 3.18). */
import type { Payer } from "../../lists/scan-budget.ts";
import type { AppContext } from "../../http/context.ts";

/** Returns the payer of a request with a key: the space, which may have any number of keys. */
export const payerOfSpace = ({ id }: { id: string }): Payer => ({ name: `space ${id}`, hasKey: true });

/** Returns the payer of a request without a key: the address. */
export const payerOfClient = (c: AppContext): Payer => ({ name: `client ${c.get("client")}`, hasKey: false });
