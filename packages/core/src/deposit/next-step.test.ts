import type { DepositData, DepositResponse } from '@opencashier/contract/api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type NextStep, nextStep, onrampStep } from './next-step.ts';

const depositId = '5f0c2f4e-7b0e-4a53-9a3e-2f1d6c0b9a11';
type Answer = DepositResponse['apiResponse'];
const respond = (answer: Partial<Answer>, fields?: DepositResponse['fields']): DepositResponse => ({
  apiResponse: { depositId, ...answer },
  ...(fields === undefined ? {} : { fields }),
});
const step = (answer: Partial<Answer>, fields?: DepositResponse['fields']): NextStep =>
  nextStep(respond(answer, fields), {}, (pageId) => pageId === 'pix');
const field = { name: 'phone', type: 'text' } as const;
const offer = { amount: '10.00', fee: '1.00', method: 'visa', iconIds: [] };
const requisite = { name: 'iban', title: 'IBAN', value: 'DE00' };

describe('[DEP-3] the step after a create call, row by row', () => {
  test('fields required: extra fields, no navigation', () => {
    expect(step({ isFieldsRequired: true }, [field])).toEqual({ kind: 'fields', depositId, fields: [field] });
    expect(step({ isFieldsRequired: true, data: { inputFields: [field] } })).toMatchObject({
      kind: 'fields',
      fields: [field],
    });
  });

  test('a source by GET: an address', () => {
    expect(step({ source: 'https://psp.example/pay?x=1', method: 'GET' })).toEqual({
      kind: 'redirect',
      depositId,
      href: 'https://psp.example/pay?x=1',
      method: 'GET',
      fields: {},
    });
    expect(step({ source: 'https://psp.example/pay', data: null })).toMatchObject({ kind: 'redirect', method: 'GET' });
  });

  test('a source by POST: a form with hidden inputs', () => {
    const source = { action: 'https://psp.example/pay', method: 'POST', fields: { token: 'a b' } } as const;
    expect(step({ source })).toMatchObject({ kind: 'redirect', method: 'POST', fields: { token: 'a b' } });
    expect(step({ source: 'https://psp.example/pay', method: 'POST' })).toMatchObject({ method: 'POST', fields: {} });
  });

  test('a form by GET keeps the query of its action and adds its fields', () => {
    const source = { action: 'https://psp.example/pay?a=1', method: 'GET', fields: { b: '2 &' } } as const;
    expect(step({ source })).toMatchObject({ href: 'https://psp.example/pay?a=1&b=2+%26', method: 'GET' });
  });

  test('unifiedFlow: the unified form', () => {
    expect(step({ data: { unifiedFlow: true } })).toMatchObject({ kind: 'unified-form' });
  });

  test('paymentMethodOffers: the offer list', () => {
    expect(step({ data: { paymentMethodOffers: [offer] } })).toMatchObject({ kind: 'offers', offers: [offer] });
  });

  test.each<[string, DepositData]>([
    ['a card', { card: { number: '4111' } }],
    ['requisites', { requisites: [requisite] }],
    ['a bank transfer', { bankTransfer: true }],
  ])('%s: host-to-host', (_name, data) => {
    expect(step({ data })).toMatchObject({ kind: 'host-to-host', data });
  });

  test('[DEP-6] a custom page that the widget has', () => {
    const page = 'pix';
    expect(step({ pageId: page, pageType: 'custom', data: { qrCodeText: 'x' } })).toMatchObject({
      kind: 'custom-page',
      page,
    });
    expect(step({ pageId: page, data: {} })).toMatchObject({ kind: 'custom-page', page });
    expect(step({ pageId: 'unknown', data: {} }).kind).toBe('own-route');
  });

  test('otherwise the flow’s own route', () => {
    expect(step({ data: { depositAddress: 'T9' } })).toEqual({
      kind: 'own-route',
      depositId,
      data: { depositAddress: 'T9' },
    });
    expect(step({})).toEqual({ kind: 'own-route', depositId, data: undefined });
  });
});

describe('[DEP-3] unusual responses', () => {
  test('both source and unifiedFlow: the source wins by the order of the specification', () => {
    expect(step({ source: 'https://psp.example', data: { unifiedFlow: true } }).kind).toBe('redirect');
  });

  test('everything at once: the fields win', () => {
    const data: DepositData = { unifiedFlow: true, card: {}, paymentMethodOffers: [offer] };
    expect(step({ isFieldsRequired: true, source: 'https://psp.example', pageId: 'pix', data }, [field]).kind).toBe(
      'fields',
    );
    expect(step({ pageId: 'pix', data }).kind).toBe('unified-form');
    expect(step({ pageId: 'pix', data: { card: {}, paymentMethodOffers: [offer] } }).kind).toBe('offers');
    expect(step({ pageId: 'pix', data: { card: {} } }).kind).toBe('host-to-host');
  });

  test('[ERR-2] null data, or no response at all, is a failure and not a blank page', () => {
    expect(step({ data: null })).toEqual({ kind: 'failure', depositId, reason: 'data-null' });
    expect(step({ pageId: 'pix' })).toEqual({ kind: 'failure', depositId, reason: 'data-null' });
    expect(nextStep(null)).toEqual({ kind: 'failure', depositId: undefined, reason: 'data-null' });
    expect(nextStep(undefined)).toMatchObject({ kind: 'failure', reason: 'data-null' });
  });

  test('an unknown page id, or the page type offline, leads to the flow’s own route', () => {
    expect(step({ pageId: 'hologram', data: {} }).kind).toBe('own-route');
    expect(step({ pageId: 'constructor', data: {} }).kind).toBe('own-route');
    expect(step({ pageId: null, data: {} }).kind).toBe('own-route');
    expect(step({ pageId: 'pix', pageType: 'offline', data: {} }).kind).toBe('own-route');
  });

  test('empty lists and texts count as absent', () => {
    expect(step({ source: '', data: { paymentMethodOffers: [], requisites: [] } }).kind).toBe('own-route');
    expect(step({ source: null, data: { unifiedFlow: false } }).kind).toBe('own-route');
  });

  test('fields required without any field is a failure, because the user could not continue', () => {
    expect(step({ isFieldsRequired: true }, [])).toMatchObject({ kind: 'failure', reason: 'fields-missing' });
    expect(step({ isFieldsRequired: true, data: null })).toMatchObject({ kind: 'failure', reason: 'fields-missing' });
  });

  test('[FORM-9] an unsafe link is a failure, never a navigation', () => {
    expect(step({ source: 'javascript:alert(1)' })).toMatchObject({ kind: 'failure', reason: 'unsafe-link' });
    expect(step({ source: 'upi://pay?pa=x' }).kind).toBe('failure');
    expect(nextStep(respond({ source: 'upi://pay?pa=x' }), { schemes: ['upi'] }).kind).toBe('redirect');
    const form = { action: 'upi://pay', method: 'POST', fields: {} } as const;
    expect(nextStep(respond({ source: form }), { schemes: ['upi'] })).toMatchObject({ reason: 'unsafe-link' });
  });
});

test('[DEP-3] every combination of parts gives exactly one step, by the first row that applies', () => {
  const order = ['fields', 'redirect', 'unified-form', 'offers', 'host-to-host', 'custom-page', 'own-route'];
  const flag = fc.boolean();
  fc.assert(
    fc.property(
      flag,
      flag,
      flag,
      flag,
      flag,
      flag,
      (isFieldsRequired, hasSource, unifiedFlow, hasOffers, hasCard, hasPage) => {
        const data: DepositData = {
          unifiedFlow,
          ...(hasOffers ? { paymentMethodOffers: [offer] } : {}),
          ...(hasCard ? { card: {} } : {}),
        };
        const answer: Partial<Answer> = { isFieldsRequired, data, pageId: hasPage ? 'pix' : null };
        const kind = step(hasSource ? { ...answer, source: 'https://psp.example' } : answer, [field]).kind;
        const applies = [isFieldsRequired, hasSource, unifiedFlow, hasOffers, hasCard, hasPage, true];
        expect(kind).toBe(order[applies.indexOf(true)]);
      },
    ),
  );
});

describe('[DEP-14] the step after an on-ramp continue call', () => {
  test('an error goes to the complete screen as mistaked', () => {
    expect(onrampStep(depositId, { error: 'expired' })).toEqual({
      kind: 'complete',
      status: 'mistaked',
      error: 'expired',
    });
    expect(onrampStep(depositId, { error: 'expired', redirect: 'https://a.example' }).kind).toBe('complete');
  });

  test('otherwise the redirect opens, if it is safe', () => {
    expect(onrampStep(depositId, { redirect: 'https://ramp.example' })).toMatchObject({ kind: 'redirect', depositId });
    expect(onrampStep(depositId, { redirect: 'data:text/html,x' })).toMatchObject({
      kind: 'failure',
      reason: 'unsafe-link',
    });
    expect(onrampStep(depositId, {})).toMatchObject({ kind: 'failure', reason: 'data-null' });
  });
});
