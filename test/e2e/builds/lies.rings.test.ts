/**
 * Masters that lie about their contents. The upload refuses the lies that it can know; of the others no part is passed
 * off as the whole: the master is the answer, `unavailable`, and the next build is right.
 */
import { beforeAll, describe, expect, inject, it } from "vitest";
import { masters, mended } from "../../support/pictures/damaged-masters.ts";
import { LyingFiles } from "../../support/pictures/lying-files.ts";
import { ofRing } from "../../support/ring.ts";

let lying: LyingFiles;
let all: Awaited<ReturnType<typeof masters>>;
beforeAll(async () => {
  all = await masters();
  lying = await LyingFiles.in(inject("service"));
});

describe("a truncated file", () => {
  it("never becomes a variant, wherever it was truncated", async () => {
    for (const [name, { file, formats }] of Object.entries(all)) {
      // A PNG is whole without its IEND, which has 12 bytes.
      const leastBytes = name.endsWith("png") ? 15 : 3;
      for (const share of ofRing([0.6, 0.3, 0.9, 1], 3)) {
        const cut = file.subarray(
          0,
          share === 1 ? file.length - leastBytes : Math.floor(file.length * share),
        );
        await lying.expectNoPart(cut, `${name} cut at ${share}`, formats);
      }
    }
  });
});

describe("a file without its middle part", () => {
  it("never becomes a variant", async () => {
    for (const name of [
      "jpeg",
      "progressive jpeg",
      "png",
      "interlaced png",
      "webp",
      "lossless webp",
      "gif",
    ]) {
      for (const share of ofRing([0.7, 0.4, 0.95], 3)) {
        await lying.expectNoPart(mended(name, all[name]!.file, share), `${name} mended at ${share}`);
      }
    }
  });
});

describe("a file that is damaged inside", () => {
  it("is refused, unavailable or built, and does not affect the next build", async () => {
    for (const [name, { file, formats = ["png"] }] of Object.entries(all)) {
      for (const share of ofRing([0.5, 0.8], 2)) {
        const damaged = Buffer.from(file);
        damaged.fill(0xff, Math.floor(file.length * share), Math.floor(file.length * share) + 24);
        const { status, id = "" } = await lying.post(damaged);
        expect([201, 400], name).toContain(status);
        if (status === 201)
          expect(["built", "hit", "unavailable"], name).toContain(
            await lying.settled(id, `w=64&fm=${formats[0]!}`),
          );
      }
    }
    expect((await lying.post(new Uint8Array())).status).toBe(400);
    await lying.expectNextIsRight("damaged files");
  });
});

describe("a wrong extension", () => {
  it("is ignored, because the content determines the format", async () => {
    for (const [name, { file }] of Object.entries(all)) {
      const { status, url } = await lying.post(file, "picture.exe");
      expect(status, name).toBe(201);
      const answer = await fetch(url!);
      expect(answer.headers.get("Content-Type")).toBe(
        `image/${name === "svg" ? "svg+xml" : name.split(" ").at(-1)}`,
      );
      await answer.body?.cancel();
    }
    expect((await lying.post(Buffer.from("<html><script>alert(1)</script></html>"), "a.png")).status).toBe(
      415,
    );
    expect((await lying.post(Buffer.from("MZ\x90\0"), "a.jpg")).status).toBe(415);
  });
});
