// @vitest-environment jsdom
import type { DepositData } from '@opencashier/contract/api';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { paymentId, paymentServices } from '../../kit/payment/payment-fixture.ts';
import { data, link, method } from './india-fixture.ts';

const user = userEvent.setup();
const openAt = (path: string, answer: DepositData | null = data) =>
  openWidget(`/deposit/india/bank_card${path}`, paymentServices(answer, { method }));

beforeEach(() => {
  window.scrollTo = () => undefined;
  vi.spyOn(window, 'open');
  localStorage.clear();
  sessionStorage.clear();
});

describe('[DEP-10] India', () => {
  test('the amount leads to the invoice, without a window', async () => {
    const { address, pass } = await openAt('');
    await user.type(screen.getByRole('textbox', { name: 'Amount' }), '1500');
    await user.click(screen.getByRole('button', { name: /^Deposit/ }));
    await pass(0);
    expect(window.open).not.toHaveBeenCalled();
    expect(address()).toBe(`/deposit/india/bank_card/invoice?depositId=${paymentId}`);
  });

  test('[NAV-7] apps of allowed schemes, a code, its id to copy, the rest to copy; all of it after a reload', async () => {
    const { pass } = await openAt(`/invoice?depositId=${paymentId}`);
    await vi.waitFor(async () => {
      await pass(0);
      expect(screen.getByRole('img')).toBeVisible();
    });
    expect(screen.getByRole('link', { name: 'UPI' })).toHaveAttribute('href', link);
    expect(screen.getByRole('link', { name: 'PhonePe' })).toHaveAttribute('href', 'phonepe://pay?pa=shop@bank');
    expect(screen.queryByRole('link', { name: 'Evil' })).toBeNull();
    expect(screen.getByText('shop@bank')).toBeVisible();
    expect(screen.getByText('R1')).toBeVisible();
    expect(screen.getByRole('timer')).toHaveTextContent('10:00');
    expect(screen.getByRole('button', { name: 'I have paid' })).toBeVisible();
  });

  test('after the time is over apps, code and "I have paid" are hidden', async () => {
    const { pass } = await openAt(`/invoice?depositId=${paymentId}`);
    await pass(600_000);
    expect(screen.queryByRole('link', { name: 'UPI' })).toBeNull();
    expect(screen.queryByRole('img')).toBeNull();
    expect(screen.queryByRole('button', { name: 'I have paid' })).toBeNull();
  });

  test.each<[string, DepositData | null]>([
    ['nothing in it', { created: data.created }],
    ['no data', null],
    ['only a hostile link', { details: [{ name: 'Evil', value: 'javascript:alert(1)', type: 'link' }] }],
  ])('an answer with %s offers a way to continue', async (_name, answer) => {
    await openAt(`/invoice?depositId=${paymentId}`, answer);
    expect(screen.getByText('Nothing to pay here')).toBeVisible();
    expect(screen.getByRole('button', { name: 'All methods' })).toBeVisible();
    expect(document.querySelector('a[href^="javascript"]')).toBeNull();
  });
});
