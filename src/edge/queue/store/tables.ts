/** The tables of a space's queue. */

/**
 * Rows stay readable by newer code: columns are added (turns-sql.ts adds two to `jobs`), and the request of a job is
 * JSON in `request`.
 */
export const TABLES = `
  CREATE TABLE IF NOT EXISTS jobs (
    seq INTEGER PRIMARY KEY,              -- the order of admission
    key TEXT NOT NULL UNIQUE,
    lane TEXT NOT NULL,                   -- 'light' or 'heavy', or 'idle' for what nobody waits for
    request TEXT NOT NULL,                -- StoredRequest
    attempts INTEGER NOT NULL DEFAULT 0,  -- counted before each call of the builder
    room INTEGER NOT NULL DEFAULT 0,      -- the builder's room called last, and to be called first
    retry_at INTEGER NOT NULL DEFAULT 0,  -- passed over until then
    busy_since INTEGER,                   -- no room has had place since
    lease_owner TEXT,                     -- the instance that runs it; null while it waits
    lease_until INTEGER
  );
  CREATE TABLE IF NOT EXISTS budgets (
    owner TEXT PRIMARY KEY,               -- 'space', or 'client:' and the address
    started_at INTEGER NOT NULL,          -- the first charge of the window
    used INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS outcomes (
    key TEXT PRIMARY KEY,
    state TEXT NOT NULL,                  -- 'built' or 'failed'
    reason TEXT NOT NULL,
    until INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS bookkeeping (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    lights_in_a_row INTEGER NOT NULL DEFAULT 0,
    tidy_at INTEGER                       -- when past rows are to be removed; null while there are none
  );
  INSERT OR IGNORE INTO bookkeeping (id) VALUES (1);
  CREATE TABLE IF NOT EXISTS idle_work (  -- no row while there is none
    id INTEGER PRIMARY KEY CHECK (id = 1),
    space_id TEXT NOT NULL,
    due_at INTEGER NOT NULL               -- when to look for it, unless something else is to be done
  );`;
