/** Keyset pagination: the condition on the terms of an order under which an item comes after the previous page. */
import { sql, type SQL } from "drizzle-orm";
import type { Scalar } from "../../../content/query/list-query.ts";
import { NULL_VALUE } from "../records/record-index.ts";

/** The position of an item in a list: its value of each term of the order. */
export type Position = (string | number | null)[];

/** One term of an order. The last term is unique, so that items with equal values have an order too. */
export interface Term {
  value: SQL;
  descending: boolean;
}

/**
 * Returns the condition for items after `values`. If all terms have the same direction, it is a comparison of row
 * values, for which the index can start even among equal values. Else the index starts at a redundant bound on the
 * first term.
 */
export function keyset(terms: Term[], values: (Scalar | null)[]): SQL {
  const bound = (index: number): SQL => {
    const value = values[index] ?? null;
    return value === null ? NULL_VALUE : sql`${value}`;
  };
  if (terms.every(({ descending }) => descending === terms[0]?.descending)) {
    const left = sql.join(
      terms.map(({ value }) => value),
      sql`, `,
    );
    const right = sql.join(
      terms.map((_, index) => bound(index)),
      sql`, `,
    );
    return sql`(${left}) ${sql.raw(terms[0]?.descending ? "<" : ">")} (${right})`;
  }
  const from = (index: number): SQL => {
    const { value, descending } = terms[index] as Term;
    const beyond = sql`${value} ${sql.raw(descending ? "<" : ">")} ${bound(index)}`;
    if (index === terms.length - 1) return beyond;
    return sql`(${beyond} OR (${value} = ${bound(index)} AND ${from(index + 1)}))`;
  };
  const [first] = terms as [Term];
  return sql`${first.value} ${sql.raw(first.descending ? "<=" : ">=")} ${bound(0)} AND ${from(0)}`;
}
