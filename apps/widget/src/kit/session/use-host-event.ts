import { hostEventOf, type TransactionStatus } from '@opencashier/core/transaction/status';
import { useEffect } from 'react';
import { type Services, useServices } from './services.tsx';

/** The last status sent to each host, by deposit or withdrawal. Two screens may see the same change. */
const told = new WeakMap<Services['post'], Map<string, TransactionStatus>>();

/** Reports a new status of a deposit or withdrawal to the host, once (HOST-15). */
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

/** Reports every change that a screen sees. The first screen that sees a change reports it. */
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
