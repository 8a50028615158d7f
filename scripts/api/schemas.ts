/** Converts the validation schemas to JSON Schemas (draft 2020-12, as in OpenAPI 3.1). Named ones become components. */
import * as z from "zod";

export type Schema = Record<string, unknown>;

/** Collects the named schemas that others refer to. */
export class SchemaWriter {
  readonly components = new Map<string, Schema>();

  /**
   * Returns the JSON Schema of a request (`input`) or an answer (`output`). A schema with a name becomes a reference to
   * it.
   * @throws Error when two different schemas have one name
   */
  write(schema: z.ZodType, io: "input" | "output"): Schema {
    const { $defs = {}, ...written } = z.toJSONSchema(schema, {
      io,
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) => {
        settle(zodSchema as unknown as z.ZodType, jsonSchema);
      },
    }) as Schema & { $defs?: Record<string, Schema> };
    for (const [name, definition] of Object.entries($defs)) this.#add(name, definition);
    const { id } = schema.meta() ?? {};
    const own = withReferences(written);
    delete own["$schema"];
    if (id === undefined) return own;
    if (typeof own["$ref"] !== "string") this.#add(id, own);
    return { $ref: reference(id) };
  }

  #add(name: string, definition: Schema): void {
    const schema = withReferences(definition);
    delete schema["id"];
    const known = this.components.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two schemas are named "${name}": a request and an answer need a name each.`);
    }
    this.components.set(name, schema);
  }
}

/** Corrects a JSON Schema. What `meta` states takes precedence over what follows from the validator. */
function settle(zodSchema: z.ZodType, jsonSchema: Schema): void {
  delete jsonSchema["id"];
  const { type, default: byDefault } = zodSchema.meta() ?? {};
  delete jsonSchema["param"];
  const { type: kind } = zodSchema.def as { type: string };
  // Answers may get further fields in future versions.
  if (kind === "object" && (zodSchema.def as { catchall?: unknown }).catchall === undefined) {
    delete jsonSchema["additionalProperties"];
  }
  if (type !== undefined) {
    delete jsonSchema["pattern"];
    delete jsonSchema["not"];
    delete jsonSchema["const"];
  }
  // The pattern of a time is redundant with its format.
  if (jsonSchema["format"] === "date-time") delete jsonSchema["pattern"];
  if (byDefault !== undefined) jsonSchema["default"] = byDefault;
  // zod adds the bounds of a safe integer, which are of no use to a reader.
  if (jsonSchema["maximum"] === Number.MAX_SAFE_INTEGER) delete jsonSchema["maximum"];
  if (jsonSchema["minimum"] === Number.MIN_SAFE_INTEGER) delete jsonSchema["minimum"];
}

const reference = (name: string): string => `#/components/schemas/${name}`;

function withReferences(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll("#/$defs/", reference(""))) as Schema;
}
