/** The answer of the service, or its error, as an exception. */
import { SilverprintError } from "../../client/index.ts";

interface Answer<Body> {
  data?: Body | undefined;
  error?: unknown;
  response: Response;
}

/** The service was not reached, or the connection broke. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";

  constructor(cause: unknown) {
    super("The service does not answer. Check the connection and try again.", { cause });
  }
}

type ErrorPart = ConstructorParameters<typeof SilverprintError>[1];

const errorPart = (body: unknown): ErrorPart =>
  typeof body === "object" && body !== null && "error" in body ? (body.error as ErrorPart) : {};

/** @throws SilverprintError for an answer of 400 and above, Unreachable when there is none */
export async function answered<Body>(call: Promise<Answer<Body>>): Promise<Body> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    throw cause instanceof SilverprintError ? cause : new Unreachable(cause);
  });
  if (!response.ok) throw new SilverprintError(response.status, errorPart(error));
  return data as Body;
}
