import { SESSION_DEBOUNCE_MS } from '@opencashier/core/amount/session-amount';
import { CRYPTO_DECIMALS, FIAT_DECIMALS } from '@opencashier/core/money/currencies';
import { DEFAULT_LIFETIME_S, DEFAULT_P2P_TIMEOUT_MIN } from '@opencashier/core/time/countdown';
import { expect, test } from 'vitest';
import { propertyPollMs, propertyTimeoutMs } from '../host/window-property.ts';
import { requestGroupTimeoutMs } from './request-group.ts';
import { retries, retryDelayMs } from './retry.ts';
import { connectAttempts, connectBackoffCapMs, connectBackoffMs } from './socket-transport.ts';
import { answerTimeoutMs } from './transport.ts';

test('[NET-9] the constants of the specification have one name each, and its values', () => {
  expect({
    propertyTimeoutMs,
    propertyPollMs,
    requestGroupTimeoutMs,
    answerTimeoutMs,
    retries,
    retryDelayMs,
    connectAttempts,
    connectBackoffCapMs,
    SESSION_DEBOUNCE_MS,
    DEFAULT_LIFETIME_S,
    DEFAULT_P2P_TIMEOUT_MIN,
    FIAT_DECIMALS,
    CRYPTO_DECIMALS,
  }).toEqual({
    propertyTimeoutMs: 5000,
    propertyPollMs: 10,
    requestGroupTimeoutMs: 30_000,
    answerTimeoutMs: 20_000,
    retries: 3,
    retryDelayMs: 2000,
    connectAttempts: 3,
    connectBackoffCapMs: 10_000,
    SESSION_DEBOUNCE_MS: 500,
    DEFAULT_LIFETIME_S: 600,
    DEFAULT_P2P_TIMEOUT_MIN: 15,
    FIAT_DECIMALS: 2,
    CRYPTO_DECIMALS: 8,
  });
});

test('[NET-3] the pauses double from a second, have as much again of chance and end at ten', () => {
  expect([0, 1, 2, 3, 4, 9].map((failed) => connectBackoffMs(failed, 0))).toEqual([
    1000, 2000, 4000, 8000, 10_000, 10_000,
  ]);
  expect(connectBackoffMs(0, 0.999)).toBeCloseTo(1999);
  expect(connectBackoffMs(1, 0.5)).toBe(3000);
  expect(connectBackoffMs(2, 1)).toBe(8000);
  expect(connectBackoffMs(3, 1)).toBe(10_000);
});
