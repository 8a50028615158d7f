/** `silverprint import`. */
import { choice, defineCommand, flag, value } from "../form/command.ts";
import { Failure } from "../base/failure.ts";
import { SYSTEMS } from "./site.ts";

export const importCommand = defineCommand({
  name: "import",
  summary: "bring in an export or a backup of a space, or a site of Contentful, Sanity, Strapi or WordPress",
  description:
    "Without --from, takes the folder of `silverprint export`: ids, times, drafts, schedules and histories are kept, a second " +
    "run changes nothing, and lines that differ from the space are listed as DIFFERS and left. " +
    "With --backup, takes a backup of the service in the same way; with the root token as key, one of any space. " +
    "With --from, reads the export of another system and puts its models, pictures and records into a space. First it prints the " +
    "models that it makes, and everything that is lost. A run that was broken off goes on where it stopped.",
  args: [
    {
      name: "file",
      description: "the folder of an export, or the export of the other system",
      isRequired: false,
    },
  ],
  options: {
    from: choice("system", "the system that the file comes from", SYSTEMS),
    backup: value("id", "the backup to restore; its id is in GET /api/v1/{space}/backups"),
    dryRun: flag("with --from: print the models and the losses, and write nothing"),
    allowPrivate: flag(
      "with --from: also fetch files from this machine and private networks, as the export names them",
    ),
    overwrite: flag("without --from: write what differs as a new version"),
  },
  examples: [
    { line: "import backup-2026-11", does: "puts an export into the space" },
    { line: "import --backup 01K…", does: "restores a backup into the space" },
    {
      line: "import --from wordpress site.xml --dry-run",
      does: "shows what would become of a WordPress site",
    },
    { line: "import --from contentful export.json", does: "brings in a Contentful space" },
  ],
  run: async (context) => {
    const { args, options } = context;
    const { from: system, backup } = options;
    if (options.dryRun && system === undefined)
      throw new Failure("--dry-run is for --from: an export or a backup is imported as it is.", {
        next: "Leave it out. Without --overwrite, nothing that the space has is changed.",
      });
    if (options.allowPrivate && system === undefined)
      throw new Failure("--allow-private is for --from: an export or a backup has its files with it.", {
        next: "Leave it out.",
      });
    if (options.overwrite && system !== undefined)
      throw new Failure("--overwrite is for exports and backups, not for --from.", {
        next: "Leave it out. A record that was changed in the space since an earlier run is left as it is.",
      });
    if (backup !== undefined) {
      if (args["file"] !== undefined || system !== undefined)
        throw new Failure("--backup takes no file and no --from.", { next: "Leave them out." });
      const { importBackup } = await import("../exchange/backup.ts");
      return importBackup(context, { id: backup, isOverwriting: options.overwrite });
    }
    if (args["file"] === undefined)
      throw new Failure("The file or folder is missing.", {
        next: "Give the folder of an export, a file with --from, or --backup.",
      });
    if (system === undefined) {
      const { importFolder } = await import("../exchange/import.ts");
      return importFolder(context, { dir: args["file"], isOverwriting: options.overwrite });
    }
    const { importFrom } = await import("./import-from.ts");
    const { dryRun: isDryRun, allowPrivate: isPrivateAllowed } = options;
    return importFrom(context, { system, file: args["file"], isDryRun, isPrivateAllowed });
  },
});
