/** Wraps a provider, so that the time and the outcome of each of its calls are counted (SRV-9). */
import type { Clock } from '@opencashier/core/time/clock';
import type { Queryable } from '../database/database.ts';
import { measure } from '../observability/measure.ts';
import { kindOf } from './answer-kind.ts';
import type { Provider } from './provider.ts';
import { type ProviderCall, wrapCalls } from './wrapped-provider.ts';

interface MeterPorts {
  readonly database: Pick<Queryable, 'measure'>;
  readonly clock: Pick<Clock, 'now' | 'setTimer'>;
}

/** The longest time that any caller waits. A call without an answer until then counts once, as `no-answer`. ms. */
const LONGEST_CALL_MS = 15_000;

export function meteredProvider(provider: Provider, ports: MeterPorts): Provider {
  return wrapCalls(provider, (call, request) => metered(ports, provider.name, call, request));
}

function metered<Query, Answer>(
  { database, clock }: MeterPorts,
  provider: string,
  call: ProviderCall,
  request: (query: Query) => Promise<Answer>,
): (query: Query) => Promise<Answer> {
  return async (query) => {
    const beganAt = clock.now();
    let isCounted = false;
    const count = (outcome: string): void => {
      if (isCounted) return;
      isCounted = true;
      measure(database, 'providerCalls', { provider, call, outcome }, (clock.now() - beganAt) / 1000);
    };
    const cancel = clock.setTimer(() => count('no-answer'), LONGEST_CALL_MS);
    try {
      const answer = await request(query);
      count(kindOf(answer));
      return answer;
    } catch (error) {
      count('error');
      throw error;
    } finally {
      cancel();
    }
  };
}
