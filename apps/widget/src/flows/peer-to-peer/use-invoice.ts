import { statusOfCode } from '@opencashier/core/transaction/status';
import { useEffect, useState } from 'react';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import { useHostEvent } from '../../kit/session/use-host-event.ts';
import { onPageResumed } from '../../kit/status/page-resumed.ts';
import { createInvoiceRun, type InvoiceRun } from './invoice-run.ts';
import { type InvoiceState, openInvoice } from './model.ts';

export interface Invoice extends Pick<InvoiceRun, 'cancel' | 'tell' | 'look'> {
  readonly state: InvoiceState;
}

const nothing = () => undefined;
const asleep: Pick<InvoiceRun, 'cancel' | 'tell' | 'look'> = { cancel: nothing, tell: nothing, look: nothing };

interface InvoiceOf {
  readonly depositId: string;
  readonly paymentMethod: string;
  readonly expiresAt: number;
  /** The address of the deposit's status. */
  readonly statusPath: string;
}

const words = {
  'say-no-connection': 'common.errors.socket.networkError',
  'say-unanswered': 'payment.unanswered',
  'say-not-cancelled': 'p2p.notCancelled',
} as const;

/** The invoice of a deposit, kept up to date while its screen is shown. It reports each change once to the host (HOST-15). */
export function useInvoice({ depositId, paymentMethod, expiresAt, statusPath }: InvoiceOf): Invoice {
  const services = useServices();
  const { translate } = useTexts();
  const [run, setRun] = useState<InvoiceRun>();
  const [state, setState] = useState(openInvoice);
  useEffect(() => {
    const started = createInvoiceRun(services, { depositId, paymentMethod, expiresAt }, (what) => {
      if (what === 'show-status') {
        services.navigation.go(statusPath, { replace: true });
        return;
      }
      services.notify({ kind: 'error', text: translate(words[what]) });
    });
    const stopListening = started.subscribe(() => setState(started.getState()));
    const stopLooking = onPageResumed(started.look);
    setRun(started);
    return () => {
      stopListening();
      started.stop();
      stopLooking();
    };
  }, [services, depositId, paymentMethod, expiresAt, statusPath, translate]);
  useHostEvent('depositId', depositId, state.report && statusOfCode(state.report.status));
  const { cancel, tell, look } = run ?? asleep;
  return { state, cancel, tell, look };
}
