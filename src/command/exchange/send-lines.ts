/** Sends lines of an import until the service has looked at each of them. */
import { EXCHANGE_TYPE, type ImportResult, type RefusedLine } from "../../exchange/lines.ts";
import { releaseMemory, REQUEST_BYTES } from "../base/memory.ts";
import type { Service } from "../service/service.ts";

/** The end of the message about a line that was not taken, but may be in a further request. */
const AGAIN = "Send the line again";
/** Requests in a row that take no line, and after which the rest counts as refused. */
const STUCK_MAX = 3;

/**
 * Yields the result of each request: what it has taken, and the lines that are refused for good, counted from 1 in `texts`.
 * @throws Failure when the service refuses a request as a whole
 */
export async function* sendLines(
  service: Service,
  texts: readonly string[],
  isOverwriting: boolean,
): AsyncGenerator<ImportResult> {
  let left = texts.map((text, index) => ({ text, line: index + 1 }));
  for (let stuck = 0; left.length > 0;) {
    const sent = left;
    const body = sent.map(({ text }) => text).join("\n");
    const { data } = await service.json<{ data: ImportResult }>("POST", "/import", {
      query: isOverwriting ? { overwrite: true } : {},
      body,
      headers: { "Content-Type": EXCHANGE_TYPE },
      isRepeatable: true,
    });
    // After each request: the service may look at few lines of each, and the rest is sent again and again.
    releaseMemory(REQUEST_BYTES + Buffer.byteLength(body));
    const isAgain = ({ message }: RefusedLine): boolean => message.endsWith(AGAIN);
    const again = data.refused.filter(isAgain);
    stuck = again.length === sent.length ? stuck + 1 : 0;
    const isGivenUp = stuck >= STUCK_MAX;
    const refused = data.refused
      .filter((one) => isGivenUp || !isAgain(one))
      .map((one) => ({ ...one, line: sent[one.line - 1]?.line ?? one.line }));
    yield { ...data, refused };
    left = isGivenUp ? [] : again.flatMap(({ line }) => sent[line - 1] ?? []);
  }
}
