import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { imgAttributes, pictureSources, pictureUrl, preloadLinks, srcset } from "../../../src/client/html.ts";
import { parsePictureParameters } from "../../../src/image/parameters/read.ts";
import { DELIVERY } from "../../../src/limits.ts";
import { ADDRESS, entriesOf, parametersOf, photo } from "../../support/pictures/client-pictures.ts";

const widthsIn = (text: string): number[] => entriesOf(text).map(({ width }) => width);
const asked = (url: string): Record<string, string> => Object.fromEntries(parametersOf(url));

describe("pictureUrl", () => {
  it("asks for the file itself, with its version, at a width of the grid, in the best format", () => {
    expect(pictureUrl(photo(), { width: 1200 })).toBe(`${ADDRESS}/file?w=1600&q=90&auto=format&v=3`);
  });

  it("takes what is the same file to one address", () => {
    const narrow = photo({ width: 1200, height: 900 });
    const urls = [1001, 1200, 1600, 8192, 9000].map((width) => pictureUrl(narrow, { width }));
    expect(new Set(urls).size).toBe(1);
    expect(asked(urls[0]!)["w"]).toBe("1600");
  });

  it("takes the whole picture without a width", () => {
    expect(asked(pictureUrl(photo({ width: 2000, height: 1500 })))["w"]).toBe("2560");
  });

  it("takes the quality that the space's settings choose, and rounds up what is asked for", () => {
    expect(asked(pictureUrl(photo()))["q"]).toBe("90");
    expect(asked(pictureUrl(photo({ formats: undefined })))["q"]).toBeUndefined();
    expect([1, 80, 81, 91, 96, 100].map((quality) => asked(pictureUrl(photo(), { quality }))["q"])).toEqual([
      ...["80", "80", "90", "95", "100", "100"],
    ]);
  });

  it("asks for one format, or the best", () => {
    expect(asked(pictureUrl(photo(), { format: "webp" }))).toMatchObject({ fm: "webp" });
    expect(asked(pictureUrl(photo(), { format: "webp" }))["auto"]).toBeUndefined();
    expect(asked(pictureUrl(photo(), { format: "auto" }))).toMatchObject({ auto: "format" });
  });

  it("names the focal point of a crop where it is known, in steps of 0.05, so that it is kept for good", () => {
    const ratio = "16:9" as const;
    const fp = (picture: Parameters<typeof photo>[0], focalPoint?: { x: number; y: number }) =>
      asked(pictureUrl(photo(picture), { ratio, focalPoint }))["fp"];
    expect(fp({ focalPoint: { x: 0.33, y: 0.98 } })).toBe("0.35,1");
    expect(fp({ focalPoint: null, focalPointSuggested: { x: 0.1, y: 0.2 } })).toBe("0.1,0.2");
    expect(fp({ focalPoint: null })).toBe("0.5,0.5");
    expect(fp({ focalPoint: undefined })).toBeUndefined();
    expect(fp({ focalPoint: { x: 0.3, y: 0.3 } }, { x: 0.71, y: -3 })).toBe("0.7,0");
    expect(asked(pictureUrl(photo({ focalPoint: { x: 0.3, y: 0.3 } })))["fp"]).toBeUndefined();
  });

  it("writes the comma of a focal point so that no reader of a srcset stumbles over it", () => {
    expect(srcset(photo(), { ratio: "1:1" })).toContain("&ar=1:1&fp=0.5%2C0.5&");
  });

  it("refuses what is no ratio and what is no focal point", () => {
    for (const ratio of ["0:1", "16/9", "1:1.5", "", "wide"]) {
      expect(() => pictureUrl(photo(), { ratio: ratio as "1:1" })).toThrow(TypeError);
    }
    expect(() => pictureUrl(photo(), { ratio: "1:1", focalPoint: { x: NaN, y: 0 } })).toThrow(TypeError);
  });

  it("keeps an address with other parameters, a relative one, and one that is no picture's", () => {
    const url = (directUrl: string): string =>
      pictureUrl({ directUrl, width: 900, height: 600 }, { width: 64 });
    expect(url("/api/v1/s/pictures/1/file?v=2&token=x")).toBe(
      "/api/v1/s/pictures/1/file?w=64&auto=format&v=2&token=x",
    );
    expect(url("https://elsewhere.example/beach.jpg?w=3")).toBe("https://elsewhere.example/beach.jpg?w=3");
  });
});

describe("srcset", () => {
  it("offers the grid up to the master, and says how wide each file is", () => {
    const narrow = photo({ width: 1200, height: 800 });
    expect(widthsIn(srcset(narrow))).toEqual([236, 500, 750, 1000, 1200]);
    expect(widthsIn(srcset(photo({ width: 100, height: 100 })))).toEqual([100]);
  });

  it("rounds widths up, and names none twice", () => {
    expect(widthsIn(srcset(photo(), { widths: [1000, 300, 400, 1, 501] }))).toEqual([64, 500, 750, 1000]);
  });

  it("stops at what a crop has", () => {
    expect(widthsIn(srcset(photo(), { ratio: "1:2" }))).toEqual([236, 500, 750, 1000, 1500]);
  });

  it("leaves out what the service does not build: over 16 megapixels, or 32 as JPEG and PNG", () => {
    const large = photo({ width: 8000, height: 6000 });
    expect(widthsIn(srcset(large, { widths: [4096, 8192] }))).toEqual([4096]);
    expect(widthsIn(srcset(large, { widths: [4096, 8192], format: "jpeg" }))).toEqual([4096, 6400]);
    const tall = photo({ width: 4000, height: 12_000 });
    expect(widthsIn(srcset(tall)).at(-1)).toBe(1600);
  });

  it("offers a picture of fixed width at single and double density, and below for narrow viewports", () => {
    expect(widthsIn(srcset(photo(), { width: 400 }))).toEqual([236, 500, 750, 1000]);
    expect(widthsIn(srcset(photo(), { width: 40 }))).toEqual([64, 128]);
  });

  it("has every file once, each as wide as it says, and nothing that the service refuses", () => {
    const side = fc.integer({ min: 1, max: 9000 });
    const options = fc.record({
      width: fc.option(fc.integer({ min: 1, max: 9000 }), { nil: undefined }),
      widths: fc.option(fc.array(fc.integer({ min: 1, max: 9000 })), { nil: undefined }),
      quality: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
      format: fc.constantFrom("auto" as const, "jpeg" as const, "avif" as const, undefined),
    });
    fc.assert(
      fc.property(side, side, options, (width, height, asks) => {
        const entries = entriesOf(srcset(photo({ width, height }), asks));
        const files = entries.map((entry) => {
          const parameters = parsePictureParameters(new URL(entry.url).searchParams);
          expect(DELIVERY.widthGridPixels).toContain(parameters.width);
          expect(Math.min(parameters.width!, width)).toBe(entry.width);
          return entry.width;
        });
        expect(files.length).toBeGreaterThan(0);
        expect(files).toEqual([...new Set(files)].sort((a, b) => a - b));
      }),
    );
  });
});

describe("imgAttributes", () => {
  it("gives the box of the picture, so that nothing moves when it arrives", () => {
    expect(imgAttributes(photo())).toMatchObject({ width: 4000, height: 3000, sizes: "100vw" });
    expect(imgAttributes(photo(), { ratio: "16:9" })).toMatchObject({ width: 4000, height: 2250 });
    expect(imgAttributes(photo(), { ratio: "16:9", width: 800 })).toMatchObject({ width: 800, height: 450 });
    expect(imgAttributes(photo(), { ratio: "1:2" })).toMatchObject({ width: 1500, height: 3000 });
  });

  it("says how wide it is shown", () => {
    expect(imgAttributes(photo(), { width: 800 }).sizes).toBe("(min-width: 800px) 800px, 100vw");
    expect(imgAttributes(photo(), { width: 800, sizes: "50vw" }).sizes).toBe("50vw");
  });

  it("has a file of medium width for what reads no srcset", () => {
    expect(asked(imgAttributes(photo()).src)["w"]).toBe("1000");
    expect(asked(imgAttributes(photo(), { width: 300 }).src)["w"]).toBe("500");
  });

  it("shows the colour and the blurred picture until the picture is there", () => {
    expect(imgAttributes(photo()).style).toMatch(
      /^background:#8a5a2b url\(data:image\/png;base64,[\w+/=]+\) 50%\/cover no-repeat$/,
    );
    expect(imgAttributes(photo({ placeholder: null }))).not.toHaveProperty("style");
    // It would show through.
    expect(imgAttributes(photo({ hasAlpha: true }))).not.toHaveProperty("style");
  });

  it("holds the box of a crop, and shows the same part in it, while the whole master is the answer", () => {
    const framed = (width: number, height: number, ratio: "1:1" | "4:3", x: number, y: number) =>
      imgAttributes(photo({ width, height, focalPoint: { x, y }, placeholder: null }), { ratio }).style;
    expect(framed(4000, 3000, "1:1", 0.25, 0.9)).toBe(
      "aspect-ratio:1/1;object-fit:cover;object-position:0% 50%",
    );
    expect(framed(4000, 3000, "1:1", 0.5, 0.5)).toBe(
      "aspect-ratio:1/1;object-fit:cover;object-position:50% 50%",
    );
    // 3000 pixels around 0.45 of 4000 begin at 300 of the 1000 that lie beside them.
    expect(framed(4000, 3000, "1:1", 0.45, 0.5)).toContain("object-position:30% 50%");
    expect(framed(3000, 4000, "1:1", 0.5, 1)).toContain("object-position:50% 100%");
    expect(framed(4000, 3000, "4:3", 0.1, 0.1)).toBeUndefined();
  });

  it("takes over the alternative text, and makes none up", () => {
    expect(imgAttributes(photo()).alt).toBe('The "beach" at low tide');
    expect(imgAttributes({ directUrl: `${ADDRESS}/file?v=3`, width: 10, height: 10 })).not.toHaveProperty(
      "alt",
    );
  });

  it("leaves a drawing the drawing that it is, unless it is cropped or asked for as pixels", () => {
    const drawing = photo({ mime: "image/svg+xml", hasAlpha: true, width: 30, height: 20 });
    expect(imgAttributes(drawing)).toMatchObject({ src: `${ADDRESS}/file?v=3`, width: 30, height: 20 });
    expect(imgAttributes(drawing)).not.toHaveProperty("srcset");
    const square = imgAttributes(drawing, { ratio: "1:1", width: 600 });
    expect(square).toMatchObject({ width: 600, height: 600 });
    // It has no width to stay under.
    expect(widthsIn(square.srcset!)).toEqual([236, 500, 750, 1000, 1600]);
    expect(asked(imgAttributes(drawing, { format: "png" }).src)).toMatchObject({ fm: "png" });
  });

  it("asks for no format that an animation would lose its frames in", () => {
    const moving = photo({ mime: "image/gif", animated: true });
    expect(asked(pictureUrl(moving, { format: "jpeg" }))).toMatchObject({ auto: "format" });
    expect(asked(pictureUrl(moving, { format: "webp" }))).toMatchObject({ fm: "webp" });
  });

  it("does with an address and a size", () => {
    const plain = { directUrl: `${ADDRESS}/file?v=3`, width: 1200, height: 800 };
    expect(imgAttributes(plain, { ratio: "1:1", width: 400 })).toMatchObject({
      ...{ width: 400, height: 400, src: `${ADDRESS}/file?w=500&ar=1:1&auto=format&v=3` },
    });
  });
});

describe("pictureSources", () => {
  it("gives each media query its ratio, in order", () => {
    const ratio = { "(max-width: 640px)": "4:5", "(min-width: 641px)": "21:9" } as const;
    const sources = pictureSources(photo(), { ratio, sizes: "100vw" });
    expect(sources.map(({ media, width, height }) => ({ media, width, height }))).toEqual([
      { media: "(max-width: 640px)", width: 2400, height: 3000 },
      { media: "(min-width: 641px)", width: 4000, height: 1714 },
    ]);
    expect(sources.map((source) => asked(entriesOf(source.srcset)[0]!.url)["ar"])).toEqual(["4:5", "21:9"]);
  });

  it("leaves the box to the source that is chosen", () => {
    const ratio = { "(max-width: 640px)": "4:5", "(min-width: 641px)": "21:9" } as const;
    const image = imgAttributes(photo(), { ratio, width: 700 });
    expect(image).toMatchObject({ width: 700, height: 300 });
    expect(image.style).toMatch(/^background:/);
  });

  it("names the type of a format that is asked for", () => {
    expect(pictureSources(photo(), { format: "avif" })).toMatchObject([{ type: "image/avif" }]);
    expect(pictureSources(photo())[0]).not.toHaveProperty("type");
    expect(pictureSources(photo(), { ratio: "1:1" })[0]).not.toHaveProperty("media");
  });
});

describe("a padded picture", () => {
  const media = photo({ width: 2000, height: 1500, focalPoint: { x: 0.2, y: 0.2 } });

  it("has a canvas of the ratio, with its background, and no focal point", () => {
    const url = pictureUrl(media, { width: 500, ratio: "16:9", fit: "pad", background: "FF8000" });
    expect(asked(url)).toMatchObject({ w: "500", ar: "16:9", fit: "pad", bg: "ff8000" });
    expect(asked(url)["fp"]).toBeUndefined();
    expect(() => parsePictureParameters(new URLSearchParams(url.split("?")[1]))).not.toThrow();
  });

  it("is offered up to the canvas that holds the whole master", () => {
    const widths = widthsIn(srcset(media, { ratio: "16:9", fit: "pad", widths: [500, 8192] }));
    expect(widths).toEqual([500, 2667]);
    expect(imgAttributes(media, { ratio: "1:1", fit: "pad", width: 400 })).toMatchObject({
      width: 400,
      height: 400,
    });
  });

  it("shows the whole picture in its box while the service has not built it", () => {
    const { style } = imgAttributes(media, { ratio: "1:1", fit: "pad", background: "ff8000" });
    expect(style).toBe("aspect-ratio:1/1;object-fit:contain;object-position:50% 50%;background:#ff8000");
    expect(imgAttributes(media, { ratio: "1:1", fit: "pad" }).style).not.toContain("background");
  });

  it("refuses what is no background", () => {
    for (const background of ["red", "#ffffff", "fff", ""]) {
      expect(() => pictureUrl(media, { background })).toThrow(TypeError);
    }
  });
});

describe("when a picture is loaded", () => {
  it("is left to the page without an option", () => {
    const attributes = imgAttributes(photo(), { width: 800 });
    expect([attributes.loading, attributes.fetchpriority]).toEqual([undefined, undefined]);
    expect(attributes.sizes).toBe("(min-width: 800px) 800px, 100vw");
  });

  it("is late with loading=lazy, and the browser then knows its width", () => {
    expect(imgAttributes(photo(), { width: 800, loading: "lazy" })).toMatchObject({
      loading: "lazy",
      sizes: "auto, (min-width: 800px) 800px, 100vw",
    });
    expect(imgAttributes(photo(), { sizes: "50vw", loading: "lazy" }).sizes).toBe("auto, 50vw");
    expect(imgAttributes(photo(), { sizes: "auto", loading: "lazy" }).sizes).toBe("auto");
    expect(pictureSources(photo(), { loading: "lazy" })[0]?.sizes).toBe("auto, 100vw");
    // A browser takes the attributes in their order, and may load once it knows `src`.
    const names = Object.keys(imgAttributes(photo(), { loading: "lazy" }));
    expect(names.indexOf("loading")).toBeLessThan(names.indexOf("src"));
    expect(names.indexOf("sizes")).toBeLessThan(names.indexOf("src"));
  });

  it("is first with priority, whatever loading says", () => {
    for (const loading of [undefined, "lazy", "eager"] as const) {
      const { sizes, ...attributes } = imgAttributes(photo(), { priority: true, loading });
      expect(attributes).toMatchObject({ loading: "eager", fetchpriority: "high" });
      expect(sizes).toBe("100vw");
    }
  });

  it("can be before the tag is found, by a link that chooses the same file", () => {
    for (const options of [{}, { width: 800, ratio: "16:9" }, { format: "webp", loading: "lazy" }] as const) {
      const [link, ...others] = preloadLinks(photo(), options);
      const image = imgAttributes(photo(), { ...options, priority: true });
      expect(others).toEqual([]);
      expect(link).toMatchObject({ rel: "preload", as: "image", fetchpriority: "high" });
      expect([link?.imagesrcset, link?.imagesizes]).toEqual([image.srcset, image.sizes]);
    }
    expect(preloadLinks(photo(), { format: "webp" })[0]?.type).toBe("image/webp");
  });

  it("has one link per media query of a picture, and names the file of a drawing", () => {
    const ratio = { "(max-width: 640px)": "4:5", "(min-width: 641px)": "21:9" } as const;
    const links = preloadLinks(photo(), { ratio });
    expect(links.map(({ media }) => media)).toEqual(Object.keys(ratio));
    expect(links.map(({ imagesrcset }) => imagesrcset)).toEqual(
      pictureSources(photo(), { ratio }).map((one) => one.srcset),
    );
    const drawing = photo({ mime: "image/svg+xml" });
    expect(preloadLinks(drawing)).toEqual([
      { rel: "preload", as: "image", fetchpriority: "high", href: imgAttributes(drawing).src },
    ]);
  });
});
