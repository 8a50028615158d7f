/** For requests that a test gives to the app itself: work beside the answer, like a report of metrics, is let go. */
export const BESIDE = {
  waitUntil: (): void => undefined,
  passThroughOnException: (): void => undefined,
  props: {},
};
