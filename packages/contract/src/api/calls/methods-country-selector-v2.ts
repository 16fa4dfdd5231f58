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
    countries: v.array(v.object({ code: countrySchema, name: v.string(), currencies: v.array(currencySchema) })),
  }),
  retry: true,
  skipsOddItems: true,
});
