import { hostEventOf, type TransactionStatus } from '@opencashier/core/transaction/status';
import { useEffect } from 'react';
import { type Services, useServices } from './services.tsx';

/** What each host has heard last of each payment: two screens of one payment see the same change. */
const told = new WeakMap<Services['post'], Map<string, TransactionStatus>>();

/** Tells the host of every change of a payment, once, on whichever screen it is seen first (HOST-15). */
export function useHostEvent(
  kind: 'depositId' | 'withdrawalId',
  id: string | undefined,
  status: TransactionStatus | undefined,
): void {
  const { post } = useServices();
  useEffect(() => {
    if (id === undefined || status === undefined) return;
    const last = told.get(post) ?? new Map<string, TransactionStatus>();
    told.set(post, last);
    if (last.get(id) === status) return;
    last.set(id, status);
    const event = hostEventOf(status);
    const payload = kind === 'depositId' ? { event, depositId: id } : { event, withdrawalId: id };
    post({ messageType: 'transaction', payload });
  }, [kind, id, status, post]);
}
