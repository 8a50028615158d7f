import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { clientSchema } from "../../../../scripts/types/client.ts";

it("the client's types are those of the API document (else: npm run client)", async () => {
  expect(readFileSync("src/client/schema.ts", "utf8")).toBe(await clientSchema());
});
