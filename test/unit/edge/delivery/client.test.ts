import { describe, expect, it } from "vitest";
import { clientOf } from "../../../../src/edge/delivery/client.ts";

describe("who is charged (RULES 8.3)", () => {
  it.each([
    ["203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:DB8:0001:0002::ffff", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    [null, "unknown"],
  ])("%s is %s", (address, client) => {
    expect(clientOf(address)).toBe(client);
  });
});
