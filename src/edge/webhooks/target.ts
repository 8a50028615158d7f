/** The address of a webhook (RULES 15.2). Pure. */
import { WEBHOOKS } from "../../limits.ts";
import { isDisguised } from "../remote/address.ts";
import { isPublicName } from "../remote/origins.ts";
import { isThisMachine } from "../this-machine.ts";

/** Whether addresses of this machine are taken too: `LOCAL`, of a service that `npm start` runs. */
export interface TargetRules {
  isLocal: boolean;
}

export const TARGET_RULE =
  "must be https://name/… with a public name: no IP address, no name of a private network, no user and no fragment";

/** Returns an address in its normal form; null if nothing is sent to such an address. */
export function readTarget(text: string, { isLocal }: TargetRules): string | null {
  if (text.length > WEBHOOKS.urlMaxCharacters || /[\s\\#]/.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== "" || url.password !== "" || isDisguised(text, url)) return null;
  const isOfThisMachine = isLocal && url.protocol === "http:" && isThisMachine(url.hostname);
  const isPublic = url.protocol === "https:" && isPublicName(url.hostname);
  if (!isOfThisMachine && !isPublic) return null;
  return url.href.length > WEBHOOKS.urlMaxCharacters ? null : url.href;
}
