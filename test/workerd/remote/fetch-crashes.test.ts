/** Remote pictures after an interrupted fetch, a failed query or the removal of their space. */
import { describe, expect, it } from "vitest";
import { DAY_MS, REMOTE } from "../../../src/limits.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { useRemoteSite } from "../support/remote/site.ts";
import { breakBinding, queueOf } from "../support/queue.ts";
import { bindings } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";
import { gifOf } from "../support/uploads.ts";

cleanBetweenTests();
const site = useRemoteSite();

describe("what a crash leaves (RULES 10.1)", () => {
  it("between the bytes and the row is removed by the sweep", async () => {
    site.origin.file("/a.gif", gifOf(100));
    await bindings.DB.prepare(
      "CREATE TRIGGER no_row BEFORE INSERT ON remotes BEGIN SELECT RAISE(ABORT, 'down'); END",
    ).run();
    try {
      await site.ask("/a.gif", "w=64");
      await eventually(async () => {
        await queueOf(site.client.space).wake();
        expect(await site.fetches()).toBe(1);
      });
    } finally {
      await bindings.DB.prepare("DROP TRIGGER no_row").run();
    }
    const stored = await bindings.BUCKET.list();
    expect(stored.objects).toHaveLength(REMOTE.lossesMax);
    await runSweep(Date.now() + 2 * DAY_MS);
    expect((await bindings.BUCKET.list()).objects).toHaveLength(0);
    expect(await bindings.DB.prepare("SELECT * FROM doomed_objects").all()).toMatchObject({ results: [] });
  });

  it("a row has its bytes for as long as it stands", async () => {
    site.origin.file("/a.gif", gifOf(100));
    await site.warm("/a.gif");
    await bindings.DB.prepare("UPDATE remotes SET asked_at = ?")
      .bind(Date.now() + 3 * DAY_MS)
      .run();
    const { results } = await bindings.DB.prepare("SELECT space_id, id FROM remotes").all<{
      space_id: string;
      id: string;
    }>();
    const key = `m/${results[0]?.space_id}/${results[0]?.id}/1/master.gif`;
    await bindings.DB.prepare("INSERT INTO doomed_objects (key, due_at) VALUES (?, 1)").bind(key).run();
    await runSweep(Date.now() + 2 * DAY_MS);
    expect(await bindings.BUCKET.head(key)).not.toBeNull();
  });

  it("a variant of a removed picture gets no row", async () => {
    site.origin.file("/a.gif", gifOf(100));
    await site.warm("/a.gif");
    await runSweep(Date.now() + 31 * DAY_MS);
    const rows = await bindings.DB.prepare("SELECT 1 FROM variants UNION ALL SELECT 1 FROM remotes").all();
    expect(rows.results).toHaveLength(0);
    await runSweep(Date.now() + 32 * DAY_MS);
    expect((await bindings.BUCKET.list()).objects).toHaveLength(0);
    expect(await site.usage()).toMatchObject({ pictures: 0, bytes: 0 });
  });

  it("the storage of a removed space is emptied", async () => {
    site.origin.file("/a.gif", gifOf(100));
    await site.warm("/a.gif");
    const { name } = site.client.space;
    await site.client.call("DELETE", "", { confirm: name });
    for (let run = 1; run <= 3; run++) await runSweep(Date.now() + run * DAY_MS);
    expect((await bindings.BUCKET.list()).objects).toHaveLength(0);
    expect(
      (await bindings.DB.prepare("SELECT 1 FROM remotes UNION ALL SELECT 1 FROM spaces").all()).results,
    ).toEqual([]);
  });

  it("a D1 that is down for a moment costs no fetch its picture", async () => {
    site.origin.file("/a.gif", gifOf(100));
    await site.ask("/none.gif", "w=64");
    await breakBinding(site.client.space, "DB", "batch");
    await site.warm("/a.gif");
  });
});
