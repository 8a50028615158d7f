import { describe, expect, it } from "vitest";
import { askedOf, normalPath, targetOf, type Asked } from "../../../../src/edge/gateway/target.ts";
import { leniently } from "../../../../src/edge/delivery/lenient.ts";
import {
  addressIn,
  DIALECTS,
  type DialectName,
  translate,
} from "../../../../src/edge/remote/dialects/dialects.ts";
import { queryOf } from "../../../../src/image/parameters/write.ts";

const written = (name: DialectName, options: string): string =>
  decodeURIComponent(queryOf(translate(name, options)).toString());

describe("the dialects (RULES 13.7)", () => {
  it.each<[DialectName, string, string]>([
    ["next", "url=x&w=640&q=75", "w=640&q=80&auto=format"],
    ["next", "url=x&w=640", "w=640&auto=format"],
    ["next", "url=x&w=wide&q=0", "auto=format"],
    ["ipx", "_", ""],
    ["ipx", "w_200", "w=200"],
    ["ipx", "f_webp,q_75,s_400x300", "w=400&h=300&q=80&fm=webp"],
    ["ipx", "w_200&format_jpg", "w=200&fm=jpeg"],
    ["ipx", "fit_contain,s_400x300", "w=400&h=300&fit=pad"],
    ["ipx", "fit_inside,w_400", "w=400"],
    ["ipx", "blur_5,rotate_90,w_99999", "w=8192"],
    ["ipx", "constructor_1,toString_2", ""],
    ["cloudflare", "width=80,quality=75", "w=80&q=80"],
    ["cloudflare", "w=80,h=60,f=auto", "w=80&h=60&fit=inside&auto=format"],
    ["cloudflare", "width=80,height=60,fit=cover,gravity=0.33x0.51", "w=80&h=60&fp=0.35,0.5"],
    ["cloudflare", "width=80,height=60,fit=contain,g=0.5x0.5", "w=80&h=60&fit=inside"],
    ["cloudflare", "width=80,height=60,fit=pad,background=%23FFF,dpr=2", "w=80&h=60&dpr=2&fit=pad&bg=ffffff"],
    ["cloudflare", "fit=pad,format=json,onerror=redirect,metadata=none", ""],
    ["cloudflare", "width=auto,quality=high,format=webp,format=avif", "fm=avif"],
  ])("%s: %s is %s", (name, options, query) => {
    expect(written(name, options)).toBe(query);
  });

  it("refuse nothing, whatever the options are", () => {
    const values = ["", "0", "-1", "1e9", "99999", "x", "1x", "0.5x2", "#12", "éà", "a=b", "pad", "auto"];
    for (const name of Object.keys(DIALECTS) as DialectName[])
      for (const option of Object.keys(DIALECTS[name].table))
        for (const value of values)
          for (const more of ["", ",fit=pad", ",fit_contain", "&fit=pad", ",g=0x0,fit=inside"])
            expect(() => translate(name, `${option}=${value}${more}`)).not.toThrow();
  });

  it("take an address at the end of a path in every form that proxies give it", () => {
    for (const name of ["ipx", "cloudflare"] as const) {
      expect(addressIn(name, "https://a.example/b.jpg")).toBe("https://a.example/b.jpg");
      expect(addressIn(name, "https:/a.example/b.jpg?c=d")).toBe("https://a.example/b.jpg?c=d");
      expect(addressIn(name, "https%3A%2F%2Fa.example%2Fb.jpg")).toBe("https://a.example/b.jpg");
      expect(addressIn(name, "b/c.jpg")).toBe("b/c.jpg");
      expect(addressIn(name, "%2Fb.jpg")).toBe("/b.jpg");
    }
  });

  it("take an address of ipx as Nuxt Image writes it, whose query is a part of the path", () => {
    expect(addressIn("ipx", "https://a.example/b.jpg%3Fc=d%26e=f")).toBe("https://a.example/b.jpg?c=d&e=f");
    expect(addressIn("ipx", "https://a.example/b%2520c.jpg")).toBe("https://a.example/b%20c.jpg");
    expect(addressIn("ipx", "https://a.example/100%.jpg")).toBe("https://a.example/100%.jpg");
    // Cloudflare sends the address on as it is written.
    expect(addressIn("cloudflare", "https://a.example/b%3Fc.jpg")).toBe("https://a.example/b%3Fc.jpg");
  });
});

const HOSTS = ["a.example"];
const MEDIA = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

function asked(address: string): Asked {
  const url = new URL(`https://a.example/api/v1/shop/${address}`);
  const target = targetOf(url.pathname, url.search);
  if (!target) throw new Error("no target");
  return askedOf(target, url.search, "image/avif", HOSTS);
}

describe("a request in a dialect", () => {
  it.each([
    ["next?url=https%3A%2F%2Fb.example%2Fc.jpg&w=640&q=75", "https://b.example/c.jpg"],
    ["ipx/w_640/https://b.example/c.jpg", "https://b.example/c.jpg"],
    ["ipx/_/https:/b.example/c.jpg?d=e", "https://b.example/c.jpg?d=e"],
    ["ipx/_/https://b.example/c.jpg%3Fd=e", "https://b.example/c.jpg?d=e"],
    ["cdn-cgi/image/w=9/https://b.example/c.jpg?d&e=%20~", "https://b.example/c.jpg?d&e=%20~"],
    ["cdn-cgi/image/width=640/https://b.example/c.jpg", "https://b.example/c.jpg"],
    ["cdn-cgi/image/width=640%2Cfit=cover/img/c.jpg", "img/c.jpg"],
    ["cdn-cgi/image//img/c.jpg", "img/c.jpg"],
    ["next?url=%2Fimg%2Fc.jpg&w=640", "/img/c.jpg"],
  ])("%s is for %s", (address, url) => {
    expect(asked(address)).toMatchObject({ kind: "remote", spaceName: "shop", url, isLenient: true });
  });

  it.each([
    `next?w=640&url=${encodeURIComponent(`/api/v1/shop/pictures/${MEDIA}`)}`,
    `next?w=640&url=${encodeURIComponent(`https://a.example/api/v1/shop/pictures/${MEDIA}/file?w=9`)}`,
    `ipx/w_640/api/v1/shop/pictures/${MEDIA}`,
    `cdn-cgi/image/w=640/https://a.example/api/v1/shop/pictures/${MEDIA}`,
  ])("%s is for a picture of the space", (address) => {
    expect(asked(address)).toMatchObject({ kind: "redirect", mediaId: MEDIA, parameters: { width: 640 } });
  });

  it("is for a remote picture where the same path is on another host", () => {
    const url = `//b.example/api/v1/shop/pictures/${MEDIA}`;
    expect(asked(`next?w=640&url=${encodeURIComponent(url)}`)).toMatchObject({ kind: "remote", url });
  });

  it("is 403 for this deployment's other addresses, and 400 for a malformed one", () => {
    expect(() => asked("ipx/_/https://a.example/healthz")).toThrow(/nothing of its own/);
    expect(() => asked("next?w=640")).toThrow(/must be given once/);
    expect(() => asked("next?w=640&url=https%3A%2F%2F")).toThrow(/whole address/);
    expect(() => asked("ipx/w_640/")).toThrow(/whole address/);
  });

  it("shares its copies with the same request in another dialect, and not with a strict one", () => {
    const url = "https://b.example/c.jpg";
    const cloudflare = normalPath(asked(`cdn-cgi/image/width=640,format=auto/${url}`));
    expect(normalPath(asked(`next?w=700&url=${encodeURIComponent(url)}`))).toBe(cloudflare);
    expect(normalPath(asked(`remote?w=640&auto=format&url=${encodeURIComponent(url)}`))).not.toBe(cloudflare);
  });
});

describe("a relative address outside the dialects", () => {
  const remote = (url: string) => asked(`remote?w=640&url=${encodeURIComponent(url)}`);

  it.each([`/api/v1/shop/pictures/${MEDIA}`, `/api/v1/shop/pictures/${MEDIA}/file?v=3`])(
    "%s is for a picture of the space, as its whole address is",
    (url) => {
      expect(remote(url)).toEqual(remote(`https://a.example${url}`));
      expect(remote(url)).toMatchObject({ kind: "redirect", mediaId: MEDIA, isLenient: false });
    },
  );

  it.each([
    "/img/c.jpg",
    `/api/v1/other/pictures/${MEDIA}`,
    `//b.example/api/v1/shop/pictures/${MEDIA}`,
    "/healthz",
    "",
  ])("%s is 400", (url) => {
    expect(() => remote(url)).toThrow(/whole address/);
  });
});

describe("a box of a ratio that is not listed", () => {
  const listed = { aspectRatios: ["1:1", "4:3"], backgrounds: ["ffffff"] };

  it("is served by the nearest one within 1 %, else as fit=inside", () => {
    const box = (options: string) => leniently(translate("ipx", options), listed);
    expect(box("s_400x301")).toMatchObject({ width: 400, height: 301, fit: null });
    expect(box("s_400x320")).toMatchObject({ width: 400, height: 320, fit: "inside" });
    expect(box("s_400x320,fit_contain")).toMatchObject({ fit: "inside" });
    expect(box("s_400x300,fit_contain")).toMatchObject({ fit: "pad" });
  });

  it("leaves out a background that is not listed", () => {
    const of = (digits: string) =>
      leniently(translate("cloudflare", `w=4,h=3,fit=pad,background=${digits}`), listed);
    expect(of("ffffff")).toMatchObject({ background: "ffffff" });
    expect(of("123456")).toMatchObject({ background: null });
  });
});
