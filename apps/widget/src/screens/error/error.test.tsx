// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { indiaCatalogue } from '../../kit/method/catalogue-fixture.ts';
import { createFixtureServices, createSession } from '../../kit/session/services-fixture.ts';

const user = userEvent.setup();
const fault = { errorMessage: 'The sky fell', stacktrace: 'Error: sky\n    at secret.ts:1' };
const services = (forceLogging = false) =>
  createFixtureServices({ 'methods-payment-v5': indiaCatalogue }, { session: createSession({ forceLogging }) });

beforeEach(() => {
  window.scrollTo = () => undefined;
});

test('[NAV-5] without a message the text is Unknown error, and the refresh leads to the deposit list', async () => {
  const { address, pass } = await openWidget('/error', services());
  expect(screen.getByText('Unknown error')).toBeVisible();
  expect(screen.getByText('Error occurred')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Refresh' }));
  await pass(0);
  expect(address()).toBe('/deposit');
});

test('[NAV-5] the message and a support code are shown, the stack is not', async () => {
  await openWidget('/error', services(), fault);
  expect(screen.getByText('The sky fell')).toBeVisible();
  expect(document.body.textContent).not.toContain('secret.ts');
  expect(screen.getByText(/^Support code: [0-9A-Z]{6}$/)).toBeVisible();
});

test('[NAV-5] while debugging the stack is shown', async () => {
  await openWidget('/error', services(true), fault);
  expect(screen.getByText(/secret\.ts:1/)).toBeVisible();
});

test.each([
  ['/withdrawal', '/withdrawal'],
  ['//evil.example', '/deposit'],
  ['https://evil.example', '/deposit'],
])('[NAV-5] backRoute %s leads to %s', async (backRoute, to) => {
  const { address, pass } = await openWidget(`/error?backRoute=${encodeURIComponent(backRoute)}`, services());
  const replace = vi.spyOn(history, 'replaceState');
  await user.click(screen.getByRole('button', { name: 'Refresh' }));
  expect(replace.mock.calls[0]?.[2]).toBe(`/cashier${to}`);
  await pass(0);
  expect(address()).toBe(to);
});
