import { methodsCountrySelectorV2 } from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';

/** Countries in which the operator offers methods (LIST-3). */
export const methodsCountrySelectorV2Handler = answer(
  methodsCountrySelectorV2,
  async (_request, { caller }, { catalogue }) => ({
    countries: catalogue
      .countries(caller.operatorId)
      .map(({ code, name, currencies }) => ({ code, name, currencies: [...currencies] })),
  }),
);
