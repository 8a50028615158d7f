/** The form of an entry of the table of image parameters. */
import type { FocalPoint } from "../geometry/focal-point.ts";
import type { OutputFormat, Quality } from "../model/variant.ts";

/** The parameters of an image request, as `read.ts` reads them. */
export interface PictureParameters {
  /** The requested width in pixels, 1 to 8192. */
  width: number | null;
  /** The requested height in pixels, 1 to 8192. */
  height: number | null;
  /** The ratio as it was sent. Whether the space lists it is checked when the picture is known (RULES 5.8). */
  ratio: string | null;
  focalPoint: FocalPoint | null;
  quality: Quality | null;
  format: OutputFormat | null;
  /** Whether the format follows from `Accept`. */
  auto: boolean;
}

/** The part of JSON Schema with which the API document describes a value. */
export interface ValueSchema {
  type: "integer" | "string";
  minimum?: number;
  maximum?: number;
  enum?: readonly (string | number)[];
  default?: string | number;
  examples?: readonly string[];
}

/** One parameter: how it is read and written, and the words that people read about it. */
export interface Parameter<Value> {
  /** The name in the query of an address. */
  readonly name: string;
  /** The values, as the tables of the documentation show them. */
  readonly values: string;
  /** A sentence without its full stop, in Markdown, for the tables of the documentation and the API document. */
  readonly meaning: string;
  readonly schema: ValueSchema;
  /** The value of a request that does not have the parameter. */
  readonly absent: Value;
  /** Whether a request with this parameter alone asks for a variant; if not, the master is the answer (RULES 5.3). */
  readonly asksForVariant: boolean;
  /** Reads one value; undefined if it is malformed. */
  readonly read: (text: string) => Value | undefined;
  /** The rule for values, as the end of a sentence that begins with the name. */
  readonly rule: string;
  /** Writes a value that is not `absent`, so that `read` gives it back. */
  readonly write: (value: Value) => string;
  /** Why the value cannot stand beside the others, as the end of a sentence that begins with the name; null if it can. */
  readonly conflict?: (all: PictureParameters) => string | null;
  /** The value in the normal form of a request: `absent` where it makes no difference. Without it, the value itself. */
  readonly normal?: (all: PictureParameters) => Value;
}
