/** The parts of the package `oidc-provider`, which has no types of its own, that tests use. */
declare module "oidc-provider" {
  import type { Server } from "node:http";

  export default class Provider {
    constructor(issuer: string, configuration: object);
    /** Adds a step to each answer. */
    use(step: (context: { body: unknown }, next: () => Promise<void>) => Promise<void>): unknown;
    listen(port: number): Server;
  }
}
