/** Queues and their consumers. */
import type { Account, Consumer, QueueOfAccount } from "./account.ts";
import { answer, type Handler, refuse, type Routes } from "./route.ts";

const notEnabled = refuse(403, 10026, "Queues is not enabled for this account.");
const missing = refuse(404, 11000, "The specified queue does not exist.");

const byId = (account: Account, id: string | undefined): QueueOfAccount | undefined =>
  [...account.queues.values()].find((queue) => queue.queue_id === id);

interface ConsumerBody {
  script_name: string;
  dead_letter_queue?: string;
  settings: Record<string, unknown>;
}

function consumerOf(account: Account, id: string, body: ConsumerBody): Consumer | null {
  const { script_name: script, dead_letter_queue: dead, settings } = body;
  if (!account.workers.has(script) || (dead !== undefined && !account.queues.has(dead))) return null;
  return {
    consumer_id: id,
    type: "worker",
    script,
    settings,
    ...(dead !== undefined && { dead_letter_queue: dead }),
  };
}

const badConsumer = refuse(400, 11003, "The consumer names a Worker or a queue that does not exist.");

const routes: Routes = {
  "GET /queues": (account, { query }) => {
    const names = query.getAll("name");
    const all = [...account.queues.values()];
    return answer(names.length === 0 ? all : all.filter(({ queue_name }) => names.includes(queue_name)));
  },
  "POST /queues": (account, { json }) => {
    const { queue_name: name } = json() as { queue_name?: string };
    if (name === undefined) return refuse(400, 11005, "The queue needs a name.");
    if (account.queues.has(name)) return refuse(409, 11009, "A queue of this name exists already.");
    const queue = { queue_id: crypto.randomUUID().replaceAll("-", ""), queue_name: name, consumers: [] };
    account.queues.set(name, queue);
    return answer(queue);
  },
  "POST /queues/:id/consumers": (account, { params, json }) => {
    const queue = byId(account, params["id"]);
    if (!queue) return missing;
    if (queue.consumers.length > 0) return refuse(409, 11004, "The queue has a consumer already.");
    const consumer = consumerOf(account, crypto.randomUUID(), json() as unknown as ConsumerBody);
    if (!consumer) return badConsumer;
    queue.consumers.push(consumer);
    return answer(consumer);
  },
  "PUT /queues/:id/consumers/:consumer": (account, { params, json }) => {
    const queue = byId(account, params["id"]);
    const at = queue?.consumers.findIndex((one) => one.consumer_id === params["consumer"]) ?? -1;
    if (!queue || at < 0) return missing;
    const consumer = consumerOf(account, params["consumer"] ?? "", json() as unknown as ConsumerBody);
    if (!consumer) return badConsumer;
    queue.consumers[at] = consumer;
    return answer(consumer);
  },
};

/** Refuses every call of an account that has no queues. */
const onceEnabled =
  (handle: Handler): Handler =>
  (account, request) =>
    account.hasQueues ? handle(account, request) : notEnabled;

export const queueRoutes: Routes = Object.fromEntries(
  Object.entries(routes).map(([route, handle]) => [route, onceEnabled(handle)]),
);
