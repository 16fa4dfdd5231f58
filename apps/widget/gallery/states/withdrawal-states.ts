/** States of withdrawals: the list, the forms, the confirmation and the end. */
import { nigeriaServices } from '../../src/flows/nigerian-banks/nigerian-banks-fixture.ts';
import { regionsFixture } from '../../src/kit/method/catalogue-fixture.ts';
import { connectionLost, refusal } from '../../src/kit/payment/payment-fixture.ts';
import type { Answers } from '../../src/kit/session/services-fixture.ts';
import {
  nearlyEqualName,
  transferCatalogue,
  withdrawalCatalogue,
  withdrawalId,
  withdrawalReport,
  withdrawalServices,
} from '../../src/kit/withdrawal/withdrawal-fixture.ts';
import { type StatePage, statesOf, type WidgetState } from '../state.ts';

type Word = Parameters<typeof withdrawalReport>[1];

const amount = 'input[inputmode=decimal]';
const never = () => new Promise(() => undefined);
const form = '/withdrawal/redirect/card_withdrawal';
const confirm = `/withdrawal/confirm?withdrawalId=${withdrawalId}`;
const complete = `/withdrawal/complete?withdrawalId=${withdrawalId}`;
const says = (word: Word, answers: Answers = {}) => {
  const services = withdrawalServices(answers);
  services.answer('withdrawal-status', withdrawalReport(services, word));
  return services;
};
const ending = (word: Word) => ({ at: complete, services: () => says(word) });
const withCode = (answers: Answers = {}) => {
  const services = withdrawalServices(answers);
  const now = services.clock.now();
  const confirmation = {
    kind: 'code',
    channel: 'sms',
    length: 6,
    attemptsLeft: 5,
    expires: new Date(now + 300_000).toISOString(),
    resendAt: new Date(now + 30_000).toISOString(),
    serverTime: new Date(now).toISOString(),
  } as const;
  services.answer('withdrawal-status', withdrawalReport(services, { confirmation }));
  return services;
};
/** A withdrawal that was held a quarter of an hour ago and not released yet. */
const overdue = () => {
  const services = withdrawalServices();
  const { created, expires } = withdrawalReport({
    clock: { ...services.clock, now: () => services.clock.now() - 901_000 },
  });
  services.answer('withdrawal-status', withdrawalReport(services, { created, expires }));
  return services;
};
/** The connection is lost during the confirmation: neither its answer nor the status arrives. */
const lostOnConfirm = () => {
  const services = withdrawalServices();
  services.answer('withdrawal-confirm', () => {
    services.answer('withdrawal-status', connectionLost);
    return connectionLost();
  });
  return services;
};
const fill = async (page: StatePage, card: string) => {
  await page.type(amount, '1000');
  await page.type('form input:not([inputmode=decimal])', card);
  await page.press('button[type=submit]');
  await page.pass(10_000);
};

const keptAccounts = () =>
  withdrawalServices({
    'payout-accounts-get': {
      accounts: [
        { accountId: 'first', destination: [{ name: 'cardNumber', value: '•••• 4242' }] },
        {
          accountId: 'second',
          destination: [
            { name: 'bank', value: 'Donaudampfschifffahrtsgesellschaftsbank' },
            { name: 'accountNumber', value: '•••• 0008' },
            { name: 'fullName', value: 'M••• d•• l•• Á••••• S•••••• y G••••••••••' },
          ],
        },
      ],
    },
  });

/** The cards that paid, each with the most that it can get back. */
const paidCards = () => {
  const cards = [
    { accountId: 'first', destination: [{ name: 'cardNumber', value: 'American Express •••• 0005' }], max: '2500.00' },
    { accountId: 'second', destination: [{ name: 'cardNumber', value: 'Visa •••• 4242' }], max: '50000.00' },
  ];
  const methods = withdrawalCatalogue.methods.map((method) => ({ ...method, flags: { paysToPaidCards: true } }));
  return withdrawalServices({ 'payout-accounts-get': { accounts: cards } }, { ...withdrawalCatalogue, methods });
};

export const withdrawalStates: readonly WidgetState[] = [
  ...statesOf<WidgetState>('screens/withdrawal-list', {
    ready: { at: '/withdrawal', services: nigeriaServices },
    loading: { isWaiting: true, at: '/withdrawal', services: () => nigeriaServices({ 'methods-withdrawal': never }) },
    unfinished: {
      at: '/withdrawal',
      services: () => {
        const services = withdrawalServices();
        services.answer('withdrawal-check', { withdrawal: withdrawalReport(services) });
        return services;
      },
    },
    region: {
      at: '/withdrawal/region',
      services: () => nigeriaServices({ 'methods-country-selector-v2': regionsFixture }),
    },
    group: { at: '/withdrawal/group/crypto', services: nigeriaServices },
    'video-guide': { at: '/withdrawal/video-instruction?method=card_withdrawal', services: nigeriaServices },
  }),
  ...statesOf<WidgetState>('flows/nigerian-banks', {
    banks: { at: '/withdrawal/nigerian-banks/nigerian_banks', services: nigeriaServices },
    'nothing-found': {
      at: '/withdrawal/nigerian-banks/nigerian_banks',
      services: nigeriaServices,
      after: (page) => page.type('input[type=search]', 'Narnia'),
    },
    account: { at: '/withdrawal/nigerian-banks/nigerian_banks/account?bank=058', services: nigeriaServices },
  }),
  ...statesOf<WidgetState>('screens/withdrawal', {
    ready: { at: form, services: withdrawalServices },
    typed: { at: form, services: withdrawalServices, after: (page) => page.type(amount, '1000') },
    'more-than-there-is': { at: form, services: withdrawalServices, after: (page) => page.type(amount, '99999') },
    'wrong-number': { at: form, services: withdrawalServices, after: (page) => fill(page, '4242424242424241') },
    refused: {
      at: form,
      services: () => withdrawalServices({ 'withdrawal-create': refusal('method-unavailable', 400) }),
      after: (page) => fill(page, '4242424242424242'),
    },
    'being-checked': {
      at: form,
      services: () => withdrawalServices({ 'withdrawal-create': connectionLost, 'withdrawal-status': connectionLost }),
      after: (page) => fill(page, '4242424242424242'),
    },
    'close-match': {
      at: '/withdrawal/redirect/transfer_withdrawal',
      services: () => withdrawalServices({ 'withdrawal-create': nearlyEqualName }, transferCatalogue),
      after: async (page) => {
        await page.type('[data-form-field=fullName]', 'Ann Close');
        await page.type('[data-form-field=iban]', 'DE89370400440532013000');
        await page.type(amount, '1000');
        await page.press('button[type=submit]');
        await page.pass(10_000);
      },
    },
    coins: { at: '/withdrawal/redirect/usdt_withdrawal', services: withdrawalServices },
    'saved-accounts': { at: form, services: keptAccounts },
    'saved-account-removal': {
      at: form,
      services: keptAccounts,
      after: async (page) => {
        await page.pass(10_000);
        await page.press('main fieldset div:nth-of-type(2) button');
        await page.see('dialog[open]');
      },
    },
    'paid-cards': { at: form, services: paidCards },
    'in-a-group': { at: '/withdrawal/group/crypto/redirect/btc_withdrawal', services: nigeriaServices },
  }),
  ...statesOf<WidgetState>('screens/withdrawal-instruction', {
    card: { at: `${form}/instruction`, services: withdrawalServices },
    coins: { at: '/withdrawal/redirect/usdt_withdrawal/instruction', services: withdrawalServices },
  }),
  ...statesOf<WidgetState>('screens/confirm', {
    ready: { at: confirm, services: withdrawalServices },
    loading: { isWaiting: true, at: confirm, services: () => withdrawalServices({ 'withdrawal-status': never }) },
    code: { at: confirm, services: withCode },
    'wrong-code': {
      at: confirm,
      services: () => withCode({ 'withdrawal-confirm': refusal('code-wrong', 422) }),
      after: async (page) => {
        await page.type('main input', '111111');
        await page.press('main button[type=submit]');
      },
    },
    'being-checked': {
      at: confirm,
      services: lostOnConfirm,
      after: async (page) => {
        await page.press('button[type=submit]');
        await page.pass(10_000);
      },
    },
    expired: { at: confirm, services: overdue },
    unknown: { at: confirm, services: () => withdrawalServices({ 'withdrawal-status': refusal('not-found', 404) }) },
    'no-connection': {
      isWaiting: true,
      at: confirm,
      services: () => withdrawalServices({ 'withdrawal-status': connectionLost }),
    },
  }),
  ...statesOf<WidgetState>('screens/withdrawal-complete', {
    loading: { at: complete, services: () => withdrawalServices({ 'withdrawal-status': never }) },
    'on-its-way': ending({ status: 3 }),
    success: ending({ status: 1 }),
    late: ending({ status: 3, reason: 'withdrawal.reason.late' }),
    'waiting-for-approval': ending({ status: 3, reason: 'withdrawal.reason.approval' }),
    'not-approved': ending({ status: 2, reason: 'withdrawal.reason.unapproved' }),
    failed: ending({ status: 2 }),
    declined: ending({ status: 2, reason: 'withdrawal.reason.declined' }),
    'declined-by-cause': ending({ status: 2, reason: 'withdrawal.reason.declined', declineCause: 'name-mismatch' }),
    'declined-in-words': ending({
      status: 2,
      reason: 'withdrawal.reason.declined',
      declineCause: 'account-closed',
      message: 'The bank of this account says: account closed (R02).',
    }),
    cancelled: ending({ status: 2, reason: 'withdrawal.reason.cancelled' }),
    expired: ending({ status: 2, reason: 'withdrawal.reason.expired' }),
    returned: ending({ status: 2, reason: 'withdrawal.reason.returned' }),
    'being-checked': ending({ status: 3, isOutcomeUnknown: true }),
    unknown: { at: complete, services: () => withdrawalServices({ 'withdrawal-status': refusal('not-found', 404) }) },
  }),
];
