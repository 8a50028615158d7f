/** The client's uploads in parts, against the service. */
import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createClient, SilverprintError } from "../../../src/client/index.ts";
import { PARTED_UPLOAD } from "../../../src/limits.ts";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { areSame, gifOf, masterOf } from "../support/uploads.ts";

cleanBetweenTests();

const worker = (exports as unknown as { default: Fetcher }).default;

/** Makes a client whose requests go through `via`, and keeps the paths that it asked for. */
async function clientVia(via: (request: Request) => Promise<Response>) {
  const server = await Client.make();
  const asked: string[] = [];
  const client = createClient({
    baseUrl: "https://api.test",
    space: server.space.name,
    key: await server.key("write"),
    fetch(request) {
      asked.push(`${request.method} ${new URL(request.url).pathname.split("/").slice(6).join("/")}`);
      return via(request);
    },
  });
  return { client, asked };
}

const file = gifOf(2 * PARTED_UPLOAD.partBytes + 10, 5);

describe("the client", () => {
  it("sends a file in parts, and reports its progress", async () => {
    const { client } = await clientVia((request) => worker.fetch(request));
    const progress: number[] = [];
    const media = await client.upload(new Blob([file]), {
      filename: "dot.gif",
      alt: "a dot",
      onProgress: ({ sentBytes, totalBytes }) => void progress.push(sentBytes / totalBytes),
    });
    expect(media).toMatchObject({ filename: "dot.gif", alt: "a dot", size: file.length });
    expect(progress).toHaveLength(3);
    expect(progress.at(-1)).toBe(1);
    expect(areSame(await masterOf(media), file)).toBe(true);
  });

  it("resumes an interrupted upload with the missing parts", async () => {
    let isDown = false;
    const { client, asked } = await clientVia((request) => {
      if (isDown) throw new SilverprintError(400, { message: "as if the page was closed" });
      return worker.fetch(request);
    });
    let uploadId = "";
    const about = { filename: "dot.gif" };
    const first = client.upload(new Blob([file]), {
      ...about,
      onProgress(progress) {
        ({ uploadId } = progress);
        isDown = progress.sentBytes > PARTED_UPLOAD.partBytes;
      },
    });
    await expect(first).rejects.toThrow("page was closed");
    isDown = false;
    asked.length = 0;
    const media = await client.upload(new Blob([file]), { ...about, uploadId });
    expect(asked.map((path) => path.replace(uploadId, "id"))).toEqual([
      "GET id",
      "PUT id/parts/3",
      "POST id/complete",
    ]);
    expect(areSame(await masterOf(media), file)).toBe(true);
    const other = client.upload(new Blob([file, "x"]), { ...about, uploadId });
    await expect(other).rejects.toThrow(TypeError);
  });

  it("sends a part again when the network fails, but not when it is refused", async () => {
    let failures = 2;
    const { client, asked } = await clientVia((request) => {
      if (request.method === "PUT" && failures-- > 0) throw new TypeError("Network connection lost.");
      return worker.fetch(request);
    });
    await client.upload(new Blob([gifOf(50)]), { filename: "dot.gif" });
    expect(asked.filter((path) => path.startsWith("PUT"))).toHaveLength(3);
    asked.length = 0;
    await expect(client.upload(new Blob(["text"]), { filename: "a.txt" })).rejects.toMatchObject({
      code: "UNSUPPORTED_MEDIA",
    });
    expect(asked.filter((path) => path.endsWith("complete"))).toHaveLength(1);
  });
});
