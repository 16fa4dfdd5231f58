import { methodCalls } from '../../api/fetch-methods.ts';
import type { Services } from '../session/services.tsx';

/** The server's limits of a method (AMT-3). The list may ask for them before the form does. */
export const limitsQuery = ({ api, clock }: Pick<Services, 'api' | 'clock'>, method: string, currency: string) => ({
  queryKey: ['limits', method, currency],
  async queryFn({ signal }: { readonly signal: AbortSignal }) {
    const { calls } = await methodCalls(clock);
    return api.call(calls.depositLimits, { currency, paymentMethod: method }, { signal });
  },
});
