// @vitest-environment jsdom
import type { Bonus, PaymentMethod } from '@opencashier/contract/api';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { createFixtureServices } from '../session/services-fixture.ts';
import { bonusFixture, bonusServices, spinsFixture } from './bonus-fixture.ts';

const user = userEvent.setup();
const epoch = createFixtureServices().clock.now();
const endsIn = (ms: number) => ({ mustAccruedBefore: new Date(epoch + ms).toISOString() });

async function open(path: string, bonusList: Bonus[], more: Partial<PaymentMethod> = {}) {
  const services = bonusServices(bonusList, more);
  const widget = await openWidget(path, services);
  return { ...widget, creations: () => services.requestsOf('deposit-create') as Record<string, unknown>[] };
}
const form = '/deposit/redirect/bank_card';
const amount = () => screen.getByRole('textbox', { name: 'Amount' });
const pay = () => screen.getByRole('button', { name: /^Deposit/ });

// Lazy in the widget; here only its reading takes time.
beforeAll(() => import('./bonus-section.tsx'));

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
  sessionStorage.clear();
  vi.spyOn(window, 'open').mockReturnValue(null);
});

describe('[BON-1] on the list', () => {
  test('banners show the gain and the time left, each second', async () => {
    const bonuses = [
      bonusFixture('1', endsIn(8_049_000)),
      spinsFixture('2', { content: { title: '<i>Spins</i>' } }),
      bonusFixture('3', { currency: 'USD' }),
    ];
    const { pass, address } = await open('/deposit', bonuses);
    const section = within(await screen.findByRole('region', { name: 'Bonuses' }));
    expect(section.getAllByRole('button')).toHaveLength(2);
    const banner = section.getByRole('button', { name: 'Bonus 1' });
    expect(banner).toHaveAccessibleDescription('Up to ⁨₹20,000⁩, deposit from ⁨₹500⁩');
    expect(banner).toHaveAttribute('data-colour', 'purple');
    expect(banner).toHaveTextContent('02:14:09');
    await pass(2000);
    expect(banner).toHaveTextContent('02:14:07');
    const spins = section.getByRole('button', { name: '<i>Spins</i>' });
    expect(spins).toHaveAttribute('data-colour', 'freespin');
    expect(spins).toHaveAccessibleDescription('50 free spins, deposit from ⁨₹1,000⁩');
    await user.click(spins);
    await pass(0);
    expect(address()).toBe('/deposit/bonus-details?bonus=2');
  });

  test('an ended bonus disappears by itself', async () => {
    const { pass } = await open('/deposit', [bonusFixture('1', endsIn(1500)), bonusFixture('2')]);
    await screen.findByRole('button', { name: 'Bonus 1' });
    await pass(2000);
    expect(screen.queryByRole('button', { name: 'Bonus 1' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Bonus 2' })).toBeVisible();
  });
});

describe('[BON-1] [BON-3] the details', () => {
  test('shows all terms, with the maximum win and withdrawal, the switch, and the other bonuses', async () => {
    const { address, pass } = await open('/deposit/bonus-details', [bonusFixture('1'), spinsFixture('2')]);
    expect(screen.getByRole('heading', { name: 'Bonus 1' })).toBeVisible();
    const term = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling;
    expect(term('Bonus')).toHaveTextContent('100%');
    expect(term('Minimum deposit')).toHaveTextContent('₹500');
    expect(term('Maximum bonus')).toHaveTextContent('₹20,000');
    expect(term('Maximum withdrawal')).toHaveTextContent('₹2,00,000');
    expect(term('Wagering requirement')).toHaveTextContent('×30');
    const choice = screen.getByRole('switch', { name: 'Deposit with a bonus' });
    expect(choice).toBeChecked();
    await user.click(choice);
    expect(choice).not.toBeChecked();
    await user.click(screen.getByRole('button', { name: 'Bonus 2' }));
    await pass(0);
    expect(address()).toBe('/deposit/bonus-details?bonus=2');
    expect(term('Games')).toHaveTextContent('Sand Dunes, <b>Pyramid</b>');
    await user.click(screen.getByRole('button', { name: 'Use this bonus' }));
    expect(screen.getByRole('switch', { name: 'Deposit with a bonus' })).toBeChecked();
  });

  test('an ended bonus says so and leads back', async () => {
    const { address, pass } = await open('/deposit/bonus-details?bonus=gone', []);
    expect(screen.getByText('This bonus has ended')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'See payment methods' }));
    await pass(0);
    expect(address()).toBe('/deposit');
  });
});

describe('on the form', () => {
  test('[BON-3] before paying, the form shows the missing amount and the gain, up to the maximum', async () => {
    await open(form, [bonusFixture('1')]);
    expect(screen.getByText('Up to ⁨₹20,000⁩, deposit from ⁨₹500⁩')).toBeVisible();
    await user.type(amount(), '400');
    expect(screen.getByText('Deposit ⁨₹100⁩ more to get it')).toBeVisible();
    await user.clear(amount());
    await user.type(amount(), '1500');
    expect(screen.getByText('Bonus +⁨₹1,500⁩')).toBeVisible();
    expect(screen.getByText('100% bonus, ×30 wagering')).toBeVisible();
    await user.clear(amount());
    await user.type(amount(), '30000');
    expect(screen.getByText('Bonus +⁨₹20,000⁩')).toBeVisible();
  });

  test('[BON-2] [BON-3] an earned bonus goes into the create call; switched off, too small or restricted it does not', async () => {
    const first = await open(form, [bonusFixture('1')]);
    await user.type(amount(), '1500');
    await user.click(pay());
    expect(first.creations()).toMatchObject([{ isActivatedBonus: true, bonusId: '1' }]);
  });

  test('[BON-2] switched off it stays out of the call', async () => {
    const { creations } = await open(form, [bonusFixture('1')]);
    await user.type(amount(), '1500');
    await user.click(screen.getByRole('switch', { name: 'Use the bonus “Bonus 1”' }));
    expect(screen.getByText('No bonus on this deposit')).toBeVisible();
    await user.click(pay());
    expect(creations()[0]).toMatchObject({ isActivatedBonus: false });
    expect(creations()[0]).not.toHaveProperty('bonusId');
  });

  test('[BON-2] a restricted method says so and never takes one', async () => {
    const { creations } = await open(form, [bonusFixture('1')], { flags: { bonusRestricted: true } });
    expect(screen.getByText('No bonus with this payment method')).toBeVisible();
    expect(screen.queryByRole('switch')).toBeNull();
    await user.type(amount(), '1500');
    await user.click(pay());
    expect(creations()[0]).toMatchObject({ isActivatedBonus: false });
  });

  test('[BON-2] while the deposit is created the bonus of the press stays on the screen, even if it ends', async () => {
    const { pass, creations } = await open(form, [bonusFixture('1', endsIn(1500)), bonusFixture('2')]);
    await user.type(amount(), '1500');
    await user.click(pay());
    await pass(3000);
    expect(screen.getByRole('switch', { name: 'Use the bonus “Bonus 1”' })).toBeChecked();
    expect(creations()).toMatchObject([{ bonusId: '1' }]);
  });

  test('[BON-2] a bonus that ends between the last second and the tap: nothing is sent, and the payer is asked again', async () => {
    const { services, pass, creations } = await open(form, [bonusFixture('1', endsIn(600_000)), bonusFixture('2')]);
    await user.type(amount(), '1500');
    services.api.serverOffsetMs = () => 600_000;
    await user.click(pay());
    expect(creations()).toEqual([]);
    expect(screen.getByText(/This bonus has ended. Review your deposit/)).toBeVisible();
    expect(screen.getByRole('switch', { name: 'Use the bonus “Bonus 2”' })).toBeChecked();
    await user.click(pay());
    await pass(0);
    expect(creations()).toMatchObject([{ isActivatedBonus: true, bonusId: '2' }]);
  });

  test('[BON-2] when the server says that it has ended, the user is asked again, under another key', async () => {
    const { services, pass, creations } = await open(form, [bonusFixture('1')]);
    services.answer('deposit-create', () =>
      Promise.reject(new ClientError({ kind: 'refused', code: 'bonus-expired', status: 422, message: 'ended' })),
    );
    await user.type(amount(), '1500');
    await user.click(pay());
    await pass(0);
    expect(screen.queryByRole('switch')).toBeNull();
    expect(screen.getAllByText(/bonus has ended. Review your deposit/).length).toBeGreaterThan(0);
    await user.click(pay());
    await pass(0);
    const [one, two] = creations();
    expect(two).toMatchObject({ isActivatedBonus: false });
    expect(two?.['depositId']).not.toBe(one?.['depositId']);
  });

  test('without a bonus nothing is shown', async () => {
    await open(form, []);
    expect(screen.queryByRole('switch')).toBeNull();
    expect(screen.queryByText(/bonus/i)).toBeNull();
  });
});
