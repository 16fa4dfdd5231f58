import { type BoughtBox, depositStatus } from '@opencashier/contract/api';
import { formatWireAmount } from '@opencashier/core/money/format';
import { statusOfCode } from '@opencashier/core/transaction/status';
import { useEffect, useState } from 'react';
import { ClientError } from '../../api/client.ts';
import { useLastMethodName } from '../method/last-method.ts';
import { timerText } from '../payment/payment-timer.tsx';
import { usePaymentTimer } from '../payment/use-payment-timer.ts';
import { usePlace } from '../session/product-context.tsx';
import { type Services, useServices, useTexts } from '../session/services.tsx';
import { findUnfinished, type NotFound, type Unfinished } from '../unfinished/find-unfinished.ts';
import { UnfinishedTile } from '../unfinished/unfinished-tile.tsx';
import { chooseBox } from './chosen-box.ts';
import { coinText } from './coin-text.ts';

interface Purchase extends Unfinished {
  readonly box: BoughtBox;
}

/**
 * "Unfinished purchase, 12:40 left" at the foot of the boxes. A tap continues it, even if the box is no longer on sale (DEP-15,
 * SWP-1).
 */
export function UnfinishedPurchase() {
  const services = useServices();
  const { tree } = usePlace();
  const lastMethod = useLastMethodName();
  const [found, setFound] = useState<Purchase>();
  useEffect(() => {
    const aborter = new AbortController();
    void findPurchase(services, tree, lastMethod, aborter.signal).then((answer) => {
      if (aborter.signal.aborted || answer === 'unanswered') return;
      setFound(answer === 'none' ? undefined : answer);
    });
    return () => aborter.abort();
  }, [services, tree, lastMethod]);
  return found ? <PurchaseTile found={found} /> : null;
}

function PurchaseTile({ found }: { readonly found: Purchase }) {
  const texts = useTexts();
  const { navigation } = useServices();
  const timer = usePaymentTimer(found.created, found.lifetime);
  if (timer?.expired !== false) return null;
  const amount = formatWireAmount(found, texts.formatLocale, { isolate: true }) ?? found.amount;
  return (
    <UnfinishedTile
      title={texts.translate('boxes.unfinished', { time: timerText(timer.remainingMs) })}
      detail={texts.translate('unfinished.detail', { amount, method: coinText('GC', found.box.gcAmount, texts) })}
      onOpen={() => {
        chooseBox(found.box.boxId);
        navigation.go(found.path);
      }}
    />
  );
}

/** The user has chosen a box, so a deposit that only shows an address counts as a purchase too. */
const everyMethod = { has: () => true, isAddress: () => false };

/** Finds an unfinished deposit that buys a box, by the server's report. */
async function findPurchase(
  services: Services,
  tree: string,
  lastMethod: string | undefined,
  signal: AbortSignal,
): Promise<Purchase | NotFound> {
  const found = await findUnfinished(services, tree, everyMethod, lastMethod, signal);
  if (typeof found === 'string') return found;
  const { depositId, paymentMethod } = found;
  try {
    const { status, box } = await services.api.call(depositStatus, { depositId, paymentMethod }, { signal });
    return box && statusOfCode(status) === 'waiting' ? { ...found, box } : 'none';
  } catch (error) {
    if (error instanceof ClientError || signal.aborted) return 'unanswered';
    throw error;
  }
}
