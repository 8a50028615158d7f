/** The path to which agents post their messages, each of which calls another route. */
const PATH = /^\/api\/v1\/[^/]+\/mcp$/;

/** Returns whether requests to this path change nothing by themselves: the routes that they call count their changes. */
export const isAgentPath = (path: string): boolean => PATH.test(path);
