/** The order of what a request for a remote picture waits for (RULES 13.2). */
import { describe, expect, it } from "vitest";
import type { FetchAdmission, SpaceQueueApi } from "../../../src/edge/messages.ts";
import { deliverRemote } from "../../../src/edge/remote/deliver-remote.ts";
import { hashOf } from "../../../src/edge/remote/fetch-key.ts";
import type { RemoteRequest, RemoteTools } from "../../../src/edge/remote/remote-request.ts";
import type { PictureAddress } from "../../../src/edge/storage/pictures/pictures.ts";
import { parsePictureParameters } from "../../../src/image/parameters/read.ts";
import { BACKGROUND, CROP } from "../../../src/limits.ts";

const URL_OF_PICTURE = "https://img.example.com/a.jpg";

const requestFor = (query: string, more: Partial<RemoteRequest> = {}): RemoteRequest => ({
  spaceName: "shop",
  url: URL_OF_PICTURE,
  parameters: parsePictureParameters(new URLSearchParams(query)),
  accept: null,
  client: "192.0.2.1",
  arrivedAt: Date.now(),
  ...more,
});

interface Steps {
  tools: RemoteTools;
  /** The steps that were begun, in order. */
  begun: string[];
  looked: PictureAddress[];
}

/** Makes tools that find the space, once `until` has come, and no picture. */
function toolsWith(until: Promise<unknown>, more: Partial<RemoteTools> = {}): Steps {
  const begun: string[] = [];
  const looked: PictureAddress[] = [];
  const look = (address: PictureAddress): Promise<null> => {
    begun.push("picture");
    looked.push(address);
    return Promise.resolve(null);
  };
  const space = {
    spaceId: "S",
    origins: ["https://img.example.com"],
    aspectRatios: CROP.aspectRatiosDefault,
    backgrounds: BACKGROUND.backgroundsDefault,
  };
  const admitFetch = (): Promise<FetchAdmission> => {
    begun.push("queue");
    return Promise.resolve({ state: "accepted" });
  };
  const tools: RemoteTools = {
    pictures: { get: look, refresh: look, withBuilt: (picture) => picture },
    queueOf: () => ({ admitFetch }) as Partial<SpaceQueueApi> as SpaceQueueApi,
    now: Date.now,
    waitUntil: () => undefined,
    log: () => undefined,
    note: () => undefined,
    findSpace: async () => {
      begun.push("space");
      await until;
      return { space, from: "primary" };
    },
    mayLookAhead: () => true,
    noteAsking: () => Promise.resolve(),
    ownHosts: [],
    rules: { isTesting: false },
    ...more,
  };
  return { tools, begun, looked };
}

describe("a first request for a remote picture", () => {
  it("has its space and its picture read side by side, each once", async () => {
    const gate = { open: (): void => undefined };
    const { tools, begun, looked } = toolsWith(new Promise<void>((resolve) => (gate.open = resolve)));
    const answering = deliverRemote(requestFor("w=64"), tools);
    // The space is not found before the look for the picture has begun.
    while (looked.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(begun.sort()).toEqual(["picture", "space"]);
    gate.open();
    expect(await answering).toMatchObject({ url: URL_OF_PICTURE, state: "queued" });
    expect(begun).toEqual(["picture", "space", "queue"]);
    expect(looked[0]?.mediaId).toBe(await hashOf(URL_OF_PICTURE));
  });

  it.each<[string, RemoteRequest, Partial<RemoteTools>]>([
    ["knows the space", requestFor("w=64"), { mayLookAhead: () => false }],
    ["has a relative address", requestFor("w=64", { url: "a.jpg", isLenient: true }), {}],
    [
      "has a background that the space may not list",
      requestFor("w=64&bg=123456&fm=jpeg", { isLenient: true }),
      {},
    ],
    ["asks the primary", requestFor("w=64", { ofPrimary: true }), {}],
  ])("that %s reads the space first", async (_, request, more) => {
    const { tools, begun } = toolsWith(Promise.resolve(), more);
    await deliverRemote(request, tools);
    // The isolate may remember what the queue said.
    expect(begun.slice(0, 2)).toEqual(["space", "picture"]);
  });

  it("is told of an unknown space before anything about its address", async () => {
    const { tools } = toolsWith(Promise.resolve());
    const nowhere = { ...tools, findSpace: () => Promise.resolve(null) };
    for (const url of ["https://0x7f.1/a.jpg", `https://img.example.com/${"a".repeat(10_000)}`])
      await expect(deliverRemote(requestFor("w=64", { url }), nowhere)).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
  });

  it("is refused for an address that is not allowed, whatever became of the look for its picture", async () => {
    const { tools } = toolsWith(Promise.resolve());
    const get = (): Promise<never> => Promise.reject(new Error("D1 is down"));
    const broken = { ...tools, pictures: { ...tools.pictures, get } };
    const elsewhere = requestFor("w=64", { url: "https://evil.example/a.jpg" });
    await expect(deliverRemote(elsewhere, broken)).rejects.toMatchObject({ code: "ORIGIN_NOT_ALLOWED" });
    await expect(deliverRemote(requestFor("w=64"), broken)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});
