import { describe, expect, it } from "vitest";
import { isDisguised, parseAddress } from "../../../../src/edge/remote/address.ts";
import { originOf, parseOrigin } from "../../../../src/edge/remote/origins.ts";
import { isOwnButNoPicture, ownHosts, ownPictureOf } from "../../../../src/edge/remote/own-addresses.ts";
import { freshMsOf } from "../../../../src/edge/remote/freshness.ts";
import { REMOTE } from "../../../../src/limits.ts";

const DEPLOYED = { isTesting: false };
const TESTING = { isTesting: true };

describe("entries of origins (RULES 13.1)", () => {
  it.each([
    "https://example.com",
    "https://example.com/",
    "https://images.example.co.uk/media/",
    "https://*.example.com",
    "https://*.example.com/a/b/",
    "https://xn--bcher-kva.example",
  ])("take %s", (entry) => {
    expect(parseOrigin(entry, DEPLOYED)).not.toBeNull();
  });

  it.each([
    ...["", "example.com", "//example.com", "http://example.com", "ftp://example.com", "file:///etc/"],
    ...[
      "https://example",
      "https://localhost",
      "https://a.localhost",
      "https://db.internal",
      "https://nas.local",
    ],
    ...[
      "https://example.com.",
      "https://example.com:443",
      "https://example.com:8443",
      "https://me@example.com",
    ],
    ...["https://127.0.0.1", "https://127.1", "https://0x7f.1", "https://2130706433", "https://[::1]"],
    ...["https://[::ffff:10.0.0.1]", "https://1.2.3.4.5", "https://example.1"],
    ...[
      "https://*",
      "https://*.com",
      "https://*.*.example.com",
      "https://a.*.example.com",
      "https://a*.example.com",
    ],
    ...[
      "https://example.com/path",
      "https://example.com/?q",
      "https://example.com/#x",
      "https://example.com/a/../",
    ],
    ...["https://example.com/a/%2e%2e/", "https://exa mple.com", "https://example.com\\@evil.example"],
    ...["http://127.0.0.1:9000", "http://localhost:9000"],
  ])("refuse %s", (entry) => {
    expect(parseOrigin(entry, DEPLOYED)).toBeNull();
  });

  it("take addresses of this machine in tests alone, and no other address of another network", () => {
    for (const entry of ["http://127.0.0.1:9000", "http://localhost:9000/pictures/"])
      expect(parseOrigin(entry, TESTING)).not.toBeNull();
    for (const entry of [
      "http://10.0.0.1:9000",
      "http://127.0.0.2:9000",
      "http://example.com",
      "http://[::1]:9000",
    ])
      expect(parseOrigin(entry, TESTING)).toBeNull();
  });
});

const allows = (entry: string, address: string, rules = DEPLOYED): boolean =>
  originOf(new URL(address), [entry], rules) !== null;

describe("an address and the origins of its space", () => {
  it("is allowed by its host, or by the path that it is below", () => {
    expect(allows("https://example.com", "https://example.com/a/b.jpg?c=d")).toBe(true);
    expect(allows("https://example.com", "https://EXAMPLE.com:443/a.jpg")).toBe(true);
    expect(allows("https://example.com/media/", "https://example.com/media/a.jpg")).toBe(true);
    expect(
      originOf(new URL("https://b.example/x"), ["https://a.example", "https://b.example"], DEPLOYED),
    ).toBe("https://b.example");
  });

  it("is allowed by a wildcard for exactly one label", () => {
    expect(allows("https://*.example.com", "https://a.example.com/x")).toBe(true);
    expect(allows("https://*.example.com", "https://example.com/x")).toBe(false);
    expect(allows("https://*.example.com", "https://a.b.example.com/x")).toBe(false);
    expect(allows("https://*.example.com", "https://aexample.com/x")).toBe(false);
  });

  it.each([
    "http://example.com/media/a.jpg",
    "https://example.com:8443/media/a.jpg",
    "https://user@example.com/media/a.jpg",
    "https://user:secret@example.com/media/a.jpg",
    "https://example.com.evil.example/media/a.jpg",
    "https://evil.example/?https://example.com/media/",
    "https://example.com@evil.example/media/a.jpg",
    "https://example.com/private/a.jpg",
    "https://example.com/media",
    "https://example.com/media/../private/a.jpg",
    "https://example.com/media/%2e%2e/private/a.jpg",
    "https://example.com/media/..%2fprivate/a.jpg",
    "https://example.com/media/%2e%2e%5cprivate/a.jpg",
    "file:///media/a.jpg",
    "data:image/png;base64,AAAA",
  ])("is not allowed: %s", (address) => {
    expect(allows("https://example.com/media/", address)).toBe(false);
  });

  it("means another machine in another form of its IP address", () => {
    for (const text of ["http://0x7f.1:9000/", "http://127.1:9000/", "http://2130706433:9000/"])
      expect(isDisguised(text, new URL(text))).toBe(true);
    expect(() => parseAddress("http://0177.0.0.1:9000/")).toThrow(/unusual form/);
    expect(isDisguised("http://127.0.0.1:9000/", new URL("http://127.0.0.1:9000/"))).toBe(false);
  });
});

describe("an address", () => {
  it("has no fragment, and one form", () => {
    expect(parseAddress("https://Example.com/a b.jpg#part").href).toBe("https://example.com/a%20b.jpg");
    expect(parseAddress("/a.jpg", "https://example.com/media/").href).toBe("https://example.com/a.jpg");
    expect(parseAddress("a.jpg", "https://example.com/media/").href).toBe("https://example.com/media/a.jpg");
  });

  it.each(["", "a.jpg", "//example.com/a.jpg", "https://", "https://exa mple.com/"])("is not %s", (text) => {
    expect(() => parseAddress(text)).toThrow(/must be one whole address/);
  });

  it("has at most 4096 characters", () => {
    const longest = `https://example.com/${"a".repeat(REMOTE.addressMaxCharacters - 20)}`;
    expect(parseAddress(longest).href).toHaveLength(4096);
    expect(() => parseAddress(`${longest}a`)).toThrow();
    // As it is hashed, percent-encoded.
    expect(() => parseAddress(`https://example.com/${"é".repeat(1000)}`)).toThrow();
  });
});

describe("addresses of this deployment", () => {
  const hosts = ownHosts(
    { PUBLIC_BASE_URL: "https://img.example", CDN_BASE_URL: "https://cdn.example/x" },
    "a.example",
  );

  it("are those of its hosts", () => {
    expect(hosts).toEqual(["a.example", "img.example", "cdn.example"]);
    expect(ownHosts({ PUBLIC_BASE_URL: "" }, "localhost:8787")).toEqual(["localhost:8787", "127.0.0.1:8787"]);
  });

  it("are nothing to be fetched but for pictures", () => {
    const isRefused = (address: string): boolean => isOwnButNoPicture(new URL(address), hosts);
    for (const path of ["/api/v1/shop/settings", "/healthz", "/api/v1/shop/remote?url=x", "/console", "/"])
      expect(isRefused(`https://img.example${path}`)).toBe(true);
    expect(isRefused("https://img.example/api/v1/shop/pictures/01ARZ3NDEKTSV4RRFFQ69G5FAV")).toBe(false);
    expect(isRefused("https://cdn.example/cdn/m/a/b/1/master.jpg")).toBe(false);
    expect(isRefused("https://other.example/healthz")).toBe(false);
  });

  it("name the picture that they show", () => {
    const shown = (address: string) => ownPictureOf(new URL(address), hosts);
    expect(shown("https://a.example/api/v1/shop/pictures/X/file?w=1")).toEqual({
      spaceName: "shop",
      mediaId: "X",
    });
    expect(shown("https://b.example/api/v1/shop/pictures/X")).toBeNull();
  });
});

describe("the time for which a file is fresh (RULES 13.6)", () => {
  const HOUR = 3_600_000;
  it.each([
    [null, HOUR],
    ["no-store", HOUR],
    ["max-age=60", HOUR],
    ["max-age=3600", HOUR],
    ["public, max-age=7200", 2 * HOUR],
    ["s-maxage=86400, max-age=7200", 2 * HOUR],
    ['max-age="7200"', 2 * HOUR],
    ["max-age=99999999", 720 * HOUR],
  ])("of %s", (header, ms) => {
    expect(freshMsOf(header)).toBe(ms);
  });
});
