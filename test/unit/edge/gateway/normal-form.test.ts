import { describe, expect, it } from "vitest";
import { acceptedFormats, normalAccept } from "../../../../src/edge/delivery/negotiate.ts";
import { REMEMBERED } from "../../../../src/limits.ts";
import { parsePictureParameters } from "../../../../src/image/parameters/read.ts";
import { normalQuery } from "../../../../src/image/parameters/write.ts";
import { askedOf, normalAcceptOf, normalPath, targetOf } from "../../../../src/edge/gateway/target.ts";

const MEDIA = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const SPACE = "01ARZ3NDEKTSV4RRFFQ69G5FAW";

const normal = (query: string): string =>
  normalQuery(parsePictureParameters(new URLSearchParams(query))).toString();

const kept = (address: string, accept: string | null = null): string => {
  const url = new URL(address, "https://images.test");
  const target = targetOf(url.pathname, url.search);
  if (!target) throw new Error(`${address} is no path of image delivery`);
  return normalPath(askedOf(target, url.search, accept));
};

describe("the parameters of a query", () => {
  const asked = (query: string): unknown => {
    const target = targetOf(`/api/v1/space/pictures/${MEDIA}`)!;
    const found = askedOf(target, query, null);
    return "parameters" in found ? found.parameters : null;
  };

  it("are read once, also after many queries with a parameter that the table does not know", () => {
    const first = asked("?w=500&v=2");
    for (let n = 0; n < REMEMBERED.textsMax; n++) asked(`?w=500&cb=${n}`);
    expect(asked("?w=500&v=2")).toBe(first);
    expect(asked("?w=500&cb=1")).toEqual(first);
  });
});

describe("the normal form of a query", () => {
  it.each([
    ["", ""],
    ["w=1200", "w=1600"],
    ["w=1", "w=64"],
    ["w=8192", "w=8192"],
    ["q=80&w=500", "w=500"],
    ["fm=webp&q=80", "fm=webp"],
    ["auto=format&q=80", "auto=format"],
    ["q=95&w=500", "w=500&q=95"],
    ["auto=format&q=90&w=237&utm_source=x", "w=500&q=90&auto=format"],
    ["utm_source=x", ""],
    // Values that are written in more than one way.
    ["q=75&w=500", "w=500"],
    ["q=81&w=500", "w=500&q=90"],
    ["q=1", "q=80"],
    ["fm=jpg&w=500", "w=500&fm=jpeg"],
    ["auto=compress,format&w=500", "w=500&auto=format"],
    ["auto=compress&w=500", "w=500"],
    ["auto=compress", ""],
    ["auto=compress&q=80", "q=80"],
    // The density is multiplied where the sides are free.
    ["w=500&dpr=2", "w=1000"],
    ["w=500&dpr=1", "w=500"],
    ["w=333&dpr=1.5", "w=500"],
    ["w=334&dpr=1.5", "w=750"],
    ["w=8192&dpr=4", "w=8192"],
    ["h=300&q=90&dpr=2", "h=600&q=90"],
    ["h=8000&q=90&dpr=2", "h=8192&q=90"],
    ["h=300&dpr=2", ""],
    ["q=90&dpr=2", "q=90"],
    ["dpr=3", ""],
    ["w=160&h=90&dpr=2", "w=160&h=90&dpr=2"],
    ["w=160&h=90&dpr=1.00", "w=160&h=90"],
    ["w=500&ar=1:1&dpr=2", "w=1000&ar=1%3A1"],
    // A whole picture in a box, or on a canvas.
    ["fit=crop&w=500", "w=500"],
    ["fit=inside&w=400&h=300", "w=400&h=300&fit=inside"],
    ["fit=inside&w=400&h=300&dpr=1.5", "w=600&h=450&fit=inside"],
    ["fit=inside&w=8000&h=300&dpr=2", "w=8192&h=600&fit=inside"],
    ["fit=pad&ar=1:1&w=400&dpr=1.5", "w=750&ar=1%3A1&fit=pad"],
    ["fit=pad&w=400&h=400&dpr=1.5", "w=400&h=400&dpr=1.5&fit=pad"],
    ["fit=pad&ar=1:1&bg=FF0000", "ar=1%3A1&bg=ff0000"],
    ["bg=Transparent&w=500", "w=500&bg=transparent"],
    // A crop's.
    ["ar=16%3a9&w=1200", "w=1600&ar=16%3A9"],
    ["fp=0.50,1.0&ar=1:1&w=1", "w=64&ar=1%3A1&fp=0.5%2C1"],
    ["w=1200&h=675&fp=0,0", "w=1200&h=675&fp=0%2C0"],
    ["h=300&q=80", "h=300&q=80"],
    // A parameter that changes nothing goes; a ratio is yet to be looked at.
    ["w=1200&fp=0,0", "w=1600"],
    ["h=300&fp=0,0", ""],
    ["ar=5:7&h=300&fp=0,0", "ar=5%3A7"],
  ])("of %j is %j", (query, expected) => {
    expect(normal(query)).toBe(expected);
  });

  it("keeps the default quality if nothing else asks for a variant", () => {
    expect(normal("q=80")).toBe("q=80");
  });

  it("is equivalent to the query, and is its own normal form", () => {
    for (const query of [
      "w=1200&q=80",
      "q=80",
      "fm=png&q=100",
      "auto=format&w=64",
      "w=6400&fm=avif&q=95",
      "h=9&w=16&fp=0.2,0.8",
      "h=9&w=16&dpr=1.5",
      "h=9&q=1&dpr=1.5",
      "h=900&w=1600&dpr=1.5&fit=inside",
      "h=9&w=16&dpr=1.5&fit=pad&bg=00FF00",
      "h=9&ar=1:1&q=9&dpr=1.5&fit=pad",
    ]) {
      const once = normal(query);
      expect(normal(once)).toBe(once);
    }
  });
});

describe("the normal form of Accept", () => {
  it.each([
    ["image/avif,image/webp,image/apng,image/svg+xml,*/*;q=0.8", "image/avif,image/webp"],
    ["IMAGE/WEBP;q=0.1, image/avif;q=0", "image/webp"],
    ["image/webp, image/avif", "image/avif,image/webp"],
    ["*/*", ""],
    [null, ""],
  ])("of %j is %j, and means the same", (accept, expected) => {
    expect(normalAccept(acceptedFormats(accept))).toBe(expected);
    expect(acceptedFormats(expected)).toEqual(acceptedFormats(accept));
  });

  it("is null if the answer does not depend on it", () => {
    const asked = (query: string) => {
      const target = targetOf(`/api/v1/site/pictures/${MEDIA}`);
      return target && askedOf(target, query, "image/avif");
    };
    const [plain, negotiated] = [asked("w=500"), asked("w=500&auto=format")];
    expect(plain && normalAcceptOf(plain)).toBeNull();
    expect(negotiated && normalAcceptOf(negotiated)).toBe("image/avif");
  });
});

describe("the path under which an answer is kept", () => {
  it("is the same for all addresses with the same answer", () => {
    const path = `/api/v1/site/pictures/${MEDIA}`;
    expect(kept(`${path}?utm=1&q=80&w=1001`)).toBe(`${path}?w=1600`);
    expect(kept(`/api/v1/%73ite/pictures/${MEDIA}?w=1600`)).toBe(`${path}?w=1600`);
    expect(kept(`${path}?v=3`)).toBe(path);
    expect(kept(`/cdn/m/${SPACE}/${MEDIA}/1/master.jpg?x=1`)).toBe(`/cdn/m/${SPACE}/${MEDIA}/1/master.jpg`);
  });

  it("of a direct address has its version, unless that is invalid", () => {
    const path = `/api/v1/site/pictures/${MEDIA}/file`;
    expect(kept(`${path}?v=3&w=64`)).toBe(`${path}?w=64&v=3`);
    for (const v of ["v=03", "v=x", "v=", "v=1&v=1", "v=1.0", "v=0"]) expect(kept(`${path}?${v}`)).toBe(path);
  });

  it("is null for other paths", () => {
    for (const path of ["/cdn/x/a/b/c/d", "/cdn/m/a/b/c", "/api/v1/a/pictures", "/api/v1/a/media/b"])
      expect(targetOf(path)).toBeNull();
  });
});
