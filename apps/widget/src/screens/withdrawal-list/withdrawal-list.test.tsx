// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { createSession } from '../../kit/session/services-fixture.ts';
import { withdrawalCatalogue, withdrawalServices } from '../../kit/withdrawal/withdrawal-fixture.ts';

const user = userEvent.setup();
const words = 'Your balance is empty, so there is nothing to withdraw yet.';

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
});

const openWith = (amount: string, additional?: string) =>
  openWidget(
    '/withdrawal',
    withdrawalServices(
      { 'withdrawal-check': {} },
      {
        ...withdrawalCatalogue,
        balance: { currency: 'INR', amount },
        ...(additional !== undefined && { additionalBalance: { currency: 'INR', amount: additional } }),
      },
    ),
  );

test('[WD-1] an empty balance is said on the list, with the way to a deposit', async () => {
  const { address, pass } = await openWith('0.00', '0.00');
  expect(await screen.findByText(words)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Deposit' }));
  await pass(0);
  expect(address()).toBe('/deposit');
});

test.each([
  ['0.01', undefined],
  ['0.00', '5.00'],
])('[WD-1] with %s and %s there is something to withdraw', async (amount, additional) => {
  await openWith(amount, additional);
  expect(await screen.findByRole('button', { name: /^Bank card/ })).toBeVisible();
  expect(screen.queryByText(words)).toBeNull();
});

test.each([
  ['withdrawal', '/withdrawal/redirect/card_withdrawal', '750.00'],
  ['deposit', '/withdrawal', ''],
] as const)('[HOST-2] a start of a %s leads to %s with the amount %j', async (direction, path, amount) => {
  const services = withdrawalServices({ 'withdrawal-check': {} }, withdrawalCatalogue);
  const start = { method: 'card_withdrawal', amount: '750', currency: 'INR', direction };
  services.session.setState(createSession({ start }), true);
  const { address, pass } = await openWidget('/withdrawal', services);
  await pass(0);
  expect(address()).toBe(path);
  if (direction === 'deposit') await user.click(await screen.findByRole('button', { name: /^Bank card/ }));
  expect(await screen.findByRole('textbox', { name: /Amount/ })).toHaveValue(amount);
});
