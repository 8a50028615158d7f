/** The loaders of frameworks, with the addresses that a media object has. */
import { describe, expect, it } from "vitest";
import astro, { imageProps as astroProps } from "../../../src/client/astro.ts";
import next, { imageProps as nextProps, images } from "../../../src/client/next.ts";
import nuxtProvider, {
  imageProps as nuxtProps,
  type SilverprintModifiers,
} from "../../../src/client/nuxt.ts";
import { extract, generate, imageProps as unpicProps, transform } from "../../../src/client/unpic.ts";
import { DELIVERY } from "../../../src/limits.ts";
import { ADDRESS, parametersOf, photo } from "../../support/pictures/client-pictures.ts";

const DIRECT = `${ADDRESS}/file?v=3`;

const nuxt = (
  src: string,
  modifiers: {
    width?: number;
    height?: number;
    fit?: string;
    quality?: number;
    format?: string;
  } & NonNullable<SilverprintModifiers["modifiers"]>,
): string => nuxtProvider().getImage(src, { modifiers }, undefined).url;

/** Each loader at 600 pixels of width and a quality of 85. */
const loaders: [string, (src: string) => string][] = [
  ["next", (src) => next({ src, width: 600, quality: 85 })],
  ["nuxt", (src) => nuxt(src, { width: 600, quality: 85 })],
  ["astro", (src) => astro.getURL({ src, width: 600, quality: 85 })],
  ["unpic", (src) => generate(src, { width: 600, quality: 85 })],
];

describe.each(loaders)("the loader of %s", (_, load) => {
  const file = `${ADDRESS}/file?w=750&q=90&auto=format`;

  it("takes a media object's address, that of a format, and that of a picture", () => {
    expect(load(DIRECT)).toBe(`${file}&v=3`);
    expect(load(`${ADDRESS}/file?w=1000&q=80&auto=format&v=3`)).toBe(`${file}&v=3`);
    expect(load(`${ADDRESS}?w=1000&q=80`)).toBe(file);
    expect(load(ADDRESS)).toBe(file);
    expect(load("/api/v1/s/pictures/1")).toBe("/api/v1/s/pictures/1/file?w=750&q=90&auto=format");
  });

  it("keeps the crop and the format of an address", () => {
    expect(load(`${ADDRESS}/file?w=1000&ar=16:9&fp=0.25,0.75&fm=webp&v=3`)).toBe(
      `${ADDRESS}/file?w=750&ar=16:9&fp=0.25%2C0.75&q=90&fm=webp&v=3`,
    );
    expect(load(`${ADDRESS}?w=800&h=450`)).toBe(`${ADDRESS}/file?w=750&ar=16:9&q=90&auto=format`);
    expect(load(`${ADDRESS}?ar=16:9&fit=pad&bg=FF0000&fp=0,0`)).toBe(
      `${ADDRESS}/file?w=750&ar=16:9&fit=pad&bg=FF0000&q=90&auto=format`,
    );
    expect(load(`${ADDRESS}?w=400&h=90&fit=inside`)).toBe(file);
    expect(load(`${ADDRESS}?w=800&fm=jpg&dpr=2`)).toBe(`${ADDRESS}/file?w=750&q=90&fm=jpeg`);
  });

  it("gives back what is no picture, and a box whose ratio it does not know", () => {
    for (const src of [
      ...["https://elsewhere.example/a.jpg?w=5#top", "/beach.jpg", "data:image/png;base64,AA==", ""],
      ...["https://images.example.com/cdn/space/media/1/master.jpg", `${ADDRESS}?w=100&h=33`],
      ...["/api/v1/s/media/1", "/api/v1/s/pictures/", "/api/v1/s/pictures/1/2"],
    ]) {
      expect(load(src)).toBe(src);
    }
  });
});

describe("silverprint/next", () => {
  it("has the service's grid as its sizes", () => {
    expect([...images.imageSizes, ...images.deviceSizes]).toEqual(DELIVERY.widthGridPixels);
    expect(images.qualities).toEqual([80, 90, 95, 100]);
  });

  it("takes all widths that are one file to one address", () => {
    const { src } = nextProps(photo({ width: 1200, height: 900 }));
    const urls = [1600, 2560, 4096, 8192].map((width) => next({ src, width }));
    expect(new Set(urls)).toEqual(new Set([`${ADDRESS}/file?w=1600&q=90&auto=format&v=3`]));
  });

  it("makes props of a media object", () => {
    const props = nextProps(photo({ focalPoint: { x: 0.2, y: 0.4 } }), { ratio: "1:1", width: 300 });
    expect(props).toMatchObject({
      width: 300,
      height: 300,
      alt: 'The "beach" at low tide',
      placeholder: "blur",
    });
    expect(props.blurDataURL).toMatch(/^data:image\/png;base64,/);
    expect(parametersOf(next({ ...props, quality: 75 }))).toEqual([
      ...[
        ["w", "500"],
        ["ar", "1:1"],
        ["fp", "0.2,0.4"],
        ["q", "80"],
      ],
      ...[
        ["auto", "format"],
        ["v", "3"],
      ],
    ]);
  });

  it("leaves a drawing the drawing that it is", () => {
    const { src } = nextProps(photo({ mime: "image/svg+xml" }));
    expect(next({ src, width: 640 })).toBe(DIRECT);
  });
});

describe("silverprint/nuxt", () => {
  it("crops to a box in one of the service's ratios, and to no other", () => {
    expect(nuxt(DIRECT, { width: 320, height: 180 })).toContain("?w=500&ar=16:9&");
    expect(nuxt(DIRECT, { width: 320, height: 180, fit: "contain" })).not.toContain("ar=");
    expect(nuxt(DIRECT, { width: 320, height: 90 })).not.toContain("ar=");
    expect(nuxt(DIRECT, { width: 320, height: 90, ratio: "1:1" })).toContain("?w=500&ar=1:1&");
  });

  it("does not crop a picture to the box that it fills anyway", () => {
    const { src, width, height } = nuxtProps(photo({ width: 1200, height: 803 }));
    expect(nuxt(src, { width, height })).toBe(`${ADDRESS}/file?w=1600&q=90&auto=format&v=3`);
    expect(nuxt(DIRECT, { width, height })).toContain("ar=3:2");
  });

  it("makes props of a media object", () => {
    expect(nuxtProps(photo(), { width: 800 })).toMatchObject({ width: 800, height: 600 });
    expect(nuxtProps(photo()).style?.background).toMatch(/^#8a5a2b url\(data:/);
    expect(nuxtProps(photo({ hasAlpha: true }))).not.toHaveProperty("style");
  });
});

describe("silverprint/astro", () => {
  const urls = (transform: Parameters<typeof astro.getURL>[0]): string[] =>
    (astro.getSrcSet?.(transform) ?? []).map(
      ({ transform: each, descriptor }) => `${astro.getURL(each).slice(ADDRESS.length)} ${descriptor}`,
    );

  it("offers each file once, with its width", () => {
    const { src } = astroProps(photo({ width: 1200, height: 900, formats: undefined }));
    expect(urls({ src, width: 1200, height: 900, widths: [2400, 640, 750, 828, 1200] })).toEqual([
      "/file?w=750&auto=format&v=3 750w",
      "/file?w=1000&auto=format&v=3 1000w",
      "/file?w=1600&auto=format&v=3 1200w",
    ]);
  });

  it("offers densities, one and two where nothing is said", () => {
    const base = { src: DIRECT, width: 200, height: 150 };
    expect(urls(base)).toEqual(["/file?w=236&auto=format&v=3 1x", "/file?w=500&auto=format&v=3 2x"]);
    expect(urls({ ...base, densities: ["1.5x", 3] })).toEqual([
      ...["/file?w=500&auto=format&v=3 1.5x", "/file?w=750&auto=format&v=3 3x"],
    ]);
  });

  it("crops with fit=cover alone, at every width alike", () => {
    const box = { src: DIRECT, width: 2100, height: 900, widths: [64, 2100] };
    expect(urls({ ...box, fit: "cover" }).map((url) => url.includes("ar=21:9"))).toEqual([true, true]);
    expect(urls(box).some((url) => url.includes("ar="))).toBe(false);
  });

  it("finds out the size that is missing", () => {
    const { src } = astroProps(photo(), { ratio: "1:1" });
    const sized = astro.validateOptions!;
    expect(sized({ src })).toMatchObject({ width: 3000, height: 3000 });
    expect(sized({ src, width: 100 })).toMatchObject({ width: 100, height: 100 });
    expect(sized({ src, height: 50 })).toMatchObject({ width: 50, height: 50 });
    expect(sized({ src: "/a.jpg" })).toEqual({ src: "/a.jpg" });
  });

  it("knows Astro's names of qualities", () => {
    const q = (quality: string): string | null =>
      new URL(astro.getURL({ src: DIRECT, width: 5, quality })).searchParams.get("q");
    expect(["low", "mid", "high", "max", "95"].map(q)).toEqual(["80", "80", "90", "100", "95"]);
  });

  it("leaves the element what is the element's, and a local picture its address", () => {
    const attributes = astro.getHTMLAttributes!({
      ...{ src: DIRECT, width: 4, height: 3, fit: "cover", layout: "fixed", widths: [1], quality: 80 },
      ...{ alt: "x", class: "wide", loading: "lazy", "data-astro-image": "fixed" },
    });
    expect(attributes).toEqual({
      ...{ width: 4, height: 3, alt: "x", class: "wide", loading: "lazy", "data-astro-image": "fixed" },
    });
    const local = { src: "/_astro/beach.hash.jpg", width: 10, height: 10, format: "jpg" };
    expect(astro.getURL({ src: local, width: 5 })).toBe(local.src);
    expect(astro.getSrcSet!({ src: local, width: 5 })).toEqual([]);
  });
});

describe("silverprint/unpic", () => {
  it("takes an address apart and puts it together again", () => {
    const url = `${ADDRESS}/file?w=500&ar=16:9&fp=0.25%2C0.75&q=90&fm=webp&v=3`;
    const taken = extract(url)!;
    expect(taken).toEqual({
      src: DIRECT,
      operations: { width: 500, quality: 90, format: "webp", ratio: "16:9", focalPoint: "0.25,0.75" },
    });
    expect(generate(taken.src, taken.operations)).toBe(url);
    expect(extract("https://elsewhere.example/a.jpg")).toBeNull();
  });

  it("replaces what is named and keeps the rest", () => {
    const url = `${ADDRESS}/file?w=500&ar=16:9&q=90&v=3`;
    expect(transform(url, { width: 900 })).toBe(`${ADDRESS}/file?w=1000&ar=16:9&q=90&auto=format&v=3`);
    expect(transform(new URL(DIRECT), { width: "300", height: "200" })).toContain("?w=500&ar=3:2&");
  });

  it("makes props of a media object", () => {
    const props = unpicProps(photo({ focalPoint: { x: 0, y: 0 } }), { ratio: "1:1", width: 300 });
    expect(props).toMatchObject({ width: 300, height: 300, style: { "object-position": "0% 50%" } });
    expect(props.background).toMatch(/^#8a5a2b url\(data:/);
    expect(transform(props.src, { width: 600, height: 600 })).toBe(
      `${ADDRESS}/file?w=750&ar=1:1&fp=0%2C0&q=90&auto=format&v=3`,
    );
  });
});
