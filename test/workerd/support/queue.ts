/** A space's queue as tests call it. */
import { runInDurableObject } from "cloudflare:test";
import { spaceQueue, type Env } from "../../../src/edge/config.ts";
import type { Lane } from "../../../src/image/plan/build-plan.ts";
import { planUnbounded } from "../../../src/image/plan/plan.ts";
import { orderFor } from "../../../src/image/protocol/order.ts";
import { ENCODER_VERSION, variantFile, variantKey } from "../../../src/image/model/variant.ts";
import type { AdmitRequest, SpaceQueueApi } from "../../../src/edge/messages.ts";
import { bindings, JPEG_FACTS, type Media, type Space } from "./rows.ts";
import { takeWokenQueues } from "./objects/woken-queues.ts";

/** Returns a new stub at each call, as each request has one: a stub whose object crashed stays broken. */
export const queueOf = (space: Space): SpaceQueueApi => spaceQueue(bindings, space.id);

/** Ends all work that the queues still do, and their alarms: nothing of it reaches into the next test. */
export async function clearQueues(): Promise<void> {
  const names = takeWokenQueues();
  await Promise.all(names.map((name) => spaceQueue(bindings, name).clear()));
}

/** Returns the object behind the queue, for the helpers of cloudflare:test. */
export const objectOf = (space: Space): DurableObjectStub =>
  bindings.SPACE_QUEUE.get(bindings.SPACE_QUEUE.idFromName(space.id));

/** Ends the instance as a crash does, in the middle of whatever it does. */
export async function crash(space: Space): Promise<void> {
  await runInDurableObject(objectOf(space), (_, state) => state.abort("crash of a test")).catch(
    () => undefined,
  );
}

/** Runs one statement in the queue's own SQLite. */
export const queueSql = <T>(space: Space, query: string, ...values: SqlStorageValue[]): Promise<T[]> =>
  runInDurableObject(
    objectOf(space),
    (_, state) => state.storage.sql.exec(query, ...values).toArray() as unknown as T[],
  );

/** Makes the queue's binding throw at the next calls of a method, `times` in all. */
export async function breakBinding<B extends "DB" | "BUCKET">(
  space: Space,
  binding: B,
  method: keyof Env[B],
  times = 1,
): Promise<void> {
  await runInDurableObject(objectOf(space), (instance) => {
    const holder = instance as unknown as { env: Env };
    let left = times;
    const broken = new Proxy(holder.env[binding], {
      get(target, property) {
        const value: unknown = Reflect.get(target, property, target);
        if (property === method && left > 0) {
          left -= 1;
          return () => {
            throw new Error(`${binding} is down`);
          };
        }
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
    holder.env = { ...holder.env, [binding]: broken };
  });
}

export interface Wish {
  width: number;
  lane?: Lane;
  client?: string;
  encoderVersion?: number;
}

export function requestFor(media: Media, wish: Wish): AdmitRequest {
  const { lane = "light", client = "192.0.2.1", encoderVersion = ENCODER_VERSION } = wish;
  const spec = { width: wish.width, height: 100, format: "webp", quality: 80, animated: false } as const;
  const plan = planUnbounded(JPEG_FACTS, media.sizeBytes, spec);
  if (!plan.ok) throw new Error(plan.reason);
  const file = variantFile(spec, encoderVersion);
  const at = { spaceId: media.spaceId, mediaId: media.id, version: media.version };
  return {
    ...at,
    key: variantKey(at, file),
    file,
    masterKey: media.masterKey,
    lane,
    order: orderFor(JPEG_FACTS, media.sizeBytes, spec, plan),
    client,
  };
}

/** Requests for `count` variants, `from` pixels wide and on. */
export const requestsFor = (
  media: Media,
  count: number,
  from: number,
  lane: Lane = "light",
): AdmitRequest[] => Array.from({ length: count }, (_, n) => requestFor(media, { width: from + n, lane }));

/** Returns the requests, each from a client of its own. */
export const fromManyClients = (requests: AdmitRequest[]): AdmitRequest[] =>
  requests.map((request, n) => ({ ...request, client: `198.51.100.${n}` }));
