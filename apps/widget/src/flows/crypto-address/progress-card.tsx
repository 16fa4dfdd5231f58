import type { Transaction } from '@opencashier/contract/api';
import { shortenHash } from '@opencashier/core/crypto/address-text';
import { formatWireAmount } from '@opencashier/core/money/format';
import { serverText } from '../../kit/method/method-text.ts';
import { type Texts, useTexts } from '../../kit/session/services.tsx';
import { Icon } from '../../ui/marks/icon.tsx';
import { Card } from '../../ui/page/card.tsx';
import styles from './address-screen.module.css';
import { type OpenProgress, segments } from './model.ts';
import { useConfirmationCount } from './use-confirmation-count.ts';

interface ProgressCardProps {
  readonly progress: OpenProgress;
  /** The report that `progress` was read from. */
  readonly report: Transaction | undefined;
}

/** The progress of the payment (CRY-2): the server's count, and between its reports an estimate that is marked as one. */
export function ProgressCard({ progress, report }: ProgressCardProps) {
  const texts = useTexts();
  const { translate } = texts;
  const count = useConfirmationCount(progress, report);
  const counted =
    count &&
    translate(count.isEstimate ? 'crypto.estimate' : 'crypto.count', { count: count.count, required: count.required });
  const received = receivedOf(report, texts);
  const stage = progress.at === 'confirming' && count?.isReached ? 'accepted' : progress.at;
  return (
    <Card>
      <div className={styles.progress}>
        <div className={styles.progressHead}>
          <p className={styles.progressTitle} role="status">
            {stage === 'awaited' && <span className={styles.pulse} aria-hidden="true" />}
            {translate(`crypto.${stage}.title`)}
          </p>
          {count && <p className={styles.count}>{counted}</p>}
        </div>
        {received !== undefined && (
          <p className={styles.received}>{translate('crypto.received', { amount: received })}</p>
        )}
        {count && (
          <div
            className={styles.bar}
            role="progressbar"
            aria-label={translate('crypto.confirmations')}
            aria-valuemin={0}
            aria-valuenow={count.count}
            aria-valuemax={count.required}
            aria-valuetext={counted}
            data-estimate={count.isEstimate ? '' : undefined}
          >
            {segments(count.count, count.required).map((isFilled, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a part of the bar is nothing but its place
              <span key={index} className={styles.segment} data-filled={isFilled ? '' : undefined} />
            ))}
          </div>
        )}
        {count?.isEstimate && <p className={styles.small}>{translate('crypto.estimated')}</p>}
        {stage !== 'confirming' && (
          <p className={styles.small}>{serverText(report?.reason, texts) ?? translate(`crypto.${stage}.text`)}</p>
        )}
        {progress.at !== 'awaited' && <Hash progress={progress} />}
      </div>
    </Card>
  );
}

/** The amount that the network has seen so far. Only the ledger credits it (CRY-1). */
function receivedOf(report: Transaction | undefined, { formatLocale }: Texts): string | undefined {
  if (report?.receivedAmount === undefined) return undefined;
  const { receivedAmount: amount, currency } = report;
  return formatWireAmount({ amount, currency }, formatLocale, { isolate: true });
}

function Hash({ progress }: { readonly progress: OpenProgress }) {
  const { translate } = useTexts();
  if (!('txid' in progress) || progress.txid === undefined) return null;
  // Isolated, because a hash is left to right in every language.
  const text = translate('crypto.transaction', { hash: `\u2066${shortenHash(progress.txid)}\u2069` });
  if (progress.explorer === undefined) return <p className={styles.small}>{text}</p>;
  return (
    <a className={styles.hash} href={progress.explorer} target="_blank" rel="noopener noreferrer">
      {text}
      <Icon name="external" size={16} />
    </a>
  );
}
