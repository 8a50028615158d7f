/** A stored answer, thrown by what claims an Idempotency-Key: the request has been done, and no handler goes on. */
export class Replay extends Error {
  override readonly name = "Replay";
  readonly response: Response;

  constructor(response: Response) {
    super("The request was answered before.");
    this.response = response;
  }
}
