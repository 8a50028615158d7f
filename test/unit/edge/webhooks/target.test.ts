/** Addresses of webhooks (RULES 15.2). */
import { describe, expect, it } from "vitest";
import { WEBHOOKS } from "../../../../src/limits.ts";
import { readTarget } from "../../../../src/edge/webhooks/target.ts";

const deployed = (url: string) => readTarget(url, { isLocal: false });
const local = (url: string) => readTarget(url, { isLocal: true });

describe("the address of a webhook", () => {
  it("is https to a public name, and keeps its port, path and query", () => {
    for (const url of [
      "https://example.com/",
      "https://hooks.example.com:8443/build?token=a%20b",
      "https://api.cloudflare.com/client/v4/pages/webhooks/deploy_hooks/0f0f",
      "https://xn--bcher-kva.example/",
    ])
      expect(deployed(url)).toBe(url);
    expect(deployed("HTTPS://Example.COM")).toBe("https://example.com/");
    expect(deployed("https://bücher.example/")).toBe("https://xn--bcher-kva.example/");
  });

  it("is no IP address, in whatever form", () => {
    for (const host of [
      ...["127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "8.8.8.8"],
      ...["127.1", "0x7f.0.0.1", "0x7f000001", "2130706433", "017700000001", "1.1.1.1."],
      ...["[::1]", "[::ffff:127.0.0.1]", "[fd00::1]", "[2606:4700::1111]"],
      ...["①②⑦.⓪.⓪.①"],
    ]) {
      expect(deployed(`https://${host}/`), host).toBeNull();
      expect(local(`https://${host}/`), host).toBeNull();
    }
  });

  it("is no name of this machine or a private network, nor one without a dot", () => {
    for (const host of [
      ...[
        "localhost",
        "a.localhost",
        "printer.local",
        "db.internal",
        "wiki.corp",
        "nas.lan",
        "router.home.arpa",
      ],
      ...["intranet", "example", "example.com."],
    ])
      expect(deployed(`https://${host}/`), host).toBeNull();
  });

  it("has no other scheme, no user, no fragment and no space", () => {
    for (const url of [
      ...["http://example.com/", "ftp://example.com/", "javascript:alert(1)", "/path", "", "//example.com/"],
      ...["https://user@example.com/", "https://u:p@example.com/", "https://example.com/#a"],
      ...["https://exa mple.com/", "https://example.com\\@evil.example/", " https://example.com/"],
    ])
      expect(deployed(url), url).toBeNull();
  });

  it(`has at most ${WEBHOOKS.urlMaxCharacters} characters`, () => {
    const start = "https://example.com/";
    const longest = start + "a".repeat(WEBHOOKS.urlMaxCharacters - start.length);
    expect(deployed(longest)).toBe(longest);
    expect(deployed(`${longest}a`)).toBeNull();
    // Encoded, it is longer.
    expect(deployed(`${longest.slice(0, -1)}ü`)).toBeNull();
  });

  it("may be of this machine where npm start runs the service, by http alone", () => {
    const urls = ["http://localhost:8821/hook", "http://127.0.0.1:8821/hook", "http://[::1]:8821/hook"];
    for (const url of [...urls, "http://localhost/"]) {
      expect(local(url)).toBe(url);
      expect(deployed(url)).toBeNull();
    }
    for (const url of ["http://192.168.1.1/", "http://0x7f.1/", "http://[::2]/", "http://example.com/"])
      expect(local(url), url).toBeNull();
  });
});
