/** Memories that have grown, and what is done about them. */
import { describe, expect, it } from "vitest";
import { BuildMemory } from "../../../../src/builder/memory/build-memory.ts";
import { INITIAL_MEMORY } from "../../../../src/image/memory/isolate.ts";
import { MEGABYTE_BYTES } from "../../../../src/limits.ts";

const NONE = { arena: 0, resampler: 0, rowCodec: 0 };

function grown(): BuildMemory {
  const memory = new BuildMemory();
  memory.arena.canvas(40 * MEGABYTE_BYTES);
  memory.clear();
  return memory;
}

describe("a memory that has grown beyond what is planned", () => {
  it("is dropped for a new one, and counted until it was collected", () => {
    const memory = grown();
    const { arena } = memory.memoryBytes;
    expect(arena).toBeGreaterThan(40 * MEGABYTE_BYTES);
    const room = memory.roomBytes;
    memory.renewGrown(NONE);
    expect(memory.memoryBytes).toEqual(INITIAL_MEMORY);
    expect(memory.droppedBytes).toBe(arena);
    expect(memory.roomBytes).toBe(room - INITIAL_MEMORY.arena);
  });

  it("is kept where the plan needs as much, and where it is as small as can be", () => {
    const memory = grown();
    memory.renewGrown({ ...NONE, arena: memory.memoryBytes.arena });
    expect(memory.droppedBytes).toBe(0);
    const small = new BuildMemory();
    small.renewGrown(NONE);
    expect([small.droppedBytes, small.memoryBytes]).toEqual([0, INITIAL_MEMORY]);
  });

  it("is used again where that gives room, and dropped for it is the new one", () => {
    const memory = grown();
    const { arena } = memory;
    memory.renewGrown(NONE);
    expect(memory.restoreArena(() => memory.arena === arena)).toBe(true);
    expect(memory.arena).toBe(arena);
    expect(memory.droppedBytes).toBe(INITIAL_MEMORY.arena);
  });

  it("stays dropped where it gives no room", () => {
    const memory = grown();
    memory.renewGrown(NONE);
    const [{ arena }, { droppedBytes }] = [memory, memory];
    expect(memory.restoreArena(() => false)).toBe(false);
    expect([memory.arena, memory.droppedBytes]).toEqual([arena, droppedBytes]);
  });
});
