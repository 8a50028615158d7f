/** Two requests that contradict each other, at the same time, many times over: never do both succeed. */
import { afterEach, describe, expect, it } from "vitest";
import { Client } from "../support/api.ts";
import { copyRows } from "../support/content/copied-rows.ts";
import { emptyStorage } from "../support/rows.ts";
import { rounds } from "../../support/ring.ts";

const ROUNDS = rounds(8, 60);
/** No measure of speed: hundreds of requests, on a machine that may be busy. */
const MANY_REQUESTS_MS = 600_000;

/** The outcome of each round: which of the two requests succeeded. */
type Outcome = "neither" | "first" | "second" | "both";

const outcomeOf = (first: number, second: number): Outcome => {
  const [one, two] = [first < 300, second < 300];
  return one && two ? "both" : one ? "first" : two ? "second" : "neither";
};

/** Runs rounds of two requests at once. Each round begins with the state that `prepare` makes. */
async function races(
  prepare: (client: Client) => Promise<void>,
  race: (client: Client, round: number) => Promise<[number, number]>,
): Promise<Outcome[]> {
  const client = await Client.make();
  await prepare(client);
  const putBack = await copyRows();
  const outcomes: Outcome[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await putBack();
    const [first, second] = await race(client, round);
    for (const status of [first, second]) expect(status).toBeLessThan(500);
    outcomes.push(outcomeOf(first, second));
  }
  return outcomes;
}

/** Starts both, the second after some turns of the event loop, so that rounds meet at different statements. */
async function together(
  round: number,
  first: () => Promise<{ status: number }>,
  second: () => Promise<{ status: number }>,
): Promise<[number, number]> {
  const late = async () => {
    for (let turn = 0; turn < round % 12; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
    return second();
  };
  const [a, b] = await Promise.all([first(), late()]);
  return [a.status, b.status];
}

const makeItems = (client: Client): Promise<void> => client.model("items", [{ name: "n", type: "number" }]);

afterEach(emptyStorage);

describe("an empty model's change and its first record", () => {
  const CHANGES: Record<string, { fields: object[]; record: object }> = {
    "that does not fit a limit": { fields: [{ name: "n", type: "number", max: 5 }], record: { n: 10 } },
    "that has another type": { fields: [{ name: "n", type: "string" }], record: { n: 10 } },
    "that lacks what is required": {
      fields: [
        { name: "n", type: "number" },
        { name: "must", type: "string", required: true },
      ],
      record: { n: 1 },
    },
    "that would lose its value": { fields: [], record: { n: 1 } },
  };
  for (const [name, { fields, record }] of Object.entries(CHANGES)) {
    it(
      name,
      async () => {
        const outcomes = await races(makeItems, (client, round) =>
          together(
            round,
            () => client.call("PUT", "/models/collections/items", { fields }),
            () => client.call("POST", "/data/collections/items", record),
          ),
        );
        expect(outcomes).not.toContain("both");
        expect(outcomes).not.toContain("neither");
      },
      MANY_REQUESTS_MS,
    );
  }
});

const TO_TARGET = [{ name: "to", type: "relation", to: "target" }];

describe("a relation and the removal of its target", () => {
  it(
    "in a model that is made",
    async () => {
      const outcomes = await races(
        (client) => client.model("target", []),
        (client, round) =>
          together(
            round,
            () =>
              client.call("POST", "/models", { typeModel: "collections", name: "source", fields: TO_TARGET }),
            () => client.call("DELETE", "/models/collections/target"),
          ),
      );
      expect(outcomes).not.toContain("both");
      expect(outcomes).not.toContain("neither");
    },
    MANY_REQUESTS_MS,
  );

  it(
    "in a model that is changed",
    async () => {
      const makeBoth = async (client: Client): Promise<void> => {
        await client.model("target", []);
        await client.model("source", []);
      };
      const outcomes = await races(makeBoth, (client, round) =>
        together(
          round,
          () => client.call("PUT", "/models/collections/source", { fields: TO_TARGET }),
          () => client.call("DELETE", "/models/collections/target"),
        ),
      );
      expect(outcomes).not.toContain("both");
      expect(outcomes).not.toContain("neither");
    },
    MANY_REQUESTS_MS,
  );
});

describe("a record that refers to another one, and that one's removal while nothing refers to it", () => {
  const WRITES: Record<string, [method: string, path: string, body: (id: string) => object]> = {
    "by POST": ["POST", "/data/collections/source", (id) => ({ to: id })],
    "by a bulk": [
      "POST",
      "/data/collections/source/bulk",
      (id) => ({ operations: [{ op: "create", data: { to: id } }] }),
    ],
  };
  it.each(Object.entries(WRITES))(
    "%s",
    async (_name, [method, path, body]) => {
      let target = "";
      const outcomes = await races(
        async (client) => {
          await client.model("target", []);
          await client.model("source", TO_TARGET);
          target = await client.create("target", {});
        },
        (client, round) =>
          together(
            round,
            () => client.call(method, path, body(target)),
            () => client.call("DELETE", `/data/collections/target/${target}?ifUnreferenced=true`),
          ),
      );
      expect(outcomes).not.toContain("both");
      expect(outcomes).not.toContain("neither");
    },
    MANY_REQUESTS_MS,
  );
});

describe("a model removed and its first record", () => {
  it(
    "never leave a record without a model",
    async () => {
      const outcomes = await races(makeItems, (client, round) =>
        together(
          round,
          () => client.call("DELETE", "/models/collections/items"),
          () => client.call("POST", "/data/collections/items", { n: 1 }),
        ),
      );
      expect(outcomes).not.toContain("both");
      expect(outcomes).not.toContain("neither");
    },
    MANY_REQUESTS_MS,
  );
});
