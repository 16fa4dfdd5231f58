import { hostEventOf, type TransactionStatus } from '@opencashier/core/transaction/status';
import { useEffect } from 'react';
import { type Services, useServices } from './services.tsx';

/** What each host has heard last of each payment: two screens of one payment see the same change. */
const told = new WeakMap<Services['post'], Map<string, TransactionStatus>>();

/** Tells the host of a change of a payment, once (HOST-15). */
export function tellHost(
  post: Services['post'],
  kind: 'depositId' | 'withdrawalId',
  id: string,
  status: TransactionStatus,
): void {
  const last = told.get(post) ?? new Map<string, TransactionStatus>();
  told.set(post, last);
  if (last.get(id) === status) return;
  last.set(id, status);
  const event = hostEventOf(status);
  post({
    messageType: 'transaction',
    payload: kind === 'depositId' ? { event, depositId: id } : { event, withdrawalId: id },
  });
}

/** The same of every change that a screen sees; the first one that sees it tells. */
export function useHostEvent(
  kind: 'depositId' | 'withdrawalId',
  id: string | undefined,
  status: TransactionStatus | undefined,
): void {
  const { post } = useServices();
  useEffect(() => {
    if (id !== undefined && status !== undefined) tellHost(post, kind, id, status);
  }, [kind, id, status, post]);
}
