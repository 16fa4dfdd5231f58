// @vitest-environment jsdom
/** What a press of the form does after an earlier press without an outcome (DEP-16). */
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { card } from './redirect-fixture.ts';
import { amount, created, fault, openRedirect, pay, refused } from './redirect-page-fixture.ts';

const user = userEvent.setup();

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
  sessionStorage.clear();
  vi.spyOn(window, 'open').mockReturnValue(null);
});

test('[DEP-16] [HOST-11] with a session that is over, a second press ends too; a renewed session sends it', async () => {
  const over = refused('token-expired', 401);
  const { services, creations, pass } = await openRedirect({ 'deposit-create': over, 'deposit-cancel': over });
  const words = 'Your session has expired. Open the cashier again.';
  await user.type(amount(), '1500');
  for (let presses = 1; presses <= 3; presses += 1) {
    await user.click(pay());
    await pass(0);
    expect(fault()).toHaveTextContent(words);
    expect(pay()).not.toHaveAttribute('aria-busy', 'true');
    // The first create may still arrive, so no other is sent before its cancel is answered.
    expect(creations()).toHaveLength(1);
  }
  services.answer('deposit-cancel', ({ depositId }: { depositId: string }) => ({ depositId, isCancelled: true }));
  services.answer('deposit-create', created());
  await user.click(pay());
  await pass(0);
  expect(creations()).toHaveLength(2);
  expect(screen.getByRole('link', { name: 'Open payment page' })).toBeVisible();
});

const phone = () => screen.getByRole('textbox', { name: 'Phone' });
const withPhone = card({ fields: [{ name: 'phone', type: 'text', props: { label: 'Phone' } }] });

/** Presses, leaves before the answer, comes back and types `second`. */
async function comeBack(first: string, second: string) {
  const widget = await openRedirect(
    {
      'deposit-create': () => new Promise(() => undefined),
      'deposit-cancel': ({ depositId }: { depositId: string }) => ({ depositId, isCancelled: true }),
    },
    withPhone,
  );
  await user.type(amount(), '1500');
  await user.type(phone(), first);
  await user.click(pay());
  await widget.pass(0);
  const goTo = async (path: string) => {
    history.pushState(null, '', `/cashier${path}`);
    act(() => void dispatchEvent(new PopStateEvent('popstate')));
    for (let turn = 0; turn < 5; turn += 1) await widget.pass(0);
  };
  await goTo('/deposit');
  await goTo('/deposit/redirect/bank_card');
  widget.services.answer('deposit-create', created());
  await user.clear(amount());
  await user.type(amount(), '1500');
  await user.clear(phone());
  await user.type(phone(), second);
  await user.click(pay());
  await widget.pass(0);
  const [before, after] = widget.creations();
  return { ...widget, before, after };
}

test('[DEP-16] a field that was corrected after leaving is sent under a new key, and the first create is cancelled', async () => {
  const { services, before, after, creations } = await comeBack('5550001', '5550002');
  expect(creations()).toHaveLength(2);
  expect(after).toMatchObject({ fields: { phone: '5550002' } });
  expect(after?.['depositId']).not.toBe(before?.['depositId']);
  expect(services.requestsOf('deposit-cancel')).toEqual([
    { depositId: before?.['depositId'], paymentMethod: 'bank_card' },
  ]);
  expect(localStorage.getItem('cashier.deposit')).not.toContain('555000');
});

test('[DEP-16] the same fields after leaving are the same intent, under the same key', async () => {
  const { services, before, after } = await comeBack('5550001', '5550001');
  expect(after?.['depositId']).toBe(before?.['depositId']);
  expect(services.requestsOf('deposit-cancel')).toEqual([]);
});
