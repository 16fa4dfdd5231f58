import type { PaymentMethod } from '@opencashier/contract/api';
import { useEffect, useRef } from 'react';
import { useDepositAnswer } from '../../kit/deposit/deposit-answer.ts';
import { useDepositReport } from '../../kit/deposit/use-deposit-report.ts';
import { useIsCurrentPage } from '../../kit/session/current-page.ts';
import { completePath, usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Card, Notice } from '../../ui/page/card.tsx';
import { StateView } from '../../ui/page/state-view.tsx';
import { AddressCard, type CodeSize } from './address-card.tsx';
import { AddressFailed } from './address-failed.tsx';
import { AddressNotes } from './address-notes.tsx';
import { addressPath } from './address-path.ts';
import styles from './address-screen.module.css';
import { AddressSkeleton } from './address-skeleton.tsx';
import { type AddressIntent, forgetDeposit, rememberDeposit } from './known-deposits.ts';
import { addressView, type Network, progressOf } from './model.ts';
import { ProgressCard } from './progress-card.tsx';

interface DepositAddressProps {
  readonly method: PaymentMethod;
  readonly network: Network | undefined;
  readonly intent: AddressIntent;
  readonly depositId: string;
  /** The deposit existed before this visit, so it may have ended. True until the server says that it waits. */
  readonly isKept: boolean;
  readonly codeSize: CodeSize;
  /** Called with the address that is now on the screen. */
  readonly onShown: (address: string) => void;
}

/**
 * The address of a deposit, and the progress of its payment. Only a report of the server ends the deposit, on the complete screen
 * (DEP-15).
 */
export function DepositAddress({ method, network, intent, depositId, isKept, codeSize, onShown }: DepositAddressProps) {
  const { navigation } = useServices();
  const { translate } = useTexts();
  const { tree } = usePlace();
  const answer = useDepositAnswer(depositId, method.name);
  const { report, isOffline } = useDepositReport(depositId, method.name);
  const progress = progressOf(report, network?.value);
  const hasLeft = useRef(false);
  const isCurrentPage = useIsCurrentPage();
  const requestNewAddress = () => {
    forgetDeposit(depositId);
    navigation.go(addressPath(tree, method.name, network?.value), { replace: true });
  };
  const isReviewed = progress.at === 'reviewed';
  const isOver = isReviewed || progress.at === 'settled';
  const isGone = answer.at === 'none' && isKept;
  // A usable deposit is remembered. An ended one leads to another screen.
  useEffect(() => {
    if (hasLeft.current || !isCurrentPage()) return;
    if (isOver || isGone) {
      hasLeft.current = true;
      // A payer who comes back to a deposit in review sees the review once. After that another address is requested.
      if (isKept && !isReviewed) return requestNewAddress();
      forgetDeposit(depositId);
      navigation.go(completePath(tree, depositId, method.name), { replace: true });
      return;
    }
    rememberDeposit(intent, depositId);
  });
  // A waiting deposit is no longer an old one: from now on the user wants to see its end, even after a reload.
  const isAwaited = isKept && report !== undefined && !isOver;
  const path = addressPath(tree, method.name, network?.value, depositId);
  useEffect(() => {
    if (isAwaited && isCurrentPage()) navigation.go(path, { replace: true });
  }, [isAwaited, isCurrentPage, navigation, path]);

  const view = addressView(answer.at === 'ready' ? answer.data : undefined, network?.value);
  const shown = !isOver && !isGone && view.kind === 'address' ? view.address : undefined;
  useEffect(() => {
    if (shown !== undefined) onShown(shown);
  }, [shown, onShown]);

  // After coins were seen, their progress comes first, because the user need not send any more.
  const isSeen = progress.at !== 'awaited';

  if (isOver || isGone || answer.at === 'loading') return <AddressSkeleton />;
  if (answer.at === 'failed') return <AddressFailed onRetry={answer.retry} />;
  return (
    <>
      {isOffline && (
        <div role="status">
          <Notice tone="warn">{translate('crypto.offline')}</Notice>
        </div>
      )}
      {view.kind === 'empty' ? (
        <Card>
          <StateView
            icon="alert"
            tone="warn"
            title={translate('crypto.empty.title')}
            text={translate('crypto.empty.text')}
          >
            <Button look="secondary" onClick={requestNewAddress}>
              {translate('crypto.newAddress')}
            </Button>
          </StateView>
        </Card>
      ) : (
        <>
          <AddressCard view={view} method={method} network={network} codeSize={codeSize} />
          <AddressNotes
            view={view}
            network={network}
            fee={intent.boxId === undefined ? method.fees?.[intent.currency] : undefined}
            currency={intent.currency}
          />
        </>
      )}
      {(view.kind === 'address' || isSeen) && (
        // A style alone moves this card. Screen readers do not read a live region that was created again.
        <div className={isSeen ? styles.first : undefined}>
          <ProgressCard progress={progress} report={report} />
        </div>
      )}
    </>
  );
}
