import { createTestClock } from '@opencashier/core/time/test-clock';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { codeTimeoutMs } from '../../api/insist.ts';
import { createDeferredDriver, isCreating } from './deferred-driver.ts';
import type { DepositDriver, DepositPress, DepositState } from './deposit-ports.ts';

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.stubGlobal('document', { querySelectorAll: () => [] });
});

const press = (more: Partial<DepositPress> = {}): DepositPress => ({
  request: { amount: '10.00', currency: 'USD', fields: {}, isActivatedBonus: false, paymentType: 'card' },
  isValid: true,
  needsPreparation: false,
  needsCaptcha: false,
  opensWindow: true,
  ...more,
});

/** A driver whose code comes when the test says so. The real driver opens the window with each press. */
function start() {
  const clock = createTestClock();
  const opened = { navigate: vi.fn(), close: vi.fn(), isClosed: () => false };
  const store = createStore<DepositState>(() => ({ at: 'idle', run: 0 }));
  const loads: { come: () => void; fail: () => void }[] = [];
  const windows: unknown[] = [];
  let open: () => unknown = () => undefined;
  const real = {
    getState: store.getState,
    subscribe: store.subscribe,
    submit: vi.fn(({ opensWindow }: DepositPress) => {
      if (opensWindow) windows.push(open());
    }),
    cancel: vi.fn(),
    close: vi.fn(),
    dispose: vi.fn(),
  };
  const ports = {
    load: vi.fn(
      (openWindow: () => unknown) =>
        new Promise<DepositDriver>((resolve, reject) => {
          open = openWindow;
          loads.push({ come: () => resolve(real), fail: () => reject(new TypeError('Failed to fetch')) });
        }),
    ),
    openWindow: vi.fn(() => opened),
    showErrors: vi.fn(),
    failed: vi.fn(),
  };
  const driver = createDeferredDriver(clock, () => ports);
  const come = async (): Promise<void> => {
    loads.at(-1)?.come();
    await clock.advanceAsync(0);
  };
  return { clock, driver, real, ports, opened, windows, store, come, last: () => loads.at(-1) };
}

describe('a press before the engine is there', () => {
  test('[DEP-1] [DEP-2] opens the window within the tap, shows as busy, and is carried out once', async () => {
    const { driver, real, ports, opened, windows, come } = start();
    driver.prepare();
    driver.submit(press());
    expect(ports.openWindow).toHaveBeenCalledOnce();
    expect(isCreating(driver.getState())).toBe(true);
    driver.submit(press({ mark: 'second' }));
    await come();
    expect(real.submit).toHaveBeenCalledExactlyOnceWith(press());
    expect(ports.openWindow).toHaveBeenCalledOnce();
    expect(windows).toEqual([opened]);
    expect(ports.load).toHaveBeenCalledOnce();
  });

  test('[DEP-2] a window that the browser blocked within the tap is not tried again later', async () => {
    const { driver, ports, windows, come } = start();
    ports.openWindow.mockReturnValue(undefined as never);
    driver.submit(press());
    await come();
    expect(windows).toEqual([undefined]);
    expect(ports.openWindow).toHaveBeenCalledOnce();
  });

  test.each([
    ['with a captcha', { needsCaptcha: true }],
    ['that pays in the widget', { opensWindow: false }],
  ])('[DEP-2] %s opens no window ahead', (_which, more) => {
    const { driver, ports } = start();
    driver.submit(press(more));
    expect(ports.openWindow).not.toHaveBeenCalled();
    expect(driver.getState().at).toBe('starting');
  });

  test('that is not valid shows its errors at once and sends nothing later', async () => {
    const { driver, real, ports, come } = start();
    driver.prepare();
    driver.submit(press({ isValid: false }));
    expect(ports.showErrors).toHaveBeenCalledOnce();
    expect(driver.getState().at).toBe('idle');
    await come();
    expect(real.submit).not.toHaveBeenCalled();
  });

  test('[NET-5] whose engine does not come closes its window and says so; the next press tries again', async () => {
    const { clock, driver, real, ports, opened, last, come } = start();
    driver.submit(press());
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      last()?.fail();
      await clock.advanceAsync(16_000);
    }
    expect(ports.failed).toHaveBeenCalledOnce();
    expect(opened.close).toHaveBeenCalledOnce();
    expect(driver.getState().at).toBe('idle');
    driver.submit(press());
    await come();
    expect(real.submit).toHaveBeenCalledOnce();
  });

  test('whose engine hangs ends as well', async () => {
    const { clock, driver, ports } = start();
    driver.submit(press());
    await clock.advanceAsync(codeTimeoutMs);
    expect(ports.failed).toHaveBeenCalledOnce();
    expect(isCreating(driver.getState())).toBe(false);
  });

  test.each(['cancel', 'close', 'dispose'] as const)(
    '[DEP-9] is dropped by `%s`, and its window closed',
    async (end) => {
      const { driver, real, opened, come } = start();
      driver.submit(press());
      driver[end]();
      expect(opened.close).toHaveBeenCalledOnce();
      expect(isCreating(driver.getState())).toBe(false);
      await come();
      expect(real.submit).not.toHaveBeenCalled();
      expect(real.dispose).toHaveBeenCalledTimes(end === 'dispose' ? 1 : 0);
    },
  );

  test('nothing is said of a failed load that no press waits for', async () => {
    const { clock, driver, ports, last } = start();
    driver.prepare();
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      last()?.fail();
      await clock.advanceAsync(16_000);
    }
    expect(ports.failed).not.toHaveBeenCalled();
  });
});

test('with its engine the driver is the engine’s', async () => {
  const { driver, real, ports, store, come } = start();
  driver.prepare();
  await come();
  driver.submit(press());
  expect(real.submit).toHaveBeenCalledOnce();
  expect(ports.openWindow).toHaveBeenCalledOnce();
  const heard = vi.fn();
  driver.subscribe(heard);
  store.setState({ at: 'failed', run: 1, depositId: 'd', failure: {}, keepsId: false }, true);
  expect(heard).toHaveBeenCalledOnce();
  expect(driver.getState().at).toBe('failed');
  driver.cancel();
  driver.close();
  driver.dispose();
  for (const end of ['cancel', 'close', 'dispose'] as const) expect(real[end]).toHaveBeenCalledOnce();
});
