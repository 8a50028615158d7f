/** Writes the parameters of an image request as a query. */
import type { PictureParameters } from "./parameter.ts";
import { forEachParameter, parametersOf } from "./table.ts";

/** Returns the query with these parameters in the order of the table, without those that are absent. */
export function queryOf(parameters: PictureParameters): URLSearchParams {
  const query = new URLSearchParams();
  forEachParameter(parameters, ({ name, absent, write }, value) => {
    if (value !== absent) query.set(name, write(value));
  });
  return query;
}

/** Returns the equivalent query in the normal form: in a fixed order, and without what makes no difference. */
export const normalQuery = (parameters: PictureParameters): URLSearchParams =>
  queryOf(parametersOf(({ normal }, key) => (normal ? normal(parameters) : parameters[key])));
