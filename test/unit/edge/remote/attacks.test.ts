/** Addresses, redirects and answers of an origin that attacks, under the rules of a deployment (RULES 13.1, 13.4). */
import { describe, expect, it } from "vitest";
import { ApiError } from "../../../../src/errors.ts";
import { parseAddress } from "../../../../src/edge/remote/address.ts";
import { fetchOrigin, FetchFailure } from "../../../../src/edge/remote/fetch-origin.ts";
import { originOf, parseOrigin } from "../../../../src/edge/remote/origins.ts";
import { REMOTE } from "../../../../src/limits.ts";

const DEPLOYED = { isTesting: false };
const ORIGIN = "https://img.example.com";
const LISTED = [ORIGIN, "https://*.cdn.example", "https://host.example/shop/"];

/** Each form of an address of this machine, of a private network, or of a cloud's metadata, that URL parsers know. */
const INSIDE = [
  ...["127.0.0.1", "127.1", "0x7f.1", "0177.0.0.1", "2130706433", "0x7f000001", "127.0.0.1.", "0", "0.0.0.0"],
  ...["10.0.0.1", "192.168.1.1", "172.16.0.1", "100.64.0.1", "169.254.169.254", "0xa9fea9fe", "2852039166"],
  ...[
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::7f00:1]",
    "[fd00::1]",
    "[fe80::1]",
  ],
  ...["[::ffff:169.254.169.254]", "[2002:7f00:1::]", "１２７.0.0.1", "127。0。0。1", "①②⑦.0.0.1"],
  ...["localhost", "LOCALHOST", "localhost.", "a.localhost", "printer.local", "db.internal", "intranet"],
  ...["metadata.google.internal", "router.home.arpa", "nas.lan", "metadata"],
];

/** Ways to write an address so that a careless reader takes it for one of a listed origin. */
const DISGUISES = [
  "https://img.example.com@evil.example/a.jpg",
  "https://img.example.com:443@evil.example/a.jpg",
  "https://img.example.com%2eevil.example/a.jpg",
  "https://img.example.com.evil.example/a.jpg",
  "https://evil.example/img.example.com/a.jpg",
  "https://evil.example#@img.example.com/a.jpg",
  "https://evil.example?@img.example.com/a.jpg",
  "https://evil.example\\@img.example.com/a.jpg",
  "https://user:secret@img.example.com/a.jpg",
  "https://img.example.com:8443/a.jpg",
  "https://img.example.com:80/a.jpg",
  "https://img.example.com./a.jpg",
  "http://img.example.com/a.jpg",
  "https://cdn.example/a.jpg",
  "https://a.b.cdn.example/a.jpg",
  "https://acdn.example/a.jpg",
  "https://host.example/shop",
  "https://host.example/shop/../admin/a.jpg",
  "https://host.example/shop/%2e%2e/admin/a.jpg",
  "https://host.example/shop/..%2fadmin/a.jpg",
  "https://host.example/shop/..%5cadmin/a.jpg",
  "https://host.example/Shop/a.jpg",
  "https://\u0456mg.example.com/a.jpg",
  "https://img.ex\u0430mple.com/a.jpg",
  "https://xn--mg-wja.example.com/a.jpg",
  "https://img.example.com\u2044.evil.example/a.jpg",
  "https://img.example.com%00.evil.example/a.jpg",
  "https://img.example.com%2f@evil.example/a.jpg",
  "https://evil.example\t/img.example.com/a.jpg",
  "https://evil\n.example/a.jpg",
  "https://img.example.com,evil.example/a.jpg",
  "https://img.example.com;evil.example/a.jpg",
  "https://.img.example.com/a.jpg",
  "https://img..example.com/a.jpg",
  "https://x.cdn.example./a.jpg",
  "https://.cdn.example/a.jpg",
  "https://[img.example.com]/a.jpg",
  "https://127.0.0.1.cdn.example:443@evil.example/a.jpg",
];

const OTHER_SCHEMES = [
  ...[
    "file:///etc/passwd",
    "ftp://img.example.com/a.jpg",
    "data:image/png;base64,AA==",
    "blob:https://img.example.com/1",
  ],
  ...[
    "javascript:alert(1)",
    "gopher://img.example.com/",
    "ws://img.example.com/",
    "view-source:https://img.example.com/",
  ],
];

const addressesInside = INSIDE.flatMap((host) => [`https://${host}/a.jpg`, `http://${host}/a.jpg`]);

/** Returns whether an address is fetched: parsed as a request's, and compared with the origins. */
function isFetched(text: string): boolean {
  try {
    return originOf(parseAddress(text), LISTED, DEPLOYED) !== null;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

describe("an address", () => {
  it.each([...addressesInside, ...DISGUISES, ...OTHER_SCHEMES])("is not fetched: %s", (text) => {
    expect(isFetched(text)).toBe(false);
  });

  it("of a listed origin is fetched, in any form that means the same", () => {
    for (const text of [
      "https://img.example.com/a.jpg",
      "HTTPS://IMG.example.com:443/a.jpg",
      "https:\\\\img.example.com\\a.jpg",
      "https://x.cdn.example/a.jpg",
      "https://host.example/shop/a.jpg",
      "https://host.example/shop/b/./c/../a.jpg",
      "https:img.example.com/a.jpg",
      "https://img\u3002example\uff0ecom/a.jpg",
      "https://\uff49mg.example.com/a.jpg",
      "https://img\u00ad.example.com/a.jpg",
      "https://i\tmg.example.com/a\n.jpg",
    ])
      expect([text, isFetched(text)]).toEqual([text, true]);
  });
});

describe("an entry of the setting", () => {
  it.each(INSIDE)("cannot be an address of a private network: %s", (host) => {
    expect(parseOrigin(`https://${host}`, DEPLOYED)).toBeNull();
    expect(parseOrigin(`https://*.${host}`, DEPLOYED)).toBeNull();
  });

  it("may be a name that resolves to one: a Worker cannot look a name up before it fetches (README)", () => {
    for (const host of ["localtest.me", "127.0.0.1.nip.io", "10-0-0-1.sslip.io"])
      expect(parseOrigin(`https://${host}`, DEPLOYED)).not.toBeNull();
    // No other scheme and port: the machine must show a certificate for the name, as no private one does.
    for (const entry of ["http://localtest.me", "https://localtest.me:8443"])
      expect(parseOrigin(entry, DEPLOYED)).toBeNull();
  });
});

/** Fetches a file of the listed origin. @returns the failure; null if there is none */
async function failureOf(fetch: (url: string) => Promise<Response>): Promise<FetchFailure | null> {
  const isAllowed = (at: URL): boolean => originOf(at, LISTED, DEPLOYED) !== null;
  const signal = new AbortController().signal;
  try {
    const file = await fetchOrigin(new URL(`${ORIGIN}/a.jpg`), null, { fetch, isAllowed, signal });
    if (file.kind === "file") await file.body.return(undefined);
    return null;
  } catch (error) {
    if (error instanceof FetchFailure) return error;
    throw error;
  }
}

describe("a redirect", () => {
  /** Fetches a file whose origin redirects to `location`. @returns the addresses that were fetched, and the failure */
  async function followed(location: string): Promise<{ asked: string[]; failure: FetchFailure | null }> {
    const asked: string[] = [];
    const fetch = (url: string): Promise<Response> => {
      asked.push(url);
      const isFirst = asked.length === 1;
      const headers = { Location: location };
      return Promise.resolve(isFirst ? new Response(null, { status: 302, headers }) : new Response("file"));
    };
    return { asked, failure: await failureOf(fetch) };
  }

  it.each([
    ...[...addressesInside, ...DISGUISES, ...OTHER_SCHEMES],
    ...["//evil.example/a.jpg", "\\\\evil.example\\a.jpg", "https:///evil.example/a.jpg", "https://"],
  ])("is not followed: %s", async (location) => {
    // A header holds no other characters; a server sends these as bytes, which name no host.
    const sendable = /^[\x20-\x7e]*$/.test(location) ? location : encodeURI(location);
    const { asked, failure } = await followed(sendable);
    expect(asked).toEqual([`${ORIGIN}/a.jpg`]);
    expect(failure).toMatchObject({ kind: "origin" });
  });

  it.each([
    ...INSIDE.map((host) => `https://${host}/a.jpg`),
    "https://evil.example/a.jpg",
    "file:///etc/passwd",
  ])("is not followed from the second or third address on either: %s", async (location) => {
    for (const before of [1, 2]) {
      const asked: string[] = [];
      const fetch = (url: string): Promise<Response> => {
        asked.push(url);
        const next = asked.length <= before ? `${ORIGIN}/${asked.length}.jpg` : encodeURI(location);
        return Promise.resolve(new Response(null, { status: 307, headers: { Location: next } }));
      };
      expect(await failureOf(fetch)).toMatchObject({ kind: "origin" });
      expect(asked).toHaveLength(before + 1);
    }
  });

  it("is not followed round and round, nor where an answer that is no redirect points", async () => {
    const asked: string[] = [];
    const answering = (status: number, headers: Record<string, string>) => (url: string) => {
      asked.push(url);
      return Promise.resolve(new Response(status === 200 ? "file" : null, { status, headers }));
    };
    expect(await failureOf(answering(302, { Location: `${ORIGIN}/a.jpg` }))).toMatchObject({
      kind: "origin",
    });
    expect(asked).toHaveLength(1 + REMOTE.redirectsMax);
    asked.length = 0;
    const elsewhere = "https://evil.example/a.jpg";
    for (const [status, headers] of [
      [200, { Location: elsewhere, Refresh: `0; url=${elsewhere}` }],
      [300, { Location: elsewhere }],
      [304, { Location: elsewhere }],
      [305, { Location: elsewhere }],
      [306, { Location: elsewhere }],
    ] as const)
      await failureOf(answering(status, headers));
    expect(new Set(asked)).toEqual(new Set([`${ORIGIN}/a.jpg`]));
  });

  it("is followed to a listed origin, and takes nothing along", async () => {
    for (const location of ["b.jpg", "/b.jpg", "//img.example.com/b.jpg", "https://x.cdn.example/b.jpg#part"])
      expect((await followed(location)).failure).toBeNull();
  });
});
