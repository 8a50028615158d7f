/** Webhooks over real HTTP: receivers as they are in the world, each beside the others (RULES 15.3, 15.4). */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { bearer, json, newSpace, type Space } from "../../scripts/harness/api.ts";
import { answerWith, WebhookReceiver, type Behaviour } from "../support/webhook-receiver.ts";

const service = inject("service");

interface Hook {
  id: string;
  enabled: boolean;
  disabledReason: string | null;
}

interface Delivery {
  event: string;
  state: string;
  attempts: { status: number | null; error: string | null }[];
}

const BEHAVIOURS = {
  good: answerWith(204),
  "500, then 200": (_, response, { length }) => void response.writeHead(length === 1 ? 500 : 200).end(),
  gone: answerWith(410),
  redirect: answerWith(302, { Location: "http://localhost:9/elsewhere" }),
  "closes before the status": (_, response) => void response.socket?.destroy(),
  "closes in the middle of the body": (_, response) => {
    response.writeHead(200, { "Content-Length": "1000" });
    response.write("half");
    setTimeout(() => response.socket?.destroy(), 20);
  },
  // It never answers.
  slow: () => undefined,
  "down, then up": answerWith(200),
} as const satisfies Record<string, Behaviour>;

type Name = keyof typeof BEHAVIOURS;
const NAMES = Object.keys(BEHAVIOURS) as Name[];

let space: Space;
const receivers = new Map<Name, WebhookReceiver>();
const ids = new Map<Name, string>();

const send = (method: string, path: string, body?: object): Promise<Response> =>
  fetch(`${space.api}${path}`, {
    method,
    headers: { ...bearer(space.key), "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
const receiver = (name: Name): WebhookReceiver => receivers.get(name) as WebhookReceiver;
const hook = async (name: Name): Promise<Hook> => json(await send("GET", `/webhooks/${ids.get(name)}`));
const deliveries = async (name: Name): Promise<Delivery[]> =>
  json(await send("GET", `/webhooks/${ids.get(name)}/deliveries`));

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 100));
}

beforeAll(async () => {
  space = await newSpace(service);
  const fields = [{ name: "title", type: "string" }];
  await json(await send("POST", "/models", { typeModel: "collections", name: "posts", fields }));
  for (const name of NAMES) {
    const one = await new WebhookReceiver(BEHAVIOURS[name]).start();
    const made = await json<Hook & { secret: string }>(
      await send("POST", "/webhooks", { url: one.url, events: ["*"], name }),
    );
    one.secret = made.secret;
    receivers.set(name, one);
    ids.set(name, made.id);
  }
  await receiver("down, then up").stop();
  const { id } = await json<{ id: string }>(await send("POST", "/data/collections/posts", { title: "a" }));
  await json(await send("PUT", `/data/collections/posts/${id}`, { title: "b" }));
});
afterAll(async () => {
  for (const one of receivers.values()) {
    expect(one.faults).toEqual([]);
    await one.stop();
  }
});

const typesOf = (name: Name): string[] => receiver(name).received.map(({ type }) => type);
const BOTH = ["record.created", "record.updated"];

describe("a receiver", () => {
  it("that answers gets each event once, in order, while others fail and hang", async () => {
    await until(() => receiver("good").received.length >= 2);
    expect(typesOf("good")).toEqual(BOTH);
  });

  it("that was down gets every event when it is up, in order", async () => {
    const name = "down, then up";
    await until(async () => (await deliveries(name)).some(({ attempts }) => attempts.length > 0));
    await receiver(name).start();
    await until(() => receiver(name).received.length >= 2);
    expect(typesOf(name)).toEqual(BOTH);
  });

  it("that answers 410 is disabled, and says why", async () => {
    await until(async () => !(await hook("gone")).enabled);
    expect((await hook("gone")).disabledReason).toBe("The receiver answered 410 Gone.");
    expect(typesOf("gone")).toEqual(["record.created"]);
  });

  it("that redirects is not followed", async () => {
    await until(async () => (await deliveries("redirect")).some(({ attempts }) => attempts.length > 0));
    const attempts = (await deliveries("redirect")).flatMap((one) => one.attempts);
    for (const { status, error } of attempts)
      expect([status, error]).toEqual([302, expect.stringMatching(/redirects/)]);
  });

  it("that closes the connection gets the event again; one that closes after its status has taken it", async () => {
    await until(() => receiver("closes in the middle of the body").received.length >= 2);
    expect(typesOf("closes in the middle of the body")).toEqual(BOTH);
    await until(() => receiver("closes before the status").received.length >= 2);
    const [first, second] = receiver("closes before the status").received;
    expect([second?.type, second?.id]).toEqual(["record.created", first?.id]);
    const attempts = (await deliveries("closes before the status")).flatMap((one) => one.attempts);
    expect(attempts[0]).toMatchObject({ status: null, error: expect.stringMatching(/broke off/) as string });
  });

  it("that answers 500 and then 200 gets the event again, and then the next of the record", async () => {
    await until(() => receiver("500, then 200").received.length >= 3);
    expect(typesOf("500, then 200")).toEqual(["record.created", ...BOTH]);
    const [first, second] = receiver("500, then 200").received;
    expect(first?.id).toBe(second?.id);
  });

  it("that does not answer fails after ten seconds", async () => {
    await until(async () => (await deliveries("slow")).some(({ attempts }) => attempts.length > 0));
    const attempts = (await deliveries("slow")).flatMap((one) => one.attempts);
    expect(attempts[0]).toMatchObject({ status: null, error: "No answer within 10 seconds." });
  });
});
