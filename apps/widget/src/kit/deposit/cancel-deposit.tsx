import { depositCancel } from '@opencashier/contract/api';
import { useState } from 'react';
import { ClientError } from '../../api/client.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Sheet, SheetContent } from '../../ui/layers/sheet.tsx';
import { Notice } from '../../ui/page/card.tsx';
import { useIsCurrentPage } from '../session/current-page.ts';
import { OfflineAlert, useOfflinePress } from '../session/offline-press.tsx';
import { completePath, usePlace } from '../session/product-context.tsx';
import { useServices, useTexts } from '../session/services.tsx';

/**
 * Cancels a deposit, after a question. A user who has already paid must not cancel, because staff would have to review the
 * payment. The server decides whether it cancels; if it does not, the status is shown. A page that leads on when a deposit has ended
 * waits for the answer (`isBusy`).
 */
export function useCancel(depositId: string, method: string): CancelQuestionProps {
  const { translate } = useTexts();
  const { api, navigation, notify } = useServices();
  const { tree } = usePlace();
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const isCurrentPage = useIsCurrentPage();
  const cancel = async () => {
    setBusy(true);
    let isCancelled = false;
    try {
      ({ isCancelled } = await api.call(depositCancel, { depositId, paymentMethod: method }));
    } catch (error) {
      if (!(error instanceof ClientError)) {
        setBusy(false);
        throw error;
      }
      if (error.kind === 'network') {
        setBusy(false);
        setAsking(false);
        notify({ kind: 'error', text: translate('common.errors.socket.networkError') });
        return;
      }
    }
    if (isCancelled) notify({ kind: 'info', text: translate('payment.cancelled') });
    if (!isCurrentPage()) {
      setBusy(false);
      return;
    }
    navigation.go(isCancelled ? tree : completePath(tree, depositId, method), { replace: true });
  };
  return { isBusy, isAsking, onAsk: setAsking, onCancel: () => void cancel() };
}

export interface CancelQuestionProps {
  /** A cancel is in progress. */
  readonly isBusy: boolean;
  readonly isAsking: boolean;
  /** Opens or closes the question. */
  readonly onAsk: (isAsking: boolean) => void;
  readonly onCancel: () => void;
}

/** The button and the question that comes before a cancel. */
export function CancelQuestion({ isBusy, isAsking, onAsk, onCancel }: CancelQuestionProps) {
  const { translate } = useTexts();
  const offlinePress = useOfflinePress();
  return (
    <>
      <Button look="ghost" isBusy={isBusy && !isAsking} onClick={() => onAsk(true)}>
        {translate('payment.cancel')}
      </Button>
      {isAsking && (
        <Sheet
          title={translate('payment.cancel.title')}
          closeLabel={translate('header.close')}
          onClose={() => onAsk(false)}
          isQuestion
        >
          <SheetContent>
            <Notice tone="warn">{translate('payment.cancel.warning')}</Notice>
            <Button onClick={() => onAsk(false)}>{translate('payment.cancel.keep')}</Button>
            <Button look="ghost" isBusy={isBusy} onClick={() => !offlinePress.refuses() && onCancel()}>
              {translate('payment.cancel')}
            </Button>
            <OfflineAlert press={offlinePress} />
          </SheetContent>
        </Sheet>
      )}
    </>
  );
}
