// @vitest-environment jsdom
import type { MethodList } from '@opencashier/contract/api';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { createFixtureServices } from '../session/services-fixture.ts';
import { indiaCatalogue, sharedTileCatalogue } from './catalogue-fixture.ts';

const user = userEvent.setup();

const open = (path: string, list: MethodList = sharedTileCatalogue) =>
  openWidget(path, createFixtureServices({ 'methods-payment-v5': list }));
const amount = () => screen.findByRole('textbox', { name: 'Amount' });
const choice = (name: string) => screen.findByRole('radio', { name });

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
  sessionStorage.clear();
});

test('[LIST-2] [DEP-10] the methods of one tile are choices on one page, which keep the typed values and the focus', async () => {
  const { address, pass } = await open('/deposit/india/upi');
  expect(await choice('Pay with an app')).toBeChecked();
  await user.type(await amount(), '1200');
  await user.click(await choice('Scan a code'));
  for (let turn = 0; turn < 5; turn += 1) await pass(0);
  expect(address()).toBe('/deposit/redirect/upi_code');
  expect(await amount()).toHaveValue('1,200');
  expect(await choice('Scan a code')).toBeChecked();
  await vi.waitFor(async () => {
    await pass(0);
    expect(document.activeElement).toBe(await choice('Scan a code'));
  });
});

test('[AMT-3] for an amount outside the limits a method that accepts it is offered, one with the same way to pay first', async () => {
  const { address, pass } = await open('/deposit/india/upi');
  await choice('Pay with an app');
  await user.type(await amount(), '60000');
  await user.click(await screen.findByRole('button', { name: 'For ⁨₹60,000.00⁩: PhonePe' }));
  for (let turn = 0; turn < 5; turn += 1) await pass(0);
  expect(address()).toBe('/deposit/india/phonepe');
  expect(await choice('Pay with an app')).toBeChecked();
  expect(await amount()).toHaveValue('60,000');
  await user.clear(await amount());
  await user.type(await amount(), '250');
  expect(await screen.findByRole('button', { name: 'For ⁨₹250.00⁩: Scan a code' })).toBeVisible();
  await user.type(await amount(), '000000');
  expect(screen.queryByRole('button', { name: /^For/ })).toBeNull();
});

test('[AMT-3] [LIST-2] with one way to pay left, its methods are still offered for the amounts that they accept', async () => {
  const methods = sharedTileCatalogue.methods.map((method) =>
    method.name === 'upi_code' ? { ...method, disabledReason: 'list.disabled' } : method,
  );
  const { address, pass } = await open('/deposit/india/upi', { ...sharedTileCatalogue, methods });
  await user.type(await amount(), '60000');
  await user.click(await screen.findByRole('button', { name: 'For ⁨₹60,000.00⁩: PhonePe' }));
  for (let turn = 0; turn < 5; turn += 1) await pass(0);
  expect(address()).toBe('/deposit/india/phonepe');
  expect(screen.queryByRole('radio')).toBeNull();
});

test('[HOST-2] a method behind a tile is still opened by its name', async () => {
  const { address } = await open('/deposit/india/phonepe');
  expect(address()).toBe('/deposit/india/phonepe');
  expect(await screen.findByRole('heading', { name: 'PhonePe' })).toBeVisible();
  expect(await choice('Pay with an app')).toBeChecked();
});

test('a method with its own tile has no choices', async () => {
  await open('/deposit/redirect/upi', indiaCatalogue);
  await amount();
  expect(screen.queryByRole('radio')).toBeNull();
});
