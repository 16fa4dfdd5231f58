/** Opens the redirect page in tests, with answers of the server and queries for the page's parts. */
import type { PaymentMethod } from '@opencashier/contract/api';
import { screen, within } from '@testing-library/react';
import { vi } from 'vitest';
import { ClientError } from '../../api/client.ts';
import { openWidget } from '../../app/shell/shell-fixture.tsx';
import { card, redirectServices } from './redirect-fixture.ts';

/** A window as `window.open` returns it. */
export function fakeWindow() {
  const opened = {
    opener: window as unknown,
    closed: false,
    document: document.implementation.createHTMLDocument(),
    location: { replace: vi.fn() },
    close: vi.fn(() => {
      opened.closed = true;
    }),
  };
  return opened;
}

export const created =
  (source: unknown = 'https://pay.example/p/1') =>
  (request: { depositId: string }) => ({
    apiResponse: { depositId: request.depositId, source, method: 'GET' },
  });
export const refused =
  (code: string, status: number, fields: { path: string; message: string }[] = []) =>
  () =>
    Promise.reject(new ClientError({ kind: 'refused', code, status, message: code, fields }));
export const noAnswer = () =>
  Promise.reject(new ClientError({ kind: 'unknown', code: 'socket.networkError', status: 0, message: 'lost' }));

export async function openRedirect(answers: Record<string, unknown>, method: PaymentMethod = card(), isNative = false) {
  const services = redirectServices(answers, method, isNative);
  const widget = await openWidget('/deposit/redirect/bank_card', services);
  return { ...widget, creations: () => services.requestsOf('deposit-create') as Record<string, unknown>[] };
}

export const amount = () => screen.getByRole('textbox', { name: 'Amount' });
/** The message beside the button. */
export const fault = () => within(screen.getByRole('main')).queryByRole('alert');
export const pay = () => screen.getByRole('button', { name: /^Deposit/ });
