/** The circumstances of an import: its space, its models in memory, and its limits. */
import { localesIn } from "../../../content/locales/locales.ts";
import { modelOf, type Model } from "../../../content/model/model.ts";
import { EXCHANGE } from "../../../limits.ts";
import type { Space } from "../../spaces/authorize.ts";
import { budgetOf } from "../../spaces/pattern-turns.ts";
import type { StepBudget } from "../../../content/patterns/step-budget.ts";
import type { Database, QueryCount } from "../../storage/database/database.ts";
import type { Origin } from "../../storage/events/actor.ts";
import { eventStatement } from "../../storage/events/events.ts";
import { allModels } from "../../storage/exchange/read.ts";
import { readSpaceById } from "../../storage/spaces/spaces.ts";
import { notFound } from "../../../errors.ts";
import { exchangeScope, withLocales } from "../locales.ts";
import type { Report } from "./report.ts";

type EventStatement = typeof eventStatement;

/** A line with its number in the body. */
export interface Numbered<Line> {
  n: number;
  line: Line;
}

export class ImportContext {
  readonly db: Database;
  readonly origin: Origin;
  readonly report: Report;
  readonly isOverwriting: boolean;
  readonly now: () => number;
  readonly #queries: QueryCount;
  space: Space;
  #models: Map<string, Model> | null = null;

  constructor(given: {
    db: Database;
    space: Space;
    origin: Origin;
    report: Report;
    isOverwriting: boolean;
    now: () => number;
    queries: QueryCount;
  }) {
    this.db = given.db;
    this.space = given.space;
    this.origin = { ...given.origin, isImport: true };
    this.report = given.report;
    this.isOverwriting = given.isOverwriting;
    this.now = given.now;
    this.#queries = given.queries;
  }

  /** Returns a model of the space, with all locales; null if there is none. */
  async model(typeModel: string, name: string): Promise<Model | null> {
    if (!this.#models) {
      const scope = exchangeScope(localesIn(this.space.locales));
      const rows = await allModels(this.db, this.space.id);
      this.#models = new Map(
        rows.map((row) => [`${row.typeModel}/${row.name}`, withLocales(modelOf(row), scope)]),
      );
    }
    return this.#models.get(`${typeModel}/${name}`) ?? null;
  }

  /** Reads the space and its models again. @throws ApiError NOT_FOUND */
  async refresh(): Promise<void> {
    const space = await readSpaceById(this.db, this.space.id);
    if (!space) throw notFound("The space");
    this.space = space;
    this.#models = null;
  }

  /** Returns the event of a batch that writes the lines of these ids. By default the batch fails without its change. */
  event(ids: readonly string[], condition?: Parameters<EventStatement>[4]): ReturnType<EventStatement> {
    const target = { kind: "import", id: this.space.name } as const;
    const line = { action: "import.created", target, facts: { ids } } as const;
    return eventStatement(this.space.id, this.origin, this.now(), line, condition);
  }

  /** Returns the steps that the patterns of one line may take. */
  budget(): StepBudget {
    return budgetOf(this.space.id);
  }

  /** Whether this request may make no further queries. */
  get isSpent(): boolean {
    return this.#queries.queries >= EXCHANGE.queriesMax;
  }

  /** Lists lines that this request has no queries left for. */
  leave(lines: readonly { n: number }[]): void {
    for (const { n } of lines)
      this.report.refuse(
        n,
        "",
        "was not looked at: this request has used up its queries. Send the line again",
      );
  }
}
