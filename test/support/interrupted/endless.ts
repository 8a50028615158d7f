import { it } from "vitest";

it("lasts until it is ended", async () => {
  console.log("The endless test runs");
  await new Promise(() => setInterval(() => undefined, 1000));
});
