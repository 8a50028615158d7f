/** Where a page of a list begins, as a condition over the terms of its order. */
import { sql, type SQL } from "drizzle-orm";
import type { Scalar } from "../content-model/list-query.ts";
import { NULL_VALUE } from "./record-index.ts";

/** What tells the last item of a page from its neighbours in the order of the list. */
export type Position = (string | number | null)[];

/** One term of an order; the last one tells records with equal values apart. */
export interface Term {
  value: SQL;
  descending: boolean;
}

/**
 * What comes after the last page's end. In one direction it is a comparison of rows, which the index can start at
 * among equal values too; otherwise the redundant first bound is what the index starts at.
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
