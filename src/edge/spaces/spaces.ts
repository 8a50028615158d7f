/** Spaces: made, listed, renamed, removed (completion §2). */
import { and, desc, eq, isNull, lt, sql } from "drizzle-orm";
import { ulid } from "ulid";
import { spaceNames, spaces } from "../../../schema/tables.ts";
import { ApiError, notFound } from "../../errors.ts";
import { TRASH } from "../../limits.ts";
import type { Database } from "../storage/database.ts";
import type { Space } from "./authorize.ts";
import type { Quality } from "../../image/model/variant.ts";

export interface SpaceSettings {
  adaptiveLoading: boolean;
  compression: boolean;
  quality: Quality;
}

export interface NewSpace {
  name: string;
  tenantId?: string | undefined;
  plan?: { trashRetentionDays?: number | undefined } | undefined;
}

export const settingsOf = (space: Space): SpaceSettings => ({
  adaptiveLoading: space.adaptiveLoading,
  compression: space.compression,
  quality: space.quality as Quality,
});

export const spaceView = (space: Space): Record<string, unknown> => ({
  id: space.id,
  name: space.name,
  tenantId: space.tenantId,
  plan: { trashRetentionDays: space.trashRetentionDays },
  settings: settingsOf(space),
  createdAt: new Date(space.createdAt).toISOString(),
});

/** D1 says so in words only: no code reaches the Worker. */
export const isUniqueViolation = (error: unknown): boolean => {
  for (let e = error; e instanceof Error; e = e.cause)
    if (e.message.includes("UNIQUE constraint failed")) return true;
  return false;
};

const nameTaken = (names: string[]): ApiError =>
  new ApiError("CONFLICT", `A space already has, or had, this name or tenant id: ${names.join(", ")}.`);

/** @throws ApiError CONFLICT when the name or tenant id is, or was, another space's */
export async function createSpace(db: Database, input: NewSpace, now: number): Promise<Space> {
  const space: Space = {
    id: ulid(now),
    name: input.name,
    tenantId: input.tenantId ?? null,
    trashRetentionDays: input.plan?.trashRetentionDays ?? TRASH.retentionDefaultDays,
    adaptiveLoading: true,
    compression: true,
    quality: 80,
    createdAt: now,
    removedAt: null,
  };
  const names = [...new Set([space.name, ...(space.tenantId ? [space.tenantId] : [])])];
  try {
    await db.batch([
      db.insert(spaces).values(space),
      db.insert(spaceNames).values(names.map((name) => ({ name, spaceId: space.id }))),
    ]);
  } catch (error) {
    if (isUniqueViolation(error)) throw nameTaken(names);
    throw error;
  }
  return space;
}

/** Newest first, `limit` at most, from below `beforeId`. */
export async function listSpaces(db: Database, limit: number, beforeId: string | null): Promise<Space[]> {
  const below = beforeId === null ? undefined : lt(spaces.id, beforeId);
  return db
    .select()
    .from(spaces)
    .where(and(isNull(spaces.removedAt), below))
    .orderBy(desc(spaces.id))
    .limit(limit);
}

/**
 * Renames a space or changes its plan. Every earlier name stays its own on the image endpoint.
 * @throws ApiError CONFLICT when the name belongs, or belonged, to another space
 */
export async function changeSpace(
  db: Database,
  space: Space,
  change: { name?: string | undefined; plan?: { trashRetentionDays?: number | undefined } | undefined },
): Promise<Space> {
  const name = change.name ?? space.name;
  const trashRetentionDays = change.plan?.trashRetentionDays ?? space.trashRetentionDays;
  // The first statement takes the name, the second keeps it only if it is this space's.
  const [, updated] = await db.batch([
    db.insert(spaceNames).values({ name, spaceId: space.id }).onConflictDoNothing(),
    db
      .update(spaces)
      .set({ name, trashRetentionDays })
      .where(
        and(
          eq(spaces.id, space.id),
          isNull(spaces.removedAt),
          sql`EXISTS (SELECT 1 FROM space_names n WHERE n.name = ${name} AND n.space_id = ${space.id})`,
        ),
      )
      .returning(),
  ]);
  if (updated[0]) return updated[0];
  throw nameTaken([name]);
}

/** Takes the space out of sight and frees its names; the sweep removes what it held. */
export async function removeSpace(db: Database, space: Space, now: number): Promise<void> {
  const [removed] = await db.batch([
    db
      .update(spaces)
      .set({ removedAt: now })
      .where(and(eq(spaces.id, space.id), isNull(spaces.removedAt)))
      .returning(),
    db.delete(spaceNames).where(eq(spaceNames.spaceId, space.id)),
  ]);
  if (removed.length === 0) throw notFound("The space");
}

/** Fields left out stay as they are. */
export async function changeSettings(
  db: Database,
  space: Space,
  change: { [Name in keyof SpaceSettings]?: SpaceSettings[Name] | undefined },
): Promise<Space> {
  const { adaptiveLoading = space.adaptiveLoading, compression = space.compression } = change;
  const quality = change.quality ?? space.quality;
  const [updated] = await db
    .update(spaces)
    .set({ adaptiveLoading, compression, quality })
    .where(and(eq(spaces.id, space.id), isNull(spaces.removedAt)))
    .returning();
  if (!updated) throw notFound("The space");
  return updated;
}
