/** Files of other servers that an export names: no request goes to this machine or its network unasked (RULES 18.10). */
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { gzipSync } from "node:zlib";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchFile, PrivateAddress } from "../../../src/command/base/fetch-file.ts";
import { isPublicAddress } from "../../../src/command/base/public-addresses.ts";

describe("an address", () => {
  it.each([
    ...[
      "127.0.0.1",
      "127.255.0.3",
      "10.0.0.1",
      "172.16.0.1",
      "172.31.255.255",
      "192.168.1.1",
      "169.254.169.254",
    ],
    ...["0.0.0.0", "100.64.0.1", "192.0.2.1", "198.18.0.1", "224.0.0.1", "255.255.255.255"],
    ...["::", "::1", "[::1]", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1", "2001:db8::1"],
    ...["::ffff:127.0.0.1", "::ffff:a9fe:a9fe", "64:ff9b::10.0.0.1", "64:ff9b::", "2002:7f00:1::", "2001::1"],
    ...["64:ff9b:1::1", "", "example.com", "127.1"],
  ])("%s is none of the internet", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    ...["1.1.1.1", "172.15.0.1", "172.32.0.1", "169.253.0.1", "192.169.0.1", "223.255.255.255"],
    ...["2606:4700::1111", "[2a00:1450::1]", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1", "64:ff9b::101:101"],
  ])("%s is one of the internet", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe("a file", () => {
  let server: Server;
  let port = 0;
  const asked: string[] = [];
  const closed: string[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://server");
      asked.push(pathname);
      if (pathname === "/file") response.end("the file");
      else if (pathname === "/zipped")
        response.setHeader("Content-Encoding", "gzip").end(gzipSync("the zipped file"));
      else if (pathname === "/cut") {
        response.writeHead(200, { "Content-Length": "100" }).write("the ");
        setTimeout(() => response.destroy(), 20);
      } else if (pathname === "/moved") response.writeHead(302, { Location: "/file" }).end();
      else if (pathname === "/round") response.writeHead(302, { Location: "/round" }).end();
      else if (pathname === "/inside")
        response.writeHead(302, { Location: `http://127.0.0.2:${port}/file` }).end();
      else if (pathname === "/out") response.writeHead(302, { Location: "file:///etc/passwd" }).end();
      else if (pathname === "/nothing") response.writeHead(204).end();
      else if (pathname === "/reset") response.writeHead(205).end();
      else if (pathname === "/999")
        response
          .writeHead(999)
          .on("close", () => closed.push(pathname))
          .write("no robots");
      else response.writeHead(404).end("gone");
    }).listen(0);
    await once(server, "listening");
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => {
    server.close();
  });

  const get = (path: string, isPrivateAllowed = true, host = "localhost"): Promise<Response> =>
    fetchFile(`http://${host}:${port}${path}`, { signal: new AbortController().signal, isPrivateAllowed });

  it.each(["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"])(
    "of this machine is refused unless it is allowed: %s",
    async (host) => {
      const before = asked.length;
      await expect(get("/file", false, host)).rejects.toThrow(PrivateAddress);
      await expect(get("/file", false, host)).rejects.toThrow(/--allow-private fetches it/);
      expect(asked.length).toBe(before);
      if (!host.startsWith("[")) expect(await (await get("/file", true, host)).text()).toBe("the file");
    },
  );

  it("comes through redirects, decompressed, or with the status that says why not", async () => {
    expect(await (await get("/moved")).text()).toBe("the file");
    expect(await (await get("/zipped")).text()).toBe("the zipped file");
    expect((await get("/gone")).status).toBe(404);
    expect((await get("/nothing")).status).toBe(204);
    expect((await get("/reset")).status).toBe(205);
    expect((await get("/999")).status).toBe(502);
    await expect.poll(() => closed).toEqual(["/999"]);
  });

  it("is refused where a redirect leads to a private address", async () => {
    const signal = new AbortController().signal;
    const isPublic = (one: string): boolean => one !== "127.0.0.2";
    const from = (isPrivateAllowed: boolean): Promise<Response> =>
      fetchFile(`http://127.0.0.1:${port}/inside`, { signal, isPrivateAllowed }, isPublic);
    await expect(from(false)).rejects.toThrow("127.0.0.2 is an address of this machine");
    expect(asked.at(-1)).toBe("/inside");
    expect(await (await from(true)).text()).toBe("the file");
  });

  it("that is redirected without end, or out of the web, is given up", async () => {
    await expect(get("/round")).rejects.toThrow("it is redirected more than 5 times");
    await expect(get("/out")).rejects.toThrow('"file:///etc/passwd" is no address of the web');
  });

  it("that breaks off is an error", async () => {
    await expect((await get("/cut")).text()).rejects.toThrow();
  });
});
