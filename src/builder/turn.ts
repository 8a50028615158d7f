/** Gives the event loop a turn, so that other requests of the isolate are answered during a build. */
export type Turn = () => Promise<void>;

export const turn: Turn = () => new Promise((resolve) => setTimeout(resolve, 0));
