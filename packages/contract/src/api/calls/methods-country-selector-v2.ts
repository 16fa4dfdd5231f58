import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { countrySchema, currencySchema } from '../scalar.ts';

/** Regions for the selector (LIST-3). */
export const methodsCountrySelectorV2 = defineCall({
  name: 'methods-country-selector-v2',
  method: 'GET',
  summary: 'Countries in which the operator offers methods.',
  request: v.object({}),
  response: v.object({
    /** The countries, sorted by name. */
    countries: v.array(
      v.object({
        /** The country. */
        code: countrySchema,
        /** The name of the country in the language of the request. @example "Germany" */
        name: v.string(),
        /** The currencies in which methods are offered there. */
        currencies: v.array(currencySchema),
      }),
    ),
  }),
  retry: true,
  skipsOddItems: true,
});
