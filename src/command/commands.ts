/** The commands, in the order in which `silverprint --help` lists them. A command is a file and a line here. */
import type { Command } from "./form/command.ts";
import { exportCommand } from "./exchange/export.ts";
import { importCommand } from "./importers/import.ts";
import { apply } from "./models/apply.ts";
import { plan } from "./models/plan.ts";
import { pull } from "./models/pull.ts";
import { types } from "./types/types.ts";

export const COMMANDS: readonly Command[] = [pull, plan, apply, types, exportCommand, importCommand];
