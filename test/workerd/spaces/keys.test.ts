/** The answer to a key's question about itself. */
import { describe, expect, it } from "vitest";
import { Client } from "../support/api.ts";

describe("GET /keys/self", () => {
  it("returns the key, its role and its space, for every role", async () => {
    const client = await Client.make();
    for (const role of ["read", "preview", "write", "admin"]) {
      const made = await client.call<{ id: string; key: string }>("POST", "/keys", {
        name: `a ${role}`,
        role,
      });
      const { status, data } = await client.call("GET", "/keys/self", undefined, { key: made.data.key });
      expect([status, data]).toEqual([
        200,
        { id: made.data.id, name: `a ${role}`, role, space: client.space.name },
      ]);
    }
    const root = await client.call("GET", "/keys/self");
    expect(root.data).toEqual({ id: null, name: "root", role: "root", space: client.space.name });
  });

  it("is refused without a key, with another space's key, and with a revoked one", async () => {
    const [client, other] = [await Client.make(), await Client.make()];
    const status = async (key: string | null) =>
      (await client.call("GET", "/keys/self", undefined, { key })).status;
    expect(await status(null)).toBe(401);
    expect(await status("sp_unknown")).toBe(401);
    expect(await status(await other.key("admin"))).toBe(404);
    const made = await client.call<{ id: string; key: string }>("POST", "/keys", { name: "x", role: "read" });
    await client.call("DELETE", `/keys/${made.data.id}`);
    expect(await status(made.data.key)).toBe(401);
    expect((await client.call("GET", "/keys/self?x=1")).status).toBe(400);
  });
});
