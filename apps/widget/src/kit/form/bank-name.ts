import { bankGet } from '@opencashier/contract/api';
import { useEffect, useState } from 'react';
import { ClientError } from '../../api/client.ts';
import { useServices } from '../session/services.tsx';
import { binOf } from './field-kind.ts';

/** The widget asks once the user has not typed for this long. */
const QUIET_MS = 300;

/** The bank of a card by its first digits (FORM-12). It is a hint: nothing waits for it, and a failure is only measured. */
export function useBankName(method: string, number: string | undefined): string | undefined {
  const { api, clock, metric } = useServices();
  const [found, setFound] = useState<{ readonly bin: string; readonly name: string | undefined }>();
  const bin = binOf(number ?? '');
  useEffect(() => {
    if (bin === undefined) return;
    const aborter = new AbortController();
    const stopTimer = clock.setTimer(() => {
      api.call(bankGet, { payment_method: method, bin }, { signal: aborter.signal }).then(
        ({ bank }) => setFound({ bin, name: bank?.name }),
        (error: unknown) => {
          if (error instanceof ClientError) metric('bank-get.failed', error.code);
        },
      );
    }, QUIET_MS);
    return () => {
      stopTimer();
      aborter.abort();
    };
  }, [api, clock, metric, method, bin]);
  // The bank of the first six digits is shown while the widget asks about eight.
  return found !== undefined && bin?.startsWith(found.bin) ? found.name : undefined;
}
