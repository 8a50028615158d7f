/** Two requests that contradict each other, at the same time, many times over: never do both succeed. */
import { describe, expect, it } from "vitest";
import { Client } from "../support/api.ts";

const ROUNDS = 60;
/** No measure of speed: hundreds of requests, on a machine that may be busy. */
const MANY_REQUESTS_MS = 600_000;

/** What came of each round: which of the two requests succeeded. */
type Outcome = "neither" | "first" | "second" | "both";

const outcomeOf = (first: number, second: number): Outcome => {
  const [one, two] = [first < 300, second < 300];
  return one && two ? "both" : one ? "first" : two ? "second" : "neither";
};

async function rounds(
  race: (client: Client, round: number) => Promise<[number, number]>,
): Promise<Outcome[]> {
  const client = await Client.make();
  const outcomes: Outcome[] = [];
  for (let round = 0; round < ROUNDS; round++) {
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

const removed = async (client: Client, name: string): Promise<void> => {
  const reply = await client.call<{ id: string }[]>("GET", `/data/collections/${name}`);
  for (const { id } of reply.status === 200 ? reply.data : []) {
    await client.call("DELETE", `/data/collections/${name}/${id}`);
    await client.call("DELETE", `/trash/${id}`);
  }
  await client.call("DELETE", `/models/collections/${name}`);
};

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
        const outcomes = await rounds(async (client, round) => {
          await client.model("items", [{ name: "n", type: "number" }]);
          const statuses = await together(
            round,
            () => client.call("PUT", "/models/collections/items", { fields }),
            () => client.call("POST", "/data/collections/items", record),
          );
          await removed(client, "items");
          return statuses;
        });
        expect(outcomes).not.toContain("both");
        expect(outcomes).not.toContain("neither");
      },
      MANY_REQUESTS_MS,
    );
  }
});

describe("a relation and the removal of its target", () => {
  it(
    "in a model that is made",
    async () => {
      const outcomes = await rounds(async (client, round) => {
        await client.model("target", []);
        const fields = [{ name: "to", type: "relation", to: "target" }];
        const statuses = await together(
          round,
          () => client.call("POST", "/models", { typeModel: "collections", name: "source", fields }),
          () => client.call("DELETE", "/models/collections/target"),
        );
        await client.call("DELETE", "/models/collections/source");
        await client.call("DELETE", "/models/collections/target");
        return statuses;
      });
      expect(outcomes).not.toContain("both");
      expect(outcomes).not.toContain("neither");
    },
    MANY_REQUESTS_MS,
  );

  it(
    "in a model that is changed",
    async () => {
      const outcomes = await rounds(async (client, round) => {
        await client.model("target", []);
        await client.model("source", []);
        const fields = [{ name: "to", type: "relation", to: "target" }];
        const statuses = await together(
          round,
          () => client.call("PUT", "/models/collections/source", { fields }),
          () => client.call("DELETE", "/models/collections/target"),
        );
        await client.call("DELETE", "/models/collections/source");
        await client.call("DELETE", "/models/collections/target");
        return statuses;
      });
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
      const outcomes = await rounds(async (client, round) => {
        await client.model("items", [{ name: "n", type: "number" }]);
        const statuses = await together(
          round,
          () => client.call("DELETE", "/models/collections/items"),
          () => client.call("POST", "/data/collections/items", { n: 1 }),
        );
        await removed(client, "items");
        return statuses;
      });
      expect(outcomes).not.toContain("both");
      expect(outcomes).not.toContain("neither");
    },
    MANY_REQUESTS_MS,
  );
});
