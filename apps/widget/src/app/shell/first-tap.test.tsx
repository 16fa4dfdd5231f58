// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { nigeria } from '../../flows/nigerian-banks/nigerian-banks-fixture.ts';
import { indiaCatalogue, regionsFixture } from '../../kit/method/catalogue-fixture.ts';
import { createFixtureServices, createSession } from '../../kit/session/services-fixture.ts';
import { type OpenedWidget, openWidget } from './shell-fixture.tsx';

const answers = {
  'methods-payment-v5': indiaCatalogue,
  'methods-withdrawal': nigeria,
  'methods-country-selector-v2': regionsFixture,
};

/** Opens a list and lets the page be idle until all screens are loaded. */
async function openIdle(path: string, session = createSession()): Promise<OpenedWidget> {
  const widget = await openWidget(path, createFixtureServices(answers, { session }));
  for (let turn = 0; turn < 40; turn += 1) await widget.pass(50);
  return widget;
}

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
  sessionStorage.clear();
});

describe('[UI-5] [LIST-4] a tap on an idle list draws its page in the same turn', () => {
  /** A press by the platform, and the microtasks of its event. No file can arrive in them, and React defers nothing to them. */
  const tap = async (name: string | RegExp) => {
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
    screen.getByRole('button', { name }).click();
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  };

  test.each([
    ['UPI apps', 'UPI apps'],
    ['Bank card', 'Bank card'],
    [/^Crypto/, 'Crypto'],
    [/^Cash/, 'Cash'],
  ])('of deposits: %s', async (tile, heading) => {
    await openIdle('/deposit');
    await tap(tile);
    expect(screen.getByRole('heading', { level: 2, name: heading })).toBeVisible();
  });

  test.each([
    [/^Bank card/, 'Bank card'],
    [/^Crypto/, 'Crypto'],
  ])('of withdrawals: %s', async (tile, heading) => {
    await openIdle('/withdrawal', createSession({ country: 'NG', currency: 'NGN' }));
    await tap(tile);
    expect(screen.getByRole('heading', { level: 2, name: heading })).toBeVisible();
  });

  test('and the sheet of regions', async () => {
    await openIdle('/deposit');
    await tap(/^Region/);
    expect(screen.getByRole('dialog')).toBeVisible();
  });
});

describe('[UI-5] the page that the pointer is near', () => {
  const near = (name: string | RegExp) => fireEvent.pointerEnter(screen.getByRole('button', { name }));
  const hiddenHeading = (name: string) => screen.queryByRole('heading', { level: 2, name, hidden: true });

  test('is drawn before the tap, asks nothing, and the tap shows the same elements', async () => {
    const { services, pass } = await openIdle('/deposit');
    expect(hiddenHeading('PhonePe')).toBeNull();
    near('PhonePe');
    await pass(0);
    const heading = hiddenHeading('PhonePe');
    expect(heading).not.toBeVisible();
    expect(screen.getByRole('button', { name: 'PhonePe' })).toBeVisible();
    expect(services.requestsOf('deposit-limits')).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'PhonePe' }));
    await pass(0);
    expect(screen.getByRole('heading', { level: 2, name: 'PhonePe' })).toBe(heading);
    expect(heading).toBeVisible();
  });

  test('is one at a time, and another tap opens another page', async () => {
    const { pass } = await openIdle('/deposit');
    near('PhonePe');
    await pass(0);
    near('Bank card');
    await pass(0);
    expect(hiddenHeading('PhonePe')).toBeNull();
    expect(hiddenHeading('Bank card')).not.toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'UPI apps' }));
    await pass(0);
    expect(screen.getByRole('heading', { level: 2, name: 'UPI apps' })).toBeVisible();
    expect(hiddenHeading('Bank card')).toBeNull();
  });

  test('[NAV-4] starts from the beginning at the next visit', async () => {
    const { pass } = await openIdle('/deposit');
    const visit = async () => {
      near('PhonePe');
      await pass(0);
      fireEvent.click(screen.getByRole('button', { name: 'PhonePe' }));
      await pass(0);
      return screen.getByRole('heading', { level: 2, name: 'PhonePe' });
    };
    const first = await visit();
    fireEvent.click(screen.getByRole('button', { name: 'Back' }));
    await waitFor(() => expect(hiddenHeading('PhonePe')).toBeNull());
    expect(await visit()).not.toBe(first);
  });

  test('is drawn again when the session has changed: a form keeps the currency that it began with', async () => {
    const { services, pass } = await openIdle('/deposit');
    near('PhonePe');
    await pass(0);
    const before = hiddenHeading('PhonePe');
    expect(before).not.toBeNull();
    const { payload } = services.session.getState();
    act(() => services.session.setState({ payload: { ...payload, bonusList: [] } }));
    await pass(0);
    expect(before).not.toBeInTheDocument();
  });

  test('is the sheet of regions, too, which opens at the tap alone', async () => {
    const { pass } = await openIdle('/deposit');
    near(/^Region/);
    await pass(0);
    expect(document.querySelector('dialog')).not.toBeNull();
    expect(screen.queryByRole('dialog')).toBeNull();
    const list = screen.getByRole('button', { name: 'Bank card' });
    fireEvent.click(screen.getByRole('button', { name: /^Region/ }));
    await pass(0);
    expect(screen.getByRole('dialog')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Bank card', hidden: true })).toBe(list);
  });
});

test('[LIST-6] an offer to repeat a deposit fills in the form, also if the form was drawn before', async () => {
  const lastDeposit = { paymentMethod: 'phonepe', currency: 'INR', amount: '500.00' };
  const services = createFixtureServices({ ...answers, 'methods-payment-v5': { ...indiaCatalogue, lastDeposit } });
  const { pass } = await openWidget('/deposit', services);
  for (let turn = 0; turn < 40; turn += 1) await pass(50);
  fireEvent.pointerEnter(screen.getByRole('button', { name: 'PhonePe' }));
  await pass(0);
  fireEvent.click(screen.getByRole('button', { name: 'Deposit ⁨₹500⁩ again' }));
  await pass(0);
  expect(screen.getByRole('textbox', { name: 'Amount' })).toHaveValue('500.00');
});

describe('[UI-5] what the page of a method asks', () => {
  const near = (name: string) => fireEvent.pointerEnter(screen.getByRole('button', { name }));

  test('is asked for the one method that the pointer stays on, and the page asks it no more', async () => {
    const { services, pass } = await openIdle('/deposit');
    const asked = () => services.requestsOf('deposit-limits');
    near('UPI apps');
    await pass(79);
    fireEvent.pointerLeave(screen.getByRole('button', { name: 'UPI apps' }));
    near('PhonePe');
    await pass(79);
    expect(asked()).toEqual([]);
    await pass(1);
    expect(asked()).toEqual([{ currency: 'INR', paymentMethod: 'phonepe' }]);
    fireEvent.click(screen.getByRole('button', { name: 'PhonePe' }));
    await pass(100);
    expect(asked()).toHaveLength(1);
  });

  test('is asked for nothing by a pointer that only passes over the list', async () => {
    const { services, pass } = await openIdle('/deposit');
    for (const name of ['UPI apps', 'Bank card', 'PhonePe']) {
      near(name);
      await pass(20);
      fireEvent.pointerLeave(screen.getByRole('button', { name }));
    }
    await pass(5000);
    expect(services.requestsOf('deposit-limits')).toEqual([]);
  });
});
