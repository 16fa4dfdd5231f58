// @vitest-environment jsdom
/** A withdrawal under a remembered key is confirmed only for the destination that the user chose (WD-2). */
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { withdrawalReport, withdrawalServices } from '../../kit/withdrawal/withdrawal-fixture.ts';

const user = userEvent.setup();
const [oldCard, newCard] = ['4242424242424242', '5555555555554444'];

interface Create {
  readonly withdrawalId: string;
  readonly fields: Readonly<Record<string, string>>;
}

const failing = (kind: 'unknown' | 'refused', code: string, status: number) =>
  Promise.reject(new ClientError({ kind, code, status, message: code }));

/** A server with the contract's promises about keys. While it is `silent`, it carries calls out without an answer. */
function createServer() {
  const known = new Map<string, { card: string; status: number }>();
  const server = { isSilent: false };
  const services = withdrawalServices();
  const lost = () => failing('unknown', 'socket.networkError', 0);
  const reportOf = (withdrawalId: string) => {
    const found = known.get(withdrawalId);
    if (found === undefined) return failing('refused', 'not-found', 404);
    const destination = [{ name: 'cardNumber', value: found.card }];
    return withdrawalReport(services, { withdrawalId, status: found.status, destination });
  };
  services.answer('withdrawal-create', ({ withdrawalId, fields }: Create) => {
    const card = fields['cardNumber']?.replaceAll(' ', '') ?? '';
    const found = known.get(withdrawalId) ?? { card, status: 0 };
    if (server.isSilent && found.card !== card) return lost();
    if (found.card !== card) return failing('refused', 'idempotency-conflict', 422);
    known.set(withdrawalId, found);
    return server.isSilent ? lost() : { withdrawalId, status: found.status, fee: '0.00', receives: '1000.00' };
  });
  services.answer('withdrawal-status', ({ withdrawalId }: Create) => reportOf(withdrawalId));
  services.answer('withdrawal-cancel', ({ withdrawalId }: Create) => {
    if (server.isSilent) return lost();
    const found = known.get(withdrawalId);
    if (found) found.status = 2;
    return { withdrawalId, status: 2 };
  });
  return { services, server, known };
}

async function withdrawTo(card: string, server: ReturnType<typeof createServer>) {
  const widget = await openWidget('/withdrawal/redirect/card_withdrawal', server.services);
  await user.type(screen.getByRole('textbox', { name: 'Amount' }), '1000');
  await user.click(screen.getByRole('textbox', { name: 'Card number' }));
  await user.paste(card);
  await user.click(screen.getByRole('button', { name: /^Withdraw/ }));
  return widget;
}

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
  sessionStorage.clear();
});

test('[WD-2] a held withdrawal to an earlier destination is never offered for another one', async () => {
  const bench = createServer();
  const { server, known } = bench;
  const first = await withdrawTo(oldCard, bench);
  await first.pass(0);
  expect(first.address()).toContain('/withdrawal/confirm');
  // Both the release and the next create lose their answers.
  server.isSilent = true;
  cleanup();
  await first.pass(0);
  const second = await withdrawTo(newCard, bench);
  await second.pass(1000);
  await second.pass(1000);
  expect(second.address()).toBe('/withdrawal/redirect/card_withdrawal');
  expect(screen.getByText('Please do not withdraw again.')).toBeVisible();
  server.isSilent = false;
  await second.pass(20_000);
  await second.pass(0);
  expect(second.address()).toContain('/withdrawal/confirm');
  expect(screen.getByText('5555 5555 5555 4444')).toBeVisible();
  expect([...known.values()]).toEqual([
    { card: oldCard, status: 2 },
    { card: newCard, status: 0 },
  ]);
});
