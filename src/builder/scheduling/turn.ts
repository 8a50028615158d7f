/** Gives the event loop a turn, so that other requests of the isolate are answered during a build. */
export type Turn = () => Promise<void>;

/**
 * In workerd this costs what `setTimeout(0)` does, about 0.8 ms, and as with that others get their turn: a message
 * of a MessageChannel is handled before them. In Node it does not wait for the next millisecond, as timers do.
 */
export const turn: Turn = () => new Promise((resolve) => setImmediate(resolve));
