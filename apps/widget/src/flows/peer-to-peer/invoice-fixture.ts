/** Opens the invoice of a peer-to-peer payment, for its tests. */
import type { PaymentMethod, Transaction } from '@opencashier/contract/api';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { createFixtureServices } from '../../kit/session/services-fixture.ts';
import { catalogueWith, depositId, p2pAnswer, p2pMethod, report, started } from './peer-to-peer-fixture.ts';

interface Opening {
  readonly answer?: unknown;
  readonly method?: PaymentMethod;
  readonly page?: string;
  readonly more?: Record<string, unknown>;
  /** How far the clock of the device is off, in ms. */
  readonly deviceOffMs?: number;
}

/** Opens the invoice by its address, as a reload does. */
export async function openInvoicePage({
  answer = p2pAnswer(),
  method = p2pMethod(),
  page = 'invoice',
  more,
  deviceOffMs = 0,
}: Opening = {}) {
  let word: Partial<Transaction> = {};
  const services = createFixtureServices({
    'methods-payment-v5': catalogueWith(method),
    'deposit-create-p2p': answer,
    'deposit-status': () => report((services.clock.now() - deviceOffMs - started) / 1000, word),
    'deposit-cancel': () => ({
      depositId,
      isCancelled: true,
      transaction: report((services.clock.now() - deviceOffMs - started) / 1000, { status: 2 }),
    }),
    'deposit-complete': () => report(30, { remoteStatus: 'CREATED' }),
    ...more,
  });
  services.clock.skew(deviceOffMs);
  services.api.serverOffsetMs = () => -deviceOffMs;
  const widget = await openWidget(`/deposit/peer-to-peer/${method.name}/${page}?depositId=${depositId}`, services);
  return {
    ...widget,
    /** What the server says from now on. */
    serverSays(next: Partial<Transaction>) {
      word = next;
    },
    asked: () => services.requestsOf('deposit-status').length,
  };
}
