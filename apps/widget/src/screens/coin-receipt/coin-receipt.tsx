import type { Transaction } from '@opencashier/contract/api';
import { formatWireAmount } from '@opencashier/core/money/format';
import { statusOfCode } from '@opencashier/core/transaction/status';
import type { ScreenProps } from '../../kit/session/product.ts';
import { useSession, useTexts } from '../../kit/session/services.tsx';
import { SessionScope } from '../../kit/session/session-scope.tsx';
import { useBoxes } from '../../kit/sweepstake/boxes.ts';
import { chosenBoxId } from '../../kit/sweepstake/chosen-box.ts';
import { coinText, hasCoins } from '../../kit/sweepstake/coin-text.ts';
import { Screen as Complete, type Outcome } from '../complete/complete.tsx';
import styles from './coin-receipt.module.css';

/** The outcome of buying a coin box, with the coins that the server credits (SWP-1). */
export function Screen(props: ScreenProps) {
  const { translate } = useTexts();
  const { currency } = useSession();
  const { known } = useBoxes();
  const box = known.find(({ boxId }) => boxId === chosenBoxId());
  const outcome: Outcome = {
    processedText: translate('receipt.processed'),
    listText: translate('receipt.boxes'),
    rows: (report) => <Coins report={report} />,
  };
  // The method's name is in the catalogue of the box's currency.
  return (
    <SessionScope currency={box?.priceCurrencyCode ?? currency} boxId={box?.boxId} words="purchase">
      <Complete {...props} outcome={outcome} />
    </SessionScope>
  );
}

function Coins({ report: { status, box, amount, finalAmount, currency } }: { readonly report: Transaction }) {
  const texts = useTexts();
  const isReceived = statusOfCode(status) === 'processed';
  return (
    <>
      {box && statusOfCode(status) !== 'mistaked' && (
        <div>
          <dt>{texts.translate(isReceived ? 'receipt.received' : 'receipt.ordered')}</dt>
          <dd className={styles.coins}>
            <span>{coinText('GC', box.gcAmount, texts)}</span>
            {hasCoins(box.scAmount) && (
              <span className={styles.free}>
                {texts.translate('boxes.free', { amount: coinText('SC', box.scAmount, texts) })}
              </span>
            )}
          </dd>
        </div>
      )}
      <div>
        <dt>{texts.translate('receipt.price')}</dt>
        <dd className={styles.price}>
          {formatWireAmount({ amount: finalAmount ?? amount, currency }, texts.formatLocale)}
        </dd>
      </div>
    </>
  );
}
