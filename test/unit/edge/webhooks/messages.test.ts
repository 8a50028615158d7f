/** The messages of events: to whom they go, and with which facts (RULES 15.3). */
import { describe, expect, it } from "vitest";
import { bodyOf, deliveryOf, typeOfAction, WEBHOOK_EVENTS } from "../../../../src/edge/webhooks/messages.ts";
import type { EventRow } from "../../../../src/edge/storage/webhooks/rows.ts";

const ALL = { events: ["*"], models: null };
const at = Date.UTC(2026, 10, 27);

const event = (row: Partial<EventRow>): EventRow => ({
  ...{ no: 7, at, action: "record.updated", targetKind: "record", targetId: "R1" },
  ...{ targetModel: "collections/posts", facts: "{}" },
  ...row,
});

/** Returns the message of an event as it is sent. */
function sent(row: EventRow, base = ""): unknown {
  const delivery = deliveryOf(row, ALL);
  if (!delivery) throw new Error("It is not sent.");
  return JSON.parse(
    bodyOf({ ...delivery, data: JSON.stringify(delivery.data) }, { spaceName: "shop", base }),
  ) as unknown;
}

describe("a message", () => {
  it("of a record has its facts and its address", () => {
    const facts = JSON.stringify({
      version: 3,
      locales: ["de"],
      changed: ["title"],
      note: "not for receivers",
    });
    expect(sent(event({ facts }), "https://cms.example")).toEqual({
      type: "record.updated",
      timestamp: "2026-11-27T00:00:00.000Z",
      data: {
        ...{ space: "shop", typeModel: "collections", model: "posts", id: "R1" },
        ...{ version: 3, locales: ["de"], changed: ["title"] },
        url: "https://cms.example/api/v1/shop/data/collections/posts/R1",
      },
    });
  });

  it("of a page has the address that answers its record, as a path without PUBLIC_BASE_URL", () => {
    const row = event({ targetModel: "pages/home", targetId: "home", facts: '{"version":1,"changed":[]}' });
    expect(sent(row)).toMatchObject({
      data: { typeModel: "pages", model: "home", locales: [], url: "/api/v1/shop/data/pages/home/home" },
    });
  });

  it("of a media item has its master version", () => {
    const row = event({
      ...{ action: "media.replaced", targetKind: "media", targetId: "M1", targetModel: null },
      facts: '{"masterVersion":2}',
    });
    expect(sent(row)).toEqual({
      type: "media.replaced",
      timestamp: "2026-11-27T00:00:00.000Z",
      data: { space: "shop", id: "M1", masterVersion: 2, url: "/api/v1/shop/pictures/M1" },
    });
  });

  it("of a model says that it changed, whatever was done to it", () => {
    for (const action of ["model.changed", "model.created", "model.renamed", "model.removed"]) {
      const row = event({ action, targetKind: "model", targetId: "posts", facts: '{"version":4}' });
      expect(sent(row)).toEqual({
        type: "model.changed",
        timestamp: "2026-11-27T00:00:00.000Z",
        data: { space: "shop", typeModel: "collections", model: "posts", version: 4 },
      });
    }
  });
});

describe("an event", () => {
  it("of every type goes to a webhook that asks for it, or for all, and to no other", () => {
    for (const type of WEBHOOK_EVENTS) {
      const row = event({ action: type });
      expect(deliveryOf(row, ALL)?.type).toBe(type);
      expect(deliveryOf(row, { events: [type], models: null })?.type).toBe(type);
      const others = WEBHOOK_EVENTS.filter((one) => one !== type);
      expect(deliveryOf(row, { events: others, models: null })).toBeNull();
    }
  });

  it("that is no receiver's business goes nowhere", () => {
    for (const action of ["key.created", "settings.changed", "record.scheduled", "session.refused", "ping"])
      expect([typeOfAction(action), deliveryOf(event({ action }), ALL)]).toEqual([null, null]);
  });

  it("of an import goes nowhere", () => {
    expect(deliveryOf(event({ facts: '{"version":1,"changed":[],"silent":true}' }), ALL)).toBeNull();
  });

  it("of another model does not go to a webhook that is narrowed to some; one of media does", () => {
    const narrowed = { events: ["*"], models: ["authors", "home"] };
    expect(deliveryOf(event({}), narrowed)).toBeNull();
    expect(deliveryOf(event({ targetModel: null }), narrowed)).toBeNull();
    expect(deliveryOf(event({ targetModel: "collections/authors" }), narrowed)).not.toBeNull();
    expect(deliveryOf(event({ targetModel: "pages/home" }), narrowed)).not.toBeNull();
    expect(
      deliveryOf(event({ action: "model.changed", targetModel: "collections/posts" }), narrowed),
    ).toBeNull();
    expect(deliveryOf(event({ action: "media.created", targetModel: null }), narrowed)).not.toBeNull();
  });

  it("has the lane of its target", () => {
    const laneOf = (row: Partial<EventRow>) => deliveryOf(event(row), ALL)?.lane;
    expect(laneOf({ action: "record.trashed" })).toBe(laneOf({}));
    expect(laneOf({ targetId: "R2" })).not.toBe(laneOf({}));
    expect(laneOf({ targetModel: "collections/authors" })).not.toBe(laneOf({}));
  });
});
