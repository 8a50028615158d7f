import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filePart } from "../../../../src/edge/media/multipart.ts";
import { ApiError } from "../../../../src/errors.ts";
import { UPLOAD } from "../../../../src/limits.ts";

const BOUNDARY = "----WebKitFormBoundaryAbC123";
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Returns a body of these parts: the header fields of each, and its content. */
function form(...parts: [head: string, content: string | Uint8Array][]): Buffer {
  const pieces = parts.flatMap(([head, content]) => [`--${BOUNDARY}\r\n${head}\r\n\r\n`, content, "\r\n"]);
  const all = [...pieces, `--${BOUNDARY}--\r\n`];
  return Buffer.concat(all.map((piece) => (typeof piece === "string" ? encode(piece) : piece)));
}

const named = (parameters: string): string => `Content-Disposition: form-data; ${parameters}`;

async function* inChunks(body: Uint8Array, sizes: number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, i = 0; at < body.length; i += 1) {
    const end = at + sizes[i % sizes.length]!;
    yield await Promise.resolve(body.slice(at, end));
    at = end;
  }
}

async function read(body: Uint8Array, sizes = [body.length || 1], type = TYPE) {
  const part = await filePart(inChunks(body, sizes), type);
  const pieces: Uint8Array[] = [];
  for await (const piece of part.body) pieces.push(piece.slice());
  return { filename: part.filename, content: Buffer.concat(pieces).toString("latin1") };
}

const nameOf = async (parameters: string): Promise<string | null> =>
  (await read(form([named(`name="file"; ${parameters}`), "x"]))).filename;

describe("filePart", () => {
  it("streams the file among fields, however the body is cut", async () => {
    const content = `\r\n--\r\n${BOUNDARY}\r\n--${BOUNDARY.slice(0, -1)}\r\r\n`;
    const body = form(
      [named('name="alt"'), "a beach"],
      [`${named('name="file"; filename="beach.jpg"')}\r\nContent-Type: image/jpeg`, content],
      [named('name="after"'), ""],
    );
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 10 });
    const wanted = { filename: "beach.jpg", content };
    await fc.assert(
      fc.asyncProperty(sizes, async (some) => {
        expect(await read(body, some)).toEqual(wanted);
      }),
      { numRuns: 200 },
    );
    const padded = Buffer.concat([encode("a preamble\r\n"), body, encode("an epilogue")]);
    expect(await read(padded)).toEqual(wanted);
  });

  it("reads what other parsers write: FormData, and headers that are folded or missing", async () => {
    const made = new FormData();
    made.set("alt", "b");
    made.set("file", new Blob(["bytes"]), '图"片\n.jpg');
    const response = new Response(made);
    const body = new Uint8Array(await response.arrayBuffer());
    expect(await read(body, [7], response.headers.get("Content-Type")!)).toEqual({
      filename: '图"片\n.jpg',
      content: "bytes",
    });
    const folded = 'CONTENT-DISPOSITION: Form-Data;\r\n\tname=file;\r\n filename="a.png"';
    expect(await read(form([folded, "x"]))).toEqual({ filename: "a.png", content: "x" });
    const bare = Buffer.from(`--${BOUNDARY}\r\n\r\nbare\r\n`);
    expect(await read(Buffer.concat([bare, form([named('name="file"'), "x"])]))).toEqual({
      filename: null,
      content: "x",
    });
  });

  it.each([
    ["filename=图片.jpg", "图片.jpg"],
    ['filename="图片.jpg"', "图片.jpg"],
    ['filename="a;b=c.jpg"', "a;b=c.jpg"],
    ['filename="a\\"b\\\\c.jpg"', 'a"b\\c.jpg'],
    ['filename="C:\\photos\\x.jpg"', "C:\\photos\\x.jpg"],
    ['filename="100%25 %22x%22.jpg"', '100%25 "x".jpg'],
    ['filename=""', ""],
    ["", null],
    ["filename*=UTF-8''%E2%82%AC%20rates.jpg", "€ rates.jpg"],
    ["filename=a.jpg; filename*=utf-8'en'b%2Ejpg", "b.jpg"],
    ["filename*=iso-8859-1''%A3.jpg; filename=a.jpg", "£.jpg"],
    ["filename*=windows-31j''%93%FA.jpg", "日.jpg"],
    ["filename*=utf-9''%41.jpg; filename=a.jpg", "a.jpg"],
    ["filename*=UTF-8''%E2%82.jpg; filename=a.jpg", "a.jpg"],
    ["filename*=UTF-8''%zz.jpg; filename=a.jpg", "a.jpg"],
    ["filename*=nonsense; filename=a.jpg", "a.jpg"],
    ["filename*=%; filename=a.jpg", "a.jpg"],
    ["; ;; =x; filename=a.jpg; filename=b.jpg", "a.jpg"],
    ['filename="not closed.jpg', '"not closed.jpg'],
  ])("reads the name of %s", async (parameters, name) => {
    expect(await nameOf(parameters)).toBe(name);
  });

  it("does not fail on any disposition", async () => {
    const text = fc.string({ unit: "binary", maxLength: 60 }).map((raw) => raw.replace(/[\r\n]/g, " "));
    await fc.assert(
      fc.asyncProperty(text, async (raw) => {
        await nameOf(raw);
      }),
      { numRuns: 500 },
    );
  });

  const file: [string, string] = [named('name="file"; filename=a'), "x"];
  const field = (bytes: number): [string, string] => [named('name="alt"'), "x".repeat(bytes)];
  it("has limits", async () => {
    const { formFieldMaxBytes, formHeadersMaxBytes, formPartsMax } = UPLOAD;
    expect((await read(form(field(formFieldMaxBytes), file))).content).toBe("x");
    await expect(read(form(field(formFieldMaxBytes + 1), file))).rejects.toThrow(
      'The field "alt" of the form is over',
    );
    const fields = Array.from({ length: formPartsMax - 1 }, () => field(1));
    expect((await read(form(...fields, file))).content).toBe("x");
    await expect(read(form(...fields, field(1), file))).rejects.toThrow("at most 100 parts");
    const long = `X: ${"y".repeat(formHeadersMaxBytes)}`;
    await expect(read(form([`${long}\r\n${file[0]}`, "x"]))).rejects.toThrow("headers of a part");
    const behind = (bytes: number): Buffer => Buffer.concat([form(file), Buffer.alloc(bytes)]);
    const whole = form(file).length;
    expect((await read(behind(formFieldMaxBytes), [whole, formFieldMaxBytes])).content).toBe("x");
    await expect(read(behind(formFieldMaxBytes + 1), [whole, formFieldMaxBytes + 1])).rejects.toThrow(
      "goes on behind its last part",
    );
  });

  it.each([
    ['has no part named "file"', form(field(3)), TYPE],
    ['has no part named "file"', form(), TYPE],
    ["must be in a part named", form([named('name="picture"; filename="a.jpg"'), "x"]), TYPE],
    ["Send one part", form(file, file), TYPE],
    ["must be in a part named", form(file, [named('name="b"; filename=b'), "x"]), TYPE],
    ["ends before its closing boundary", form(file).subarray(0, -6), TYPE],
    ["ends before its closing boundary", form(file).subarray(0, 20), TYPE],
    ["ends before its closing boundary", Buffer.from("hello"), TYPE],
    ["ends before its closing boundary", Buffer.alloc(0), TYPE],
    ["must name its boundary", form(file), "multipart/form-data"],
    ["must name its boundary", form(file), `multipart/form-data; boundary=${"x".repeat(71)}`],
  ])("refuses a form: %s", async (message, body, type) => {
    const error: unknown = await read(body, [9], type).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: "INVALID_UPLOAD",
      message: expect.stringContaining(message) as string,
    });
  });

  it("ends the reading of a body that it refuses", async () => {
    let ended = false;
    const body = (async function* () {
      try {
        yield await Promise.resolve(form(field(1)));
        yield encode("more");
      } finally {
        ended = true;
      }
    })();
    await expect(filePart(body, TYPE)).rejects.toThrow();
    expect(ended).toBe(true);
  });
});
