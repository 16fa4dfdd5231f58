import { withdrawalCancel } from '@opencashier/contract/api';
import { useState } from 'react';
import { ClientError } from '../../api/client.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { OfflineAlert, useOfflinePress } from '../session/offline-press.tsx';
import { useServices, useTexts } from '../session/services.tsx';
import { withdrawalErrorText } from './withdrawal-text.ts';

/** Asks the server to give the held amount back. The server decides whether it can, so the status is asked for either way. */
export function CancelWithdrawal({
  withdrawalId,
  onAnswered,
}: {
  readonly withdrawalId: string;
  readonly onAnswered: () => void;
}) {
  const { api, notify } = useServices();
  const texts = useTexts();
  const [isBusy, setBusy] = useState(false);
  const offlinePress = useOfflinePress();
  const cancel = async () => {
    if (offlinePress.refuses()) return;
    setBusy(true);
    try {
      await api.call(withdrawalCancel, { withdrawalId });
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      const { code, message } = error;
      if (code !== 'state-conflict') notify({ kind: 'error', text: withdrawalErrorText({ code, message }, texts) });
    } finally {
      setBusy(false);
      onAnswered();
    }
  };
  return (
    <>
      <OfflineAlert press={offlinePress} />
      <Button look="ghost" isBusy={isBusy} onClick={() => void cancel()}>
        {texts.translate('withdrawalComplete.cancel')}
      </Button>
    </>
  );
}
