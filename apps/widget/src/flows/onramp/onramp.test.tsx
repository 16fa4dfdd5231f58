import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { depositId, onrampServices } from './onramp-fixture.ts';

const user = userEvent.setup();

const refused = (code: string, httpStatus: number) => () =>
  Promise.reject(new ClientError({ kind: 'refused', code, status: httpStatus, message: code }));

async function open(
  answers: Record<string, unknown>,
  path = `/deposit/onramp/onramp_card/offer-list?depositId=${depositId}`,
) {
  return openWidget(path, onrampServices(answers));
}

const goOn = () => screen.getByRole('button', { name: /^Continue with/ });

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
  sessionStorage.clear();
  vi.spyOn(window, 'open').mockReturnValue(null);
});

test('[AMT-8] the amount is closed until the limits are there, and stays so without them, with the reason', async () => {
  let fail: (error: unknown) => void = () => undefined;
  const waiting = () =>
    new Promise((_resolve, reject) => {
      fail = reject;
    });
  const { pass, address } = await open({ 'deposit-limits': waiting }, '/deposit/onramp/onramp_card');
  const amount = screen.getByRole('textbox', { name: 'Amount' });
  expect(amount).toBeDisabled();
  expect(screen.queryByRole('button', { name: /^₹/ })).toBeNull();
  fail(new ClientError({ kind: 'refused', code: 'method-unavailable', status: 400, message: 'none' }));
  await pass(0);
  expect(await screen.findByText('This currency is not available right now. Choose another one.')).toBeVisible();
  expect(amount).toBeDisabled();
  expect(screen.queryByRole('button', { name: /^(₹|Deposit)/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'All methods' }));
  await pass(0);
  expect(address()).toBe('/deposit');
});

test('[AMT-8] where the server names no limits of its own, those of the catalogue hold', async () => {
  await open({}, '/deposit/onramp/onramp_card');
  expect(await screen.findByText(/^From .*₹2,000.* to .*₹2,00,000/)).toBeVisible();
});

test('[DEP-14] [DEP-2] the amount leads to the offers, without a window', async () => {
  const { pass, address, services } = await open({}, '/deposit/onramp/onramp_card');
  await user.type(screen.getByRole('textbox', { name: 'Amount' }), '10000');
  await user.click(screen.getByRole('button', { name: /^Deposit/ }));
  await pass(0);
  expect(window.open).not.toHaveBeenCalled();
  const [request] = services.requestsOf('deposit-create') as { depositId: string }[];
  expect(address()).toBe(`/deposit/onramp/onramp_card/offer-list?depositId=${request?.depositId}`);
  expect(screen.getByRole('radio', { name: /Bank transfer/ })).toBeChecked();
});

test('[DEP-14] [NAV-7] the best offer comes first, each with amount, fee and difference; HTML is shown as text', async () => {
  await open({});
  const rows = screen
    .getAllByRole('radio')
    .map((radio) => radio.closest('label')?.textContent?.replace(/[\u2066-\u2069]/g, ''));
  expect(rows).toEqual([
    'Bank transferBest offerYou receive 118.56 USDTFee ₹120.00',
    'Shop <b>You receive 116.52 USDTNo fee2.04 USDT less',
    expect.stringMatching(/Bank cardYou receive 115.32 USDTFee ₹390.003.24 USDT less/),
  ]);
  // The coins are the seller's business: the balance grows by the user's own money.
  expect(
    screen.getByText(/₹.* will be added to your balance here\. The coins are used only for this payment\.$/),
  ).toBeVisible();
});

test('[DEP-14] [NET-7] the head shows the coin that is bought, whatever the method’s own mark is', async () => {
  const drawing = { ok: true, status: 200, text: () => Promise.resolve('<svg xmlns="http://www.w3.org/2000/svg"/>') };
  const fetchFile = vi.spyOn(globalThis, 'fetch').mockResolvedValue(drawing as Response);
  await open({});
  expect(fetchFile.mock.calls.map(([address]) => address)).toEqual(['/cashier/static/icons/usdt.svg']);
  fetchFile.mockRestore();
});

describe('[DEP-14] continuing with a seller', () => {
  test('asks for the chosen offer once, and a blocked window leaves a link, then the status', async () => {
    const { services, pass, address } = await open({
      'external-deposit-continue': { redirect: 'https://seller.example/pay' },
    });
    await user.click(screen.getByRole('radio', { name: /Bank card/ }));
    await user.dblClick(goOn());
    await pass(0);
    expect(services.requestsOf('external-deposit-continue')).toEqual([{ depositId, method: 'card' }]);
    const link = screen.getByRole('link', { name: 'Open payment page' });
    expect(link).toHaveAttribute('href', 'https://seller.example/pay');
    await user.click(link);
    await pass(0);
    expect(address()).toBe(`/deposit/complete?depositId=${depositId}&method=onramp_card`);
  });

  test('that fails ends as mistaked, with a button back to the on-ramp', async () => {
    const { pass, address } = await open({ 'external-deposit-continue': { error: 'sold out' } });
    await user.click(goOn());
    await pass(0);
    expect(address()).toContain('status=mistaked');
    await user.click(screen.getByRole('button', { name: 'Back to payment' }));
    await pass(0);
    expect(address()).toBe('/deposit/onramp/onramp_card');
  });

  test('never opens a script, and says so', async () => {
    const { pass } = await open({ 'external-deposit-continue': { redirect: 'javascript:alert(1)' } });
    await user.click(goOn());
    await pass(0);
    expect(screen.getByText(/could not open the seller’s page safely/)).toBeVisible();
    expect(window.open).not.toHaveBeenCalled();
    expect(goOn()).toBeVisible();
    // The words are about that seller.
    await user.click(screen.getByRole('radio', { name: /Bank card/ }));
    expect(screen.queryByText(/could not open the seller’s page safely/)).toBeNull();
  });

  test('without an answer stays, and a deposit that is over leads to its status', async () => {
    const { services, pass, address } = await open({
      'external-deposit-continue': () =>
        Promise.reject(new ClientError({ kind: 'network', code: 'socket.networkError', status: 0, message: 'lost' })),
    });
    await user.click(goOn());
    await pass(0);
    expect(screen.getByText(/did not respond/)).toBeVisible();
    services.answer('external-deposit-continue', refused('state-conflict', 409));
    await user.click(goOn());
    await pass(0);
    expect(address()).toBe(`/deposit/complete?depositId=${depositId}&method=onramp_card`);
  });
});

test('[DEP-14] [DEP-15] the status flips to accepted after five minutes, not after one', async () => {
  const { pass } = await open({}, `/deposit/complete?depositId=${depositId}&method=onramp_card`);
  const waiting = screen.getByRole('heading', { level: 2 }).textContent;
  await pass(299_000);
  expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent(String(waiting));
  await pass(1000);
  expect(screen.getByRole('heading', { level: 2 })).not.toHaveTextContent(String(waiting));
});

test('without offers there is a way back to the amount', async () => {
  const { pass, address } = await open({
    'deposit-create': { apiResponse: { depositId, data: { unifiedFlow: false } } },
  });
  expect(screen.getByText('No offers right now')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Change amount' }));
  await pass(0);
  expect(address()).toBe('/deposit/onramp/onramp_card');
});
