/** The other models of a space, as the check of a model asks about them. */
import type { Database } from "../storage/database/database.ts";
import { readComponents, type ComponentRow } from "../storage/models/components.ts";
import { readHolders, type HolderRow } from "../storage/models/holders.ts";
import { missingCollections } from "../storage/models/models.ts";

export interface Surroundings {
  /** Returns those of the names that no collection of the space has. */
  missingCollections: (names: string[]) => Promise<ReadonlySet<string>>;
  components: () => Promise<ComponentRow[]>;
  /** Returns the models that hold a component, directly or inside another one. */
  holdersOf: (component: string) => Promise<HolderRow[]>;
}

/** Returns the models as they are stored. */
export const storedSurroundings = (db: Database, spaceId: string): Surroundings => ({
  missingCollections: (names) => missingCollections(db, spaceId, names),
  components: () => readComponents(db, spaceId),
  holdersOf: (component) => readHolders(db, spaceId, component),
});
