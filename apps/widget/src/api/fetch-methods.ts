/**
 * The catalogue of methods: what it is asked with, and under which key its answer is kept. The calls themselves come with the client
 * (`method-calls.ts`), because only an answer needs their schemas.
 */
import type { MethodList, methodsPaymentV5, RequestOf } from '@opencashier/contract/api';
import type { HostPayload } from '@opencashier/contract/host';
import type { Clock } from '@opencashier/core/time/clock';
import type { ApiClient } from './client.ts';
import { onThisDevice } from './device-wallets.ts';
import { insist } from './insist.ts';
import { requestGroup } from './request-group.ts';

/** The experiment whose group the deposit catalogue is asked with (§9), and its group where the host names none. */
const catalogueExperiment = 'analytics-21868';
const defaultExperimentGroup = 'group_a';

/** When the list in the page was fetched, for the cache of answers: so long ago that it is asked for again at once. */
export const drawnAt = 0;

/** What of a session decides which methods there are. */
interface MethodsOf {
  readonly country: string;
  readonly currency: string;
  readonly boxId?: string;
  readonly payload: Pick<HostPayload, 'experiments'>;
}

/**
 * The key under which the methods of a country in a currency are kept. Boot asks for the deposit's before React is there
 * (LIST-1); a screen that uses the same key shares that request.
 */
export function methodsQueryKey(
  direction: 'deposit' | 'withdrawal',
  { country, currency, boxId }: Omit<MethodsOf, 'payload'>,
): readonly (string | undefined)[] {
  return ['methods', direction, country, currency, boxId];
}

/** The body of the first call. Boot and the list screen send the same one (LIST-1). */
export function depositListRequest(session: MethodsOf): RequestOf<typeof methodsPaymentV5> {
  const experiment = session.payload.experiments.find(({ key }) => key === catalogueExperiment);
  return {
    country: session.country,
    currency: session.currency,
    abTestGroup: experiment?.group ?? defaultExperimentGroup,
    boxId: session.boxId,
  };
}

/** Loads the calls of the list and of an amount. */
export function methodCalls(clock: Clock): Promise<typeof import('./method-calls.ts')> {
  return insist(() => import('./method-calls.ts'), clock);
}

/**
 * The methods of a region, as one request group (NET-6).
 *
 * @throws ClientError; RequestTimeout after thirty seconds
 */
export function fetchMethods(
  api: ApiClient,
  clock: Clock,
  direction: 'deposit' | 'withdrawal',
  session: MethodsOf,
  signal: AbortSignal,
): Promise<MethodList> {
  const { country, currency } = session;
  return requestGroup(
    clock,
    async (group) => {
      const { calls } = await methodCalls(clock);
      if (direction === 'withdrawal')
        return api.call(calls.methodsWithdrawal, { country, currency }, { signal: group });
      return onThisDevice(await api.call(calls.methodsPaymentV5, depositListRequest(session), { signal: group }));
    },
    signal,
  );
}
