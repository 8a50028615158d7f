/** The part of the Workers' output that a local start prints. */
import { expect, it } from "vitest";
import { workerOutput } from "../../../../scripts/start/output.ts";

function taken(isWhole: boolean): { printed: string[]; tail: string } {
  const printed: string[] = [];
  const output = workerOutput("edge", isWhole, (line) => printed.push(line));
  output.take("a warning\n\nof two lines\n", false);
  output.take('{"event":"request"}', false);
  output.take('{"event":"build"}', false);
  output.take('{"event":"error"}\nthe runtime ended', true);
  return { printed, tail: output.tail() };
}

it("prints only errors, unless requests are logged", () => {
  expect(taken(false).printed).toEqual(['[edge] {"event":"error"}', "[edge] the runtime ended"]);
  expect(taken(true).printed).toHaveLength(6);
});

it("keeps the last lines in case a Worker ends", () => {
  expect(taken(false).tail.split("\n")).toHaveLength(6);
  const output = workerOutput("edge", false, () => undefined);
  output.take(Array.from({ length: 100 }, (_, line) => `line ${line}`).join("\n"), false);
  const kept = output.tail().split("\n");
  expect(kept).toHaveLength(60);
  expect(kept.at(-1)).toBe("[edge] line 99");
});
