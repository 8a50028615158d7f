/** The tools of agents (RULES 19.2), each with the route that it calls. The routes decide what the caller may do. */
import { READING } from "./reading-tools.ts";
import type { Tool } from "./tool.ts";
import { WRITING } from "./writing-tools.ts";

export const TOOLS: readonly Tool[] = [...READING, ...WRITING];
