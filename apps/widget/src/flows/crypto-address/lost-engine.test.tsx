// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { codeTimeoutMs } from '../../api/insist.ts';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { cryptoServices, tron } from './crypto-address-fixture.ts';

const engine = vi.hoisted(() => ({ isLost: false }));
vi.mock('../../kit/deposit/deposit-run.ts', async (load) => {
  const loaded = await load<typeof import('../../kit/deposit/deposit-run.ts')>();
  return {
    ...loaded,
    createFormDriver(...options: Parameters<typeof loaded.createFormDriver>) {
      if (engine.isLost) throw new TypeError('Failed to fetch dynamically imported module');
      return loaded.createFormDriver(...options);
    },
  };
});

beforeEach(() => {
  window.scrollTo = () => undefined;
  localStorage.clear();
  sessionStorage.clear();
  vi.spyOn(console, 'warn').mockReturnValue();
});

test('[CRY-1] [NET-5] an address whose engine does not load says so, and another try shows it', async () => {
  engine.isLost = true;
  const { services, pass } = await openWidget('/deposit/crypto/usdt', cryptoServices());
  await pass(0);
  expect(screen.getByText('Getting your address…')).toBeInTheDocument();
  await pass(codeTimeoutMs);
  expect(screen.getByText('We could not get an address')).toBeVisible();
  expect(services.requestsOf('deposit-create')).toEqual([]);
  engine.isLost = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await pass(0);
  await pass(0);
  expect(screen.getByText(tron.slice(5, -5), { exact: false, selector: 'bdi' })).toBeVisible();
  expect(services.requestsOf('deposit-create')).toHaveLength(1);
});
