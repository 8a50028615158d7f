import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { freePort, waitUntilHealthy } from "../../../../scripts/start/ports.ts";

it("says what the Workers printed last when the service is not healthy in time", async () => {
  const waiting = waitUntilHealthy(`http://127.0.0.1:${await freePort()}`, () => "[edge] no such binding", 2);
  await expect(waiting).rejects.toThrow(/^\[edge\] no such binding\nNot healthy after 2 looks: no answer$/);
});

it("waits for an answer that is fine", async () => {
  let asked = 0;
  const server = createServer((_, response) => response.writeHead(asked++ === 0 ? 503 : 200).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await waitUntilHealthy(`http://127.0.0.1:${port}`, () => "");
  expect(asked).toBe(2);
  server.close();
});
