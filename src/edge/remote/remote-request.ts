/** The request for a picture of another server, and the tools that answer it. */
import { ApiError } from "../../errors.ts";
import type { DecidingRequest } from "../delivery/decide.ts";
import type { DeliveryTools } from "../delivery/deliver.ts";
import type { FoundSpace } from "../storage/remote/remote-pictures.ts";
import type { OriginRules } from "./origins.ts";

export interface RemoteRequest extends DecidingRequest {
  spaceName: string;
  /** As it was sent. A relative one belongs to the first of the space's origins. */
  url: string;
  /** The client that is charged. */
  client: string;
  /** When the request reached the Worker, in milliseconds. */
  arrivedAt: number;
  /** Whether to ask the primary in any case. */
  ofPrimary?: boolean;
}

export interface RemoteTools extends DeliveryTools {
  /** Finds what a space allows. @throws what D1 throws, if the isolate holds nothing of the space */
  findSpace: (name: string, ofPrimary: boolean) => Promise<FoundSpace | null>;
  /** Whether pictures may be looked for while `findSpace` reads the space, since that takes a while. */
  mayLookAhead: (name: string) => boolean;
  /** Notes that a visitor asked for the picture. */
  noteAsking: (spaceId: string, id: string) => Promise<void>;
  ownHosts: readonly string[];
  rules: OriginRules;
}

/** Returns a handler for a D1 that does not answer. */
export const pictureUnknown =
  (tools: RemoteTools) =>
  (cause: unknown): never => {
    tools.log({ event: "picture-unknown", reason: String(cause) });
    const message = "The picture cannot be looked up at the moment. Try again.";
    throw new ApiError("UNAVAILABLE", message, { cause, headers: { "Retry-After": "1" } });
  };
