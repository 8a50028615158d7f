/** The form of an entry of the table of image parameters. */
import type { FocalPoint } from "../geometry/focal-point.ts";
import type { Quality } from "../model/variant.ts";
import type { OutputFormat } from "../formats/registry.ts";

/** The parameters of an image request, as `read.ts` reads them. */
export interface PictureParameters {
  /** The requested width in pixels, 1 to 8192. */
  width: number | null;
  /** The requested height in pixels, 1 to 8192. */
  height: number | null;
  /** The number by which both are multiplied, in hundredths: 100 to 400. */
  density: number | null;
  /** The ratio as it was sent. Whether the space lists it is checked when the picture is known (RULES 5.8). */
  ratio: string | null;
  focalPoint: FocalPoint | null;
  /** How the picture meets another ratio; null is a crop (RULES 5.12, 5.13). */
  fit: "inside" | "pad" | null;
  /** Six hexadecimal digits in lower case, or `transparent`. Whether the space lists it is checked later (RULES 5.14). */
  background: string | null;
  quality: Quality | null;
  format: OutputFormat | null;
  /** "format" if the format follows from `Accept`; "compress" for a list that has no effect. */
  auto: "format" | "compress" | null;
}

/** The part of JSON Schema with which the API document describes a value. */
export interface ValueSchema {
  type: "integer" | "number" | "string";
  minimum?: number;
  maximum?: number;
  enum?: readonly (string | number)[];
  default?: string | number;
  examples?: readonly string[];
}

/** The control with which a form offers a parameter. */
export interface Control {
  /** Parameters with the same label exclude each other, and share one control. */
  readonly label: string;
  /** The words for a request without the parameter. */
  readonly absent: string;
  readonly hint?: string;
  readonly offers:
    | { kind: "number"; min: number; max: number; suggested: readonly number[] }
    /** `text` is the value in an address, and `words` are what a person reads. */
    | { kind: "choice"; choices: readonly { text: string; words: string }[] }
    /** The values that a setting of the space lists. */
    | { kind: "listed"; setting: "aspectRatios" | "backgrounds" };
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
  /** The control in the playground of the console; null if it is not offered there. */
  readonly control: Control | null;
  /** The value of a request that does not have the parameter. */
  readonly absent: Value;
  /**
   * Whether a request with this value alone asks for a variant; if not, the master is the answer (RULES 5.3). Called for
   * values that are not `absent`.
   */
  readonly asksForVariant: (value: Value) => boolean;
  /** Reads one value; undefined if it is malformed. */
  readonly read: (text: string) => Value | undefined;
  /** The rule for values, as the end of a sentence that begins with the name. */
  readonly rule: string;
  /** Writes a value that is not `absent`, so that `read` gives it back. */
  readonly write: (value: Value) => string;
  /** Returns why the value cannot stand beside the others, as the end of a sentence that begins with the name; null if it can. */
  readonly conflict?: (all: PictureParameters) => string | null;
  /** The value in the normal form of a request: `absent` where it makes no difference. Without it, the value itself. */
  readonly normal?: (all: PictureParameters) => Value;
}
