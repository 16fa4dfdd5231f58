import { type WithdrawalTransaction, withdrawalCheck } from '@opencashier/contract/api';
import { useEffect, useState } from 'react';
import { ClientError } from '../../api/client.ts';
import { findMethod, useMethodList } from '../method/method-list.ts';
import { methodTitle } from '../method/method-text.ts';
import { timerText } from '../payment/payment-timer.tsx';
import { usePlace } from '../session/product-context.tsx';
import { type Services, useServices, useTexts } from '../session/services.tsx';
import { UnfinishedTile } from '../unfinished/unfinished-tile.tsx';
import { releasesSettled } from './release-withdrawal.ts';
import { useHoldTimer } from './use-hold-timer.ts';
import { confirmPath } from './withdrawal-paths.ts';
import { amountText } from './withdrawal-text.ts';

/** "Unfinished withdrawal, 12:40 left" at the foot of the list. A tap continues with the held amount (WD-2). */
export function UnfinishedWithdrawal() {
  const services = useServices();
  const [found, setFound] = useState<WithdrawalTransaction>();
  useEffect(() => {
    const aborter = new AbortController();
    void findHeld(services, aborter.signal).then((held) => {
      if (!aborter.signal.aborted) setFound(held);
    });
    return () => aborter.abort();
  }, [services]);
  return found ? <HeldTile held={found} /> : null;
}

function HeldTile({ held }: { readonly held: WithdrawalTransaction }) {
  const texts = useTexts();
  const { navigation } = useServices();
  const { tree } = usePlace();
  const catalogue = useMethodList('withdrawal');
  const timer = useHoldTimer(held);
  const method = catalogue.at === 'ready' ? findMethod(catalogue.list, held.paymentMethod) : undefined;
  if (!method || timer?.expired !== false) return null;
  const amount = amountText(held.amount, held.currency, texts, true);
  return (
    <UnfinishedTile
      title={texts.translate('withdrawal.unfinished', { time: timerText(timer.remainingMs) })}
      detail={texts.translate('unfinished.detail', { amount, method: methodTitle(method, texts) })}
      onOpen={() => navigation.go(confirmPath(tree, held.withdrawalId))}
    />
  );
}

/** Asks the server for a held amount, because it may be from another device. Finds nothing without an answer. */
async function findHeld(services: Services, signal: AbortSignal): Promise<WithdrawalTransaction | undefined> {
  const { api, session } = services;
  // A user who has just left the confirm screen is giving the held amount back.
  await releasesSettled(services);
  try {
    const { withdrawal } = await api.call(withdrawalCheck, { currency: session.getState().currency }, { signal });
    return withdrawal;
  } catch (error) {
    if (error instanceof ClientError || signal.aborted) return undefined;
    throw error;
  }
}
