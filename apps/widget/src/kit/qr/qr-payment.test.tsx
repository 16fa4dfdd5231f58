// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { createPage } from '../../app/shell/shell-services.ts';
import { ServicesProvider } from '../session/services.tsx';
import { createFixtureServices } from '../session/services-fixture.ts';
import { QrPayment } from './qr-payment.tsx';

const file = vi.hoisted(() => ({ losses: 0 }));
vi.mock('./qr-path.ts', async (load) => {
  const { qrPath } = await load<typeof import('./qr-path.ts')>();
  return {
    get qrPath() {
      file.losses -= 1;
      if (file.losses >= 0) throw new TypeError('Failed to fetch dynamically imported module');
      return qrPath;
    },
  };
});

function show() {
  const services = createFixtureServices();
  render(
    <ServicesProvider value={createPage(services).services}>
      <QrPayment source={{ kind: 'text', text: 'upi://pay?pa=a@b' }} twin={{ name: 'UPI ID', value: 'a@b' }} />
    </ServicesProvider>,
  );
  return (ms: number) => act(() => services.clock.advanceAsync(ms));
}

beforeEach(() => {
  document.body.replaceChildren();
  vi.spyOn(console, 'warn').mockReturnValue();
});

test('[DEP-5] [NET-5] a code whose file is lost once is drawn after another attempt', async () => {
  file.losses = 1;
  const pass = show();
  await vi.waitFor(() => expect(file.losses).toBe(0));
  expect(screen.queryByRole('img')).toBeNull();
  await vi.waitFor(async () => {
    await pass(1000);
    expect(screen.getByRole('img', { name: 'QR code for this payment' })).toBeVisible();
  });
});

test('[DEP-5] without its file no empty frame is shown, and the text can still be copied', async () => {
  file.losses = 100;
  const pass = show();
  await vi.waitFor(async () => {
    await pass(20_000);
    expect(document.querySelector('[data-qr]')).toBeNull();
  });
  expect(screen.getByText('a@b')).toBeVisible();
});
