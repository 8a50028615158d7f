/** Makes placeholders as the queue orders them. */
import { takePlaceholder } from "../../../scripts/harness/builds.ts";
import type { MasterFacts } from "../../../src/image/model/facts.ts";
import { planPlaceholder } from "../../../src/image/plan/plan-placeholder.ts";
import { placeholderOrderFor } from "../../../src/image/protocol/order.ts";
import type { PlaceholderAnswer, PlaceholderOrder } from "../../../src/image/protocol/placeholder.ts";
import { probe } from "../../../scripts/harness/probe-run.ts";

/** @throws Error when there is no plan */
export function placeholderOrder(file: Uint8Array, facts: MasterFacts = probe(file)): PlaceholderOrder {
  const plan = planPlaceholder(facts, file.length);
  if (!plan.ok) throw new Error(plan.reason);
  return placeholderOrderFor(facts, file.length, plan);
}

export const placeholderAnswer = (
  file: Uint8Array,
  order = placeholderOrder(file),
): Promise<PlaceholderAnswer> => takePlaceholder(order, file);

/** @throws Error when the answer is not a placeholder */
export async function placeholderOf(
  file: Uint8Array,
  order = placeholderOrder(file),
): Promise<Extract<PlaceholderAnswer, { ok: true }>> {
  const answer = await placeholderAnswer(file, order);
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  return answer;
}
