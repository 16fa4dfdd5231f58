import { depositLimits } from '@opencashier/contract/api';
import type { Services } from '../session/services.tsx';

/** The server's limits of a method (AMT-3). The list may ask for them before the form does. */
export const limitsQuery = ({ api }: Pick<Services, 'api'>, method: string, currency: string) => ({
  queryKey: ['limits', method, currency],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    api.call(depositLimits, { currency, paymentMethod: method }, { signal }),
});
