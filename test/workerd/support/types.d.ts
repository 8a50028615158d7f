/// <reference types="@cloudflare/vitest-plugin/types" />

/** The part of Node's module that the limits of a deployed D1 use. */
declare module "node:async_hooks" {
  export class AsyncLocalStorage<Store> {
    run<T>(store: Store, work: () => T): T;
    getStore(): Store | undefined;
  }
}
