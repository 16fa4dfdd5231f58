// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createPage } from '../../app/shell/shell-services.ts';
import { ServicesProvider } from '../session/services.tsx';
import { createFixtureServices } from '../session/services-fixture.ts';
import { CurrencyIcon, fetchCurrencyIcon } from './currency-icon.tsx';

const drawing = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const answer = (status: number) => ({ ok: status === 200, status, text: () => Promise.resolve(drawing) });

afterEach(() => vi.unstubAllGlobals());

test('[NET-7] a drawing is asked for by the small letters of its currency, and once', async () => {
  const fetchFile = vi.fn(() => Promise.resolve(answer(200)));
  const first = await fetchCurrencyIcon('/once', 'USDT', fetchFile);
  expect(first).toBe(`data:image/svg+xml,${encodeURIComponent(drawing)}`);
  expect(await fetchCurrencyIcon('/once', 'usdt', fetchFile)).toBe(first);
  expect(fetchFile.mock.calls).toEqual([['/once/static/icons/usdt.svg']]);
});

test('[NET-7] a failure names the status and is not kept', async () => {
  const fetchFile = vi.fn(() => Promise.resolve(answer(404)));
  await expect(fetchCurrencyIcon('/failing', 'BTC', fetchFile)).rejects.toThrow('Unable to fetch icon 404');
  fetchFile.mockImplementation(() => Promise.resolve(answer(200)));
  await expect(fetchCurrencyIcon('/failing', 'BTC', fetchFile)).resolves.toContain('data:image/svg+xml');
});

test('[NET-7] the mark is shown until the icon has loaded; the host hears why an icon failed to load', async () => {
  vi.stubGlobal(
    'fetch',
    vi.fn((address: string) => Promise.resolve(answer(address.includes('btc') ? 200 : 503))),
  );
  const fixture = createFixtureServices();
  const { services } = createPage(fixture);
  const { container } = render(
    <ServicesProvider value={services}>
      <CurrencyIcon currency="BTC">BTC</CurrencyIcon>
      <CurrencyIcon currency="XMR">XMR</CurrencyIcon>
    </ServicesProvider>,
  );
  expect(screen.getByText(/BTC/)).toBeTruthy();
  await vi.waitFor(() => expect(container.querySelector('img')?.getAttribute('src')).toContain('data:image/svg+xml'));
  expect(container.textContent).toBe('XMR');
  await vi.waitFor(() =>
    expect(fixture.posted).toContainEqual({
      messageType: 'error',
      payload: { code: 'icon-unavailable', message: 'Unable to fetch icon 503' },
    }),
  );
});
