import type { PaymentMethod } from '@opencashier/contract/api';
import { formatWireAmount } from '@opencashier/core/money/format';
import { DetailList } from '../../ui/page/card.tsx';
import { methodTitle } from '../method/method-text.ts';
import { Requisites } from '../payment/requisites.tsx';
import { useTexts } from '../session/services.tsx';

interface DepositFactsProps {
  /** Canonical decimal string of `currency`. */
  readonly amount: string | undefined;
  readonly currency: string;
  readonly method: PaymentMethod | undefined;
  readonly depositId: string | undefined;
}

/** The facts of a deposit: amount, method, and the whole id to copy for support (DEP-16). */
export function DepositFacts({ amount, currency, method, depositId }: DepositFactsProps) {
  const texts = useTexts();
  const { translate } = texts;
  const written = amount === undefined ? undefined : formatWireAmount({ amount, currency }, texts.formatLocale);
  return (
    <>
      <DetailList>
        {written !== undefined && (
          <div>
            <dt>{translate('complete.amount')}</dt>
            <dd>
              <bdi>{written}</bdi>
            </dd>
          </div>
        )}
        {method && (
          <div>
            <dt>{translate('complete.method')}</dt>
            <dd>{methodTitle(method, texts)}</dd>
          </div>
        )}
      </DetailList>
      {depositId !== undefined && <DepositNumber depositId={depositId} />}
    </>
  );
}

/** The whole id by which support finds the deposit, with a copy button. */
export function DepositNumber({ depositId }: { readonly depositId: string }) {
  const title = useTexts().translate('complete.number');
  return <Requisites rows={[{ id: 'number', title, shown: depositId, copied: depositId, isCopyable: true }]} />;
}
