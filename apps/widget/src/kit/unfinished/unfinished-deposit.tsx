import type { MethodList } from '@opencashier/contract/api';
import { formatWireAmount } from '@opencashier/core/money/format';
import { useEffect, useState } from 'react';
import { findMethod } from '../method/method-list.ts';
import { methodTitle } from '../method/method-text.ts';
import { timerText } from '../payment/payment-timer.tsx';
import { usePaymentTimer } from '../payment/use-payment-timer.ts';
import { usePlace } from '../session/product-context.tsx';
import { useServices, useTexts } from '../session/services.tsx';
import { onPageResumed } from '../status/page-resumed.ts';
import { findUnfinished, type Unfinished } from './find-unfinished.ts';
import { UnfinishedTile } from './unfinished-tile.tsx';

interface UnfinishedDepositProps {
  readonly list: MethodList;
  readonly lastMethod: string | undefined;
}

/** "Unfinished deposit, 12:40 left" at the foot of the list. A tap continues it (DEP-15). */
export function UnfinishedDeposit({ list, lastMethod }: UnfinishedDepositProps) {
  const services = useServices();
  const { tree } = usePlace();
  const [found, setFound] = useState<Unfinished>();
  useEffect(() => {
    const offers = {
      has: (name: string) => findMethod(list, name) !== undefined,
      isAddress: (name: string) => findMethod(list, name)?.category === 'crypto',
    };
    let aborter = new AbortController();
    const look = () => {
      aborter.abort();
      const mine = new AbortController();
      aborter = mine;
      void findUnfinished(services, tree, offers, lastMethod, mine.signal).then((answer) => {
        if (mine.signal.aborted || answer === 'unanswered') return;
        setFound(answer === 'none' ? undefined : answer);
      });
    };
    look();
    // It may have been paid meanwhile. A push says so; over HTTP the widget asks when the page becomes visible.
    const stopPush = services.api.onPush('deposit.status', look);
    const stopLooking = onPageResumed(look);
    return () => {
      aborter.abort();
      stopPush();
      stopLooking();
    };
  }, [services, tree, list, lastMethod]);
  return found ? <UnfinishedCard found={found} list={list} /> : null;
}

function UnfinishedCard({ found, list }: { readonly found: Unfinished; readonly list: MethodList }) {
  const texts = useTexts();
  const { navigation } = useServices();
  const timer = usePaymentTimer(found.created, found.lifetime);
  const method = findMethod(list, found.paymentMethod);
  if (!method || timer?.expired !== false) return null;
  const name = methodTitle(method, texts);
  const amount = formatWireAmount(found, texts.formatLocale, { isolate: true }) ?? found.amount;
  // For an address the user chose no amount: the deposit's amount is only the minimum.
  const detail = method.category === 'crypto' ? name : texts.translate('unfinished.detail', { amount, method: name });
  return (
    <UnfinishedTile
      title={texts.translate('unfinished.title', { time: timerText(timer.remainingMs) })}
      detail={detail}
      onOpen={() => navigation.go(found.path)}
    />
  );
}
