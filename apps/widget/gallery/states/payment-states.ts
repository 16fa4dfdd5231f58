/** Pages on which a person pays a deposit by hand: one answer of the server each, and the ways in which it can end. */
import type { DepositData } from '@opencashier/contract/api';
import { data as transfer } from '../../src/flows/bank-transfer/bank-transfer-fixture.ts';
import { data as cash } from '../../src/flows/cash/cash-fixture.ts';
import { data as hostToHost } from '../../src/flows/host-to-host/host-to-host-fixture.ts';
import { data as india, method as indiaMethod } from '../../src/flows/india/india-fixture.ts';
import { data as pix } from '../../src/flows/pix/pix-fixture.ts';
import { data as unified } from '../../src/flows/unified-form/unified-form-fixture.ts';
import {
  connectionLost,
  paymentId,
  paymentMethod,
  paymentReport,
  paymentServices,
  refusal,
} from '../../src/kit/payment/payment-fixture.ts';
import { data as upi } from '../../src/kit/upi/upi-page-fixture.ts';
import { statesOf, type WidgetState } from '../state.ts';

type Options = Parameters<typeof paymentServices>[1];
type Shown = Omit<WidgetState, 'id'>;

/** The states of a page on which a person pays by hand. */
function payment(at: string, data: DepositData, more: Options = {}): Readonly<Record<string, Shown>> {
  const path = `/deposit/${at}?depositId=${paymentId}`;
  const state = (answer: DepositData | null, options: Options = {}): Shown => ({
    at: path,
    services: () => paymentServices(answer, { ...more, ...options }),
  });
  const never = () => new Promise(() => undefined);
  return {
    ready: state(data),
    loading: { ...state(data, { answers: { 'deposit-status': never } }), isWaiting: true },
    'no-connection': state(data, { answers: { 'deposit-status': connectionLost, 'deposit-create': connectionLost } }),
    unknown: state(data, { answers: { 'deposit-status': refusal('not-found', 404) } }),
    'nothing-to-pay': state({}),
  };
}

/** The same payment, this many ms after its start. */
function later(ms: number, ...given: Parameters<typeof paymentServices>): ReturnType<typeof paymentServices> {
  const services = paymentServices(...given);
  const created = new Date(services.clock.now()).toISOString();
  services.clock.skew(ms);
  services.answer('deposit-status', paymentReport(services, { created }));
  return services;
}

/** The fields that a provider asks about the payer. */
const inputFields: DepositData['inputFields'] = [
  { name: 'fullName', type: 'text', props: { label: 'Full name' } },
  { name: 'account', type: 'text', props: { label: 'Your account' } },
  { name: 'accountEnd', type: 'text', regex: '^\\d{4}$', props: { label: 'Last four digits of your account' } },
];
const unifiedAt = `/deposit/redirect/bank_card/unified-form?depositId=${paymentId}`;

export const paymentStates: readonly WidgetState[] = [
  ...statesOf<WidgetState>('flows/bank-transfer', payment('redirect/bank_card/bank-transfer', transfer)),
  ...statesOf<WidgetState>('flows/eazype', payment('redirect/bank_card/eazype', upi)),
  ...statesOf<WidgetState>('flows/pix', payment('redirect/bank_card/pix', pix)),
  ...statesOf<WidgetState>('flows/upi-qr', {
    ...payment('redirect/bank_card/upi-qr', upi),
    'with-an-app': {
      at: `/deposit/redirect/bank_card/upi-qr?depositId=${paymentId}`,
      services: () => paymentServices(upi, { method: paymentMethod({ flags: { linkSchemes: ['upi'] } }) }),
    },
  }),
  ...statesOf<WidgetState>('flows/unified-form', {
    ...payment('redirect/bank_card/unified-form', unified),
    'fields-missing': {
      at: unifiedAt,
      services: () => paymentServices({ ...unified, inputFields }),
      after: (page) => page.press('main [class*=primary]'),
    },
    expired: { at: unifiedAt, services: () => later(601_000, unified) },
    'last-minute': { at: unifiedAt, services: () => later(555_000, unified) },
    processing: {
      at: unifiedAt,
      services: () => {
        const services = paymentServices(unified);
        services.answer('deposit-status', paymentReport(services, { status: 3 }));
        return services;
      },
    },
    'paid-not-heard': {
      at: unifiedAt,
      services: () => paymentServices(unified, { answers: { 'deposit-complete': connectionLost } }),
      after: (page) => page.press('main [class*=primary]'),
    },
  }),
  ...statesOf<WidgetState>('flows/host-to-host', {
    ...payment('host-to-host/bank_card', hostToHost),
    guaranteed: {
      at: `/deposit/host-to-host/bank_card?depositId=${paymentId}`,
      services: () =>
        paymentServices(hostToHost, { method: paymentMethod({ flags: { guaranteed: true, supportButton: true } }) }),
    },
    support: {
      at: `/deposit/host-to-host/bank_card?depositId=${paymentId}`,
      services: () => paymentServices(hostToHost, { method: paymentMethod({ flags: { supportButton: true } }) }),
      after: (page) => page.press('main [class*=pill]'),
    },
    cancelling: {
      at: `/deposit/host-to-host/bank_card?depositId=${paymentId}`,
      services: () => paymentServices(hostToHost),
      after: (page) => page.press('[class*=ghost]'),
    },
    expired: {
      at: `/deposit/host-to-host/bank_card?depositId=${paymentId}`,
      services: () => later(901_000, hostToHost),
    },
  }),
  ...statesOf<WidgetState>('flows/cash', {
    ...payment('cash/bank_card/agents', cash, { method: paymentMethod({ cardViewType: 20 }) }),
    amount: {
      at: '/deposit/cash/bank_card',
      services: () =>
        paymentServices(cash, {
          method: paymentMethod({ cardViewType: 20, flags: { agentLink: 'https://agents.example/in' } }),
        }),
    },
  }),
  ...statesOf<WidgetState>('flows/india', {
    ...payment('india/bank_card/invoice', india, { method: indiaMethod }),
    amount: { at: '/deposit/india/bank_card', services: () => paymentServices(india, { method: indiaMethod }) },
    expired: {
      at: `/deposit/india/bank_card/invoice?depositId=${paymentId}`,
      services: () => later(601_000, india, { method: indiaMethod }),
    },
  }),
];
