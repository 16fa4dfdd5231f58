// @vitest-environment jsdom
import type { DepositData, MethodFlags } from '@opencashier/contract/api';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { paymentId, paymentMethod, paymentServices } from '../../kit/payment/payment-fixture.ts';
import { data } from './cash-fixture.ts';

const user = userEvent.setup();
const openAt = (path: string, answer: DepositData | null = data, flags: MethodFlags = {}) =>
  openWidget(
    `/deposit/cash/bank_card${path}`,
    paymentServices(answer, { method: paymentMethod({ cardViewType: 20, flags }) }),
  );

beforeEach(() => {
  window.scrollTo = () => undefined;
  vi.spyOn(window, 'open');
  localStorage.clear();
  sessionStorage.clear();
});

describe('[DEP-13] cash', () => {
  test('the amount leads to the agents, without a window', async () => {
    const { address, pass } = await openAt('');
    await user.type(screen.getByRole('textbox', { name: 'Amount' }), '1500');
    await user.click(screen.getByRole('button', { name: /^Deposit/ }));
    await pass(0);
    expect(window.open).not.toHaveBeenCalled();
    expect(address()).toBe(`/deposit/cash/bank_card/agents?depositId=${paymentId}`);
    expect(screen.getByRole('link', { name: 'Agent North' })).toBeVisible();
  });

  test('the agent of the catalogue can be asked before; a link that may not be opened is not shown', async () => {
    await openAt('', data, { agentLink: 'https://agents.example/in' });
    const link = screen.getByRole('link', { name: 'Contact an agent' });
    expect(link).toHaveAttribute('href', 'https://agents.example/in');
    expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  });

  test('[FORM-9] a hostile contact of the catalogue is no link', async () => {
    await openAt('', data, { agentLink: 'javascript:alert(1)' });
    expect(screen.queryByRole('link', { name: 'Contact an agent' })).toBeNull();
    expect(screen.getByRole('textbox', { name: 'Amount' })).toBeVisible();
  });

  test('[NAV-7] after a reload the agents are shown again, with what to tell them', async () => {
    await openAt(`/agents?depositId=${paymentId}`);
    expect(screen.getByRole('link', { name: 'Agent North' })).toHaveAttribute('href', 'https://agents.example/1');
    expect(screen.queryByRole('link', { name: 'Agent Evil' })).toBeNull();
    expect(screen.getByText('SBX1')).toBeVisible();
    expect(screen.getByText('₹1,500.00')).toBeVisible();
    // Cash is no transfer.
    expect(screen.getByText('Hand over exactly')).toBeVisible();
    expect(screen.queryByText(/transfer/i)).toBeNull();
  });

  test('an answer without agents offers a way to continue', async () => {
    await openAt(`/agents?depositId=${paymentId}`, null);
    expect(screen.getByText('Nothing to pay here')).toBeVisible();
    expect(screen.getByRole('button', { name: 'All methods' })).toBeVisible();
  });
});
