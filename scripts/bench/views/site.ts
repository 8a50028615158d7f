/**
 * The spaces with the pictures: 12 megapixels each, with their presets built. By default, there is one space. Several have
 * sizes by Zipf and are made one after the other, each when those before it have their pictures. Each comes to the
 * database that the service itself would choose.
 */
import { emptiestShard } from "../../../src/edge/shards/sizes.ts";
import { ENCODER_VERSION, masterKey, variantFile, variantKey } from "../../../src/image/model/variant.ts";
import { PRESET_WIDTH_PIXELS } from "../../../src/limits.ts";
import { jpegFacts } from "../../samples/facts.ts";
import { randomOf } from "../../samples/random.ts";
import type { D1Storage } from "./simulated-d1.ts";
import { SimulatedR2 } from "./simulated-r2.ts";
import { zipf } from "./traffic.ts";

export const ROOT_TOKEN = "root-of-the-simulation-of-views-01";
/** The query that the site's pages use. */
export const WIDTH = PRESET_WIDTH_PIXELS.large;

const ULID_LENGTH = 26;
/** Returns an id in the alphabet of ULIDs: digits and letters without I, L, O and U. */
const ulidOf = (start: string, number: number): string =>
  start + String(number).padStart(ULID_LENGTH - start.length, "0");

const spaceIdOf = (number: number): string => ulidOf("0S", number);
export const idOf = (number: number): string => ulidOf("0M", number);

const PRESETS = Object.values(PRESET_WIDTH_PIXELS).flatMap((width) =>
  (["avif", "webp"] as const).map((format) => variantFile({ width, format, quality: 80 })),
);

const addressOf = (spaceId: string, mediaId: string) => ({ spaceId, mediaId, version: 1 });

/** Returns the key of the AVIF variant in the size that most visitors get. */
export const keyOfVariant = ({ id, space }: SitePicture): string =>
  variantKey(addressOf(space.id, id), variantFile({ width: WIDTH, format: "avif", quality: 80 }));

export interface SiteSpace {
  id: string;
  name: string;
  /** The number of its database. */
  shard: number;
}

export interface SitePicture {
  id: string;
  space: SiteSpace;
  /** Milliseconds. */
  trashedAt: number | null;
}

const YEAR_MS = 365 * 86_400_000;

export interface SiteOptions {
  pictures: number;
  spaces: number;
  now: number;
  /** Whether spaces are moved until the databases have about the same bytes. */
  isEvened: boolean;
}

/** The bytes of a database on average, once all spaces are there. */
const HALF_FULL_BYTES = 5e9;
/** A move is not worth it if it leaves more of the difference between two databases. */
const LEFT_UNEVEN = 0.95;

/** Returns the bytes of each database. */
const sumsOf = (bytes: readonly number[], shards: readonly number[], databases: number): number[] =>
  Array.from({ length: databases }, (_, shard) =>
    bytes.reduce((sum, own, age) => sum + (shards[age] === shard ? own : 0), 0),
  );

/** Returns the database of each space, as `POST /api/v1/spaces` chooses it when those before it have their bytes. */
function placed(bytes: readonly number[], databases: number): number[] {
  const shards: number[] = [];
  for (let age = 0; age < bytes.length; age++) {
    const walked = sumsOf(bytes, shards, databases).map((sum, shard) => {
      const spaces = shards.filter((other) => other === shard).length;
      return { shard, ok: true as const, value: { bytes: sum, spaces } };
    });
    shards.push(emptiestShard(walked) ?? 0);
  }
  return shards;
}

/**
 * Moves spaces from the fullest database to the emptiest while that makes the two more even, as an operator does who reads
 * the sizes. @returns how many moves it takes
 */
function evenOut(bytes: readonly number[], shards: number[], databases: number): number {
  for (let moves = 0; ; moves++) {
    const sums = sumsOf(bytes, shards, databases);
    const [most, fewest] = [Math.max(...sums), Math.min(...sums)];
    const [full, empty] = [sums.indexOf(most), sums.indexOf(fewest)];
    const gap = (age: number): number => Math.abs(most - fewest - 2 * (bytes[age] ?? 0));
    const [best] = shards
      .flatMap((shard, age) => (shard === full ? [age] : []))
      .sort((a, b) => gap(a) - gap(b));
    if (best === undefined || gap(best) > (most - fewest) * LEFT_UNEVEN) return moves;
    shards[best] = empty;
  }
}

export class Site {
  /** The moves of spaces that evened out the databases. */
  readonly moves: number = 0;
  readonly #storages: readonly D1Storage[];
  readonly #bucket: SimulatedR2;
  readonly #spaces: readonly SiteSpace[];
  /** Ordered by their number of views. */
  readonly #byRank: SitePicture[] = [];
  #made = 0;

  /** @param storages the databases by their numbers */
  constructor(
    storages: readonly D1Storage[],
    bucket: SimulatedR2,
    { pictures, spaces, now, isEvened }: SiteOptions,
  ) {
    this.#storages = storages;
    this.#bucket = bucket;
    const random = randomOf(32);
    const draw = zipf(spaces, random);
    /** The age of each space by its size, with which it has nothing to do. */
    const ages = Array.from({ length: spaces }, (_, age) => ({ age, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ age }) => age);
    const owners = Array.from({ length: pictures }, () => ages[draw()] ?? 0);
    const bytes = Array.from({ length: spaces }, (_, age) => {
      const share = owners.filter((owner) => owner === age).length / pictures;
      return share * storages.length * HALF_FULL_BYTES;
    });
    const shards = placed(bytes, storages.length);
    if (isEvened) this.moves = evenOut(bytes, shards, storages.length);
    this.#spaces = shards.map((shard, age) => this.#found(age, shard, now));
    for (const owner of owners) this.#byRank.push(this.#make(this.#spaces[owner] as SiteSpace, now));
  }

  at(rank: number): SitePicture {
    return this.#byRank[rank] as SitePicture;
  }

  /** Returns the number of a space's database. */
  shardOf(spaceId: string): number {
    return this.#spaces.find(({ id }) => id === spaceId)?.shard ?? 0;
  }

  /** Adds a picture with its presets. It replaces another picture of the space, which gets no more views. */
  upload(rank: number, now: number): void {
    this.#byRank[rank] = this.#make(this.at(rank).space, now);
  }

  #found(number: number, shard: number, now: number): SiteSpace {
    const name = number === 0 ? "site" : `site-${number}`;
    const space = { id: spaceIdOf(number + 1), name, shard };
    this.#insert(shard, "spaces", { id: space.id, name, trash_retention_days: 30, created_at: now });
    for (const database of new Set([0, shard]))
      this.#insert(database, "space_names", { name, space_id: space.id });
    if (this.#storages.length > 1) this.#insert(0, "space_places", { space_id: space.id, shard });
    return space;
  }

  #make(space: SiteSpace, now: number): SitePicture {
    const { shard } = space;
    const id = idOf(++this.#made);
    const file = "master.jpg";
    const size_bytes = SimulatedR2.sizeBytes;
    this.#insert(shard, "media", {
      ...{ id, space_id: space.id, filename: "photo.jpg", master_version: 1, last_version: 1 },
      ...{ created_at: now, updated_at: now, mime: "image/jpeg", width: 4000, height: 3000, animated: 0 },
      // As an upload writes it. Otherwise the sweep would write it.
      folded: '["photo.jpg",""]',
      words: '["photo jpg",""]',
    });
    this.#insert(shard, "masters", {
      ...{ media_id: id, version: 1, space_id: space.id, file, size_bytes, sha256: "", created_at: now },
      facts: JSON.stringify(jpegFacts(4000, 3000)),
      placeholder_tries: null,
    });
    this.#bucket.hold(masterKey(addressOf(space.id, id), file));
    for (const variant of PRESETS) {
      this.#insert(shard, "variants", {
        ...{ media_id: id, version: 1, file: variant, space_id: space.id, encoder_version: ENCODER_VERSION },
        ...{ size_bytes, created_at: now, expires_at: now + YEAR_MS },
      });
      this.#bucket.hold(variantKey(addressOf(space.id, id), variant));
    }
    return { id, space, trashedAt: null };
  }

  #insert(shard: number, table: string, row: Record<string, string | number | null>): void {
    const names = Object.keys(row);
    const sql = `INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => "?").join()})`;
    const { primary, replica } = this.#storages[shard] as D1Storage;
    for (const store of [primary, replica]) store.run({ sql, values: Object.values(row) });
  }
}
