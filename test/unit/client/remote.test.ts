import { describe, expect, it } from "vitest";
import astro, { imageProps as astroProps, remoteAddress as ofAstro } from "../../../src/client/astro.ts";
import { imgAttributes, preloadLinks, remoteAddress as ofHtml } from "../../../src/client/html.ts";
import nextLoader, { loaderFor, remoteAddress } from "../../../src/client/next.ts";
import nuxtProvider, { remoteAddress as ofNuxt } from "../../../src/client/nuxt.ts";
import { extract, generate, remoteAddress as ofUnpic, transform } from "../../../src/client/unpic.ts";
import { fileUrl } from "../../../src/client/pictures/file.ts";

const ADDRESS = remoteAddress("https://pictures.example/api/v1/shop/", "https://b.example/c d.jpg?e=f&g=h");

describe("the address of a picture on another server (RULES 13.2)", () => {
  it("names the service, the space and the picture", () => {
    const { pathname, searchParams } = new URL(ADDRESS);
    expect(pathname).toBe("/api/v1/shop/remote");
    expect(searchParams.get("url")).toBe("https://b.example/c d.jpg?e=f&g=h");
  });

  it("is a src of loaders, which add the parameters and keep the picture", () => {
    const url = new URL(nextLoader({ src: ADDRESS, width: 640, quality: 75 }));
    expect(url.pathname).toBe("/api/v1/shop/remote");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      url: "https://b.example/c d.jpg?e=f&g=h",
      w: "750",
      q: "80",
      auto: "format",
    });
    expect(fileUrl(ADDRESS, { width: 500, format: "webp" })).toContain("fm=webp");
  });

  it("is left as it is where it names no picture", () => {
    expect(fileUrl("https://pictures.example/api/v1/shop/remote", { width: 500 })).toBe(
      "https://pictures.example/api/v1/shop/remote",
    );
    expect(fileUrl("https://b.example/c.jpg", { width: 500 })).toBe("https://b.example/c.jpg");
  });
});

const BASE = "https://pictures.example/api/v1/shop";
const ORIGINAL = "https://b.example/c d.jpg?e=f&g=h";

interface Loader {
  address: (base: string, url: string) => string;
  load: (src: string) => string;
  /** The same loader, which was told the base once. */
  loadBelow: (base: string, src: string) => string;
}

const nuxt = (src: string, baseURL?: string): string => {
  const modifiers = { width: 600, quality: 75 };
  return nuxtProvider().getImage(src, { modifiers, ...(baseURL !== undefined && { baseURL }) }, undefined)
    .url;
};
const configOf = (base: string) => ({ service: { config: { base } } });

const LOADERS: Record<string, Loader> = {
  next: {
    address: remoteAddress,
    load: (src) => nextLoader({ src, width: 600, quality: 75 }),
    loadBelow: (base, src) => loaderFor(base)({ src, width: 600, quality: 75 }),
  },
  nuxt: { address: ofNuxt, load: nuxt, loadBelow: (base, src) => nuxt(src, base) },
  astro: {
    address: ofAstro,
    load: (src) => astro.getURL({ src, width: 600, quality: 75 }),
    loadBelow: (base, src) => astro.getURL({ src, width: 600, quality: 75 }, configOf(base)),
  },
  unpic: {
    address: ofUnpic,
    load: (src) => generate(src, { width: 600, quality: 75 }),
    loadBelow: (base, src) => transform(src, { width: 600, quality: 75 }, { base }),
  },
};

describe.each(Object.entries(LOADERS))("the loader of %s", (_, { address, load, loadBelow }) => {
  it("asks the service for a picture of another server", () => {
    for (const asked of [load(address(BASE, ORIGINAL)), loadBelow(BASE, ORIGINAL)]) {
      const url = new URL(asked);
      expect(url.origin + url.pathname).toBe(`${BASE}/remote`);
      expect(Object.fromEntries(url.searchParams)).toEqual({
        ...{ url: ORIGINAL, w: "750", q: "80", auto: "format" },
      });
    }
  });

  it("leaves to the page what no space can allow, and what is the service's already", () => {
    for (const src of ["/a.jpg", "a.jpg", "//b.example/a.jpg", "data:image/png;base64,AA==", "blob:x"])
      expect(loadBelow(BASE, src)).toBe(src);
    for (const src of ["http://b.example/a.jpg", "http://localhost:1337/a.jpg", "http://127.0.0.1/a.jpg"])
      expect(loadBelow(BASE, src)).toBe(src);
    const file = `${new URL(BASE).origin}/cdn/shop/1/w500.webp`;
    expect(loadBelow(BASE, file)).toBe(file);
    expect(loadBelow(BASE, `${BASE}/pictures/1`)).toBe(`${BASE}/pictures/1/file?w=750&q=80&auto=format`);
    expect(loadBelow(BASE, address(BASE, ORIGINAL))).toBe(load(address(BASE, ORIGINAL)));
  });

  it("asks a service on this machine for pictures of servers on this machine", () => {
    const local = "http://localhost:8787/api/v1/shop";
    expect(loadBelow(local, "http://127.0.0.1:1337/a.jpg")).toContain(`${local}/remote?`);
    expect(loadBelow(local, "http://localhost.example/a.jpg")).toBe("http://localhost.example/a.jpg");
  });
});

describe("a picture of another server on a page", () => {
  it("has one candidate per file in Astro, and its size as the page says it", () => {
    const asked = { src: ORIGINAL, width: 400, height: 300 };
    const config = configOf(BASE);
    expect(astro.validateOptions?.(asked, config)).toEqual(asked);
    const candidates = astro.getSrcSet?.(asked, config) ?? [];
    const widths = candidates.map(({ transform, descriptor }) => {
      const { searchParams } = new URL(astro.getURL(transform, config));
      return `${searchParams.get("w")} ${descriptor}`;
    });
    expect(widths).toEqual(["500 1x", "1000 2x"]);
    const { src } = astroProps({ directUrl: ofAstro(BASE, ORIGINAL), width: 1200, height: 900 });
    expect(astro.validateOptions?.({ src })).toMatchObject({ width: 1200, height: 900 });
  });

  it("is taken apart and put together by Unpic", () => {
    const taken = extract(`${ofUnpic(BASE, ORIGINAL)}&w=500&fm=webp`);
    expect(taken?.operations).toEqual({ width: 500, format: "webp" });
    const again = new URL(generate(taken?.src ?? "", taken?.operations ?? {}));
    expect(Object.fromEntries(again.searchParams)).toEqual({ url: ORIGINAL, w: "500", fm: "webp" });
  });

  it("has the attributes of any other in plain HTML", () => {
    const media = { directUrl: ofHtml(BASE, ORIGINAL), width: 1200, height: 900 };
    const attributes = imgAttributes(media, { width: 400, loading: "lazy" });
    expect(attributes).toMatchObject({
      ...{ width: 400, height: 300, loading: "lazy", sizes: "auto, (min-width: 400px) 400px, 100vw" },
    });
    for (const candidate of (attributes.srcset ?? "").split(", ")) {
      const [address = "", width = ""] = candidate.split(" ");
      const { pathname, searchParams } = new URL(address);
      expect(pathname).toBe("/api/v1/shop/remote");
      expect(searchParams.get("url")).toBe(ORIGINAL);
      expect(`${searchParams.get("w")}w`).toBe(width);
      expect(searchParams.get("dpr")).toBeNull();
    }
    const first = imgAttributes(media, { width: 400, priority: true });
    expect(first).toMatchObject({ loading: "eager", fetchpriority: "high" });
    expect(preloadLinks(media, { width: 400 })).toEqual([
      {
        ...{ rel: "preload", as: "image", fetchpriority: "high" },
        ...{ imagesrcset: first.srcset, imagesizes: first.sizes },
      },
    ]);
  });
});
