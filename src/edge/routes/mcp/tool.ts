/** The form of a tool: its arguments, and the route that it calls. */
import * as z from "zod";

/** A request to a route of the space that the tool call is about. */
export interface RouteRequest {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path below the space, from `pathOf`. */
  path: string;
  query?: readonly (readonly [string, string])[];
  body?: unknown;
  ifMatch?: string | number | undefined;
  idempotencyKey?: string | undefined;
  /**
   * How an answer that is too long is shortened.
   * - `page`: a list shows fewer items, and the cursor of the rest.
   * - `whole`: the JSON comes in pieces, each with the cursor of the next.
   * - `short`: long values are left out, because another tool reads them.
   */
  answers: "page" | "whole" | "short";
  /** Returns what the agent is shown of the answer, or of each item of a list. */
  view?: (data: Record<string, unknown>) => Record<string, unknown>;
}

/** The part of the effect of a tool that clients ask their users about. */
export type Effect = "reads" | "adds" | "changes" | "removes";

export interface Tool {
  name: string;
  title: string;
  description: string;
  effect: Effect;
  /** The schema of the arguments, which `tools/list` shows as JSON Schema. */
  takes: z.ZodObject;
  /** Returns the request to the route. @throws ApiError INVALID_PARAMETER, VALIDATION_FAILED */
  asks: (given: Record<string, unknown>) => RouteRequest;
}

/** Returns an entry of the table, whose request is made of the arguments that its schema has checked. */
export const tool = <Takes extends z.ZodObject>(
  entry: Omit<Tool, "takes" | "asks"> & { takes: Takes; asks: (given: z.output<Takes>) => RouteRequest },
): Tool => ({ ...entry, asks: (given) => entry.asks(given as z.output<Takes>) });

/** Matches ids of records, media and trash entries. None of them is `..`, which an address would resolve. */
const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Returns a path. @throws Error for a part that could lead to another route, which the schemas of arguments refuse */
export const pathOf = (...parts: readonly string[]): string => {
  for (const part of parts)
    if (!ID.test(part)) throw new Error("A part of a path has characters of its own.");
  return `/${parts.join("/")}`;
};

/** Returns the schema of an id. */
export const idSchema = (description: string) =>
  z.string().regex(ID, "must be an id, as another tool answered it").meta({ description });
