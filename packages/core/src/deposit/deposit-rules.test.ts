import { errorCodes } from '@opencashier/contract/api';
import { describe, expect, test } from 'vitest';
import { depositErrorText, isPermanentRefusal, meaningOfFailure } from './create-failure.ts';
import { type P2pAnswer, p2pStep } from './p2p-step.ts';
import { opensPaymentWindow, redirectTarget } from './payment-window.ts';
import { requestFingerprint } from './request-fingerprint.ts';

describe('what a failed create call means', () => {
  test.each([
    [{}, 'unknown'],
    [{ code: 'socket.networkError' }, 'unknown'],
    [{ status: 500, code: 'internal' }, 'unknown'],
    [{ status: 504 }, 'unknown'],
    [{ status: 502, code: 'invalid-response' }, 'unknown'],
    // The code of a later try says nothing about an earlier call whose response was lost.
    [{ code: 'temporarily-unavailable' }, 'unknown'],
    [{ code: 'limit-min' }, 'unknown'],
    [{ code: 'socket.networkError', isUnsent: true }, 'unsent'],
    [{ status: 200 }, 'unknown'],
    [{ status: Number.NaN }, 'unknown'],
    [{ status: 422, code: 'limit-min' }, 'refused'],
    [{ status: 400 }, 'refused'],
    [{ status: 422, code: 'something-new' }, 'refused'],
  ] as const)('[DEP-16] %j is %s', (failure, meaning) => {
    expect(meaningOfFailure(failure)).toBe(meaning);
  });

  test('[DEP-16] a refusal is lasting only if a copy of the call would be refused in the same way', () => {
    const lasting = Object.entries(errorCodes).filter(([code, { status }]) => isPermanentRefusal({ status, code }));
    const names = lasting.map(([code]) => code);
    for (const code of ['limit-min', 'invalid-request', 'insufficient-funds', 'provider-error'])
      expect(names).toContain(code);
    for (const code of ['rate-limited', 'temporarily-unavailable', 'unauthorized', 'not-found'])
      expect(names).not.toContain(code);
    expect(isPermanentRefusal({ status: 413, code: 'invalid-response' })).toBe(false);
    expect(isPermanentRefusal({ status: 422 })).toBe(false);
  });

  test('[DEP-16] every code of the contract has a meaning', () => {
    const unknown = Object.entries(errorCodes)
      .filter(([code, { status }]) => meaningOfFailure({ status, code }) === 'unknown')
      .map(([code]) => code);
    expect(unknown.sort()).toEqual(['in-flight', 'internal', 'state-conflict', 'unknown-outcome']);
    expect(meaningOfFailure({ status: 428, code: 'captcha_required' })).toBe('captcha');
  });
});

describe('the text of a deposit error', () => {
  const translated = (...keys: string[]) => {
    const known = new Set(keys);
    return (key: string) => known.has(key);
  };

  test('[ERR-4] the text of the status comes first', () => {
    const failure = { status: 429, code: 'banking.merchantClientError', message: 'No' };
    expect(depositErrorText(failure, translated('common.errors.http.429'))).toEqual({
      kind: 'key',
      key: 'common.errors.http.429',
    });
  });

  test('[ERR-4] the merchant’s message is shown unchanged, if there is one', () => {
    const failure = { status: 422, code: 'banking.merchantClientError', message: 'Card <b>blocked</b>' };
    expect(depositErrorText(failure, translated())).toEqual({ kind: 'text', text: 'Card <b>blocked</b>' });
    expect(depositErrorText({ ...failure, message: ' ' }, translated())).toEqual({
      kind: 'key',
      key: 'common.errors.provider',
    });
  });

  test('[ERR-4] another code shows its own text if translated, otherwise the provider error', () => {
    const failure = { status: 422, code: 'limit-min', message: 'internal words' };
    expect(depositErrorText(failure, translated('common.errors.limit-min'))).toEqual({
      kind: 'key',
      key: 'common.errors.limit-min',
    });
    expect(depositErrorText(failure, translated())).toEqual({ kind: 'key', key: 'common.errors.provider' });
    expect(depositErrorText({}, translated('common.errors.undefined'))).toEqual({
      kind: 'key',
      key: 'common.errors.provider',
    });
  });

  test('[ERR-4] banking.paymentMethodRegex never shows its own text', () => {
    const key = 'common.errors.banking.paymentMethodRegex';
    expect(depositErrorText({ status: 422, code: 'banking.paymentMethodRegex' }, translated(key))).toEqual({
      kind: 'key',
      key: 'common.errors.provider',
    });
  });
});

test('[DEP-2] a window opens first, except native, on-ramp, no-new-window and external redirect', () => {
  const usual = { place: 'page', isOnramp: false, flags: {} } as const;
  expect(opensPaymentWindow(usual)).toBe(true);
  expect(opensPaymentWindow({ ...usual, place: 'app' })).toBe(false);
  expect(opensPaymentWindow({ ...usual, isOnramp: true })).toBe(false);
  expect(opensPaymentWindow({ ...usual, flags: { noNewWindow: true } })).toBe(false);
  expect(opensPaymentWindow({ ...usual, flags: { externalRedirect: true } })).toBe(false);
  expect(opensPaymentWindow({ ...usual, place: 'frame', flags: { externalRedirect: true } })).toBe(true);
});

test('[DEP-2] [DEP-3] a provider’s page never opens inside a frame, whatever the method’s flags', () => {
  const places = ['frame', 'page', 'app'] as const;
  expect(places.map((place) => redirectTarget(place, {}))).toEqual(['new-window', 'new-window', 'same-window']);
  expect(places.map((place) => redirectTarget(place, { externalRedirect: true }))).toEqual([
    'new-window',
    'same-window',
    'same-window',
  ]);
});

describe('the fingerprint of a create call', () => {
  const intent = { amount: '25.00', currency: 'USD', paymentMethod: 'card' };

  test('[SRV-6] [DEP-16] is the same for the same payment and differs for any other', () => {
    expect(requestFingerprint({ ...intent, amount: '25' })).toBe(requestFingerprint(intent));
    expect(requestFingerprint({ ...intent, amount: '25.0' })).toBe(requestFingerprint(intent));
    const others = [
      intent,
      { ...intent, amount: '250' },
      { ...intent, amount: '25.01' },
      { ...intent, amount: '25.10' },
      { ...intent, currency: 'EUR' },
      { ...intent, paymentMethod: 'card2' },
      { ...intent, wallet: 'a' },
      { ...intent, boxId: 'a' },
      { ...intent, bonusId: 'a' },
      { ...intent, selectedCountry: 'RU' },
      { ...intent, wallet: 'null' },
      { ...intent, wallet: '"],["' },
    ];
    expect(new Set(others.map(requestFingerprint)).size).toBe(others.length);
    expect(requestFingerprint({ ...intent, amount: '100' })).not.toBe(requestFingerprint({ ...intent, amount: '1' }));
  });
});

describe('[DEP-11] the step after a peer-to-peer create call', () => {
  const answer: P2pAnswer = {
    depositId: 'a',
    card: { number: '4111' },
    created: '2026-01-01T00:00:00Z',
    timeout_minutes: 30,
  };

  test('the invoice, new or resumed', () => {
    expect(p2pStep(answer)).toEqual({
      kind: 'invoice',
      depositId: 'a',
      card: { number: '4111' },
      createdAt: Date.UTC(2026, 0, 1),
      lifetimeS: 1800,
      isResumed: false,
    });
    expect(p2pStep({ ...answer, exists: true })).toMatchObject({ kind: 'invoice', isResumed: true });
  });

  test('a bank transfer without a timeout has 15 minutes', () => {
    expect(p2pStep({ ...answer, card: { bank_account: '1' }, timeout_minutes: null })).toMatchObject({
      lifetimeS: 900,
    });
  });

  test('fields first, then the unified form', () => {
    const fields = [{ name: 'phone', type: 'text' } as const];
    expect(p2pStep({ ...answer, isFieldsRequired: true, fields, unifiedFlow: true })).toMatchObject({
      kind: 'fields',
      fields,
    });
    expect(p2pStep({ ...answer, unifiedFlow: true })).toMatchObject({ kind: 'unified-form' });
  });

  test('a response without a card or times is invalid', () => {
    expect(p2pStep({ ...answer, card: null })).toMatchObject({ kind: 'invalid', missing: 'card' });
    expect(p2pStep({ ...answer, created: null })).toMatchObject({ kind: 'invalid', missing: 'timing' });
    expect(p2pStep({ ...answer, created: 'today' })).toMatchObject({ kind: 'invalid', missing: 'timing' });
    expect(p2pStep({ ...answer, timeout_minutes: null })).toMatchObject({ kind: 'invalid', missing: 'timing' });
    expect(p2pStep({ ...answer, timeout_minutes: 0 })).toMatchObject({ kind: 'invalid', missing: 'timing' });
    expect(p2pStep({ ...answer, isFieldsRequired: true })).toMatchObject({ kind: 'invalid', missing: 'fields' });
    expect(p2pStep(null)).toMatchObject({ kind: 'invalid', missing: 'answer' });
  });
});
