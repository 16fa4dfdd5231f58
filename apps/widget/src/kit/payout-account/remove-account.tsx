import { payoutAccountRemove } from '@opencashier/contract/api';
import { useState } from 'react';
import { ClientError } from '../../api/client.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Sheet, SheetContent } from '../../ui/layers/sheet.tsx';
import { PageAlert } from '../../ui/page/page.tsx';
import { OfflineAlert, useOfflinePress } from '../session/offline-press.tsx';
import { useServices, useTexts } from '../session/services.tsx';
import styles from './saved-accounts.module.css';

/** The question before a saved account is deleted (WD-1). A failure is shown beside the button, and the account stays. */
export function RemoveAccount({
  accountId,
  account,
  onRemoved,
  onClose,
}: {
  readonly accountId: string;
  /** As the list shows it. */
  readonly account: string;
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}) {
  const { api } = useServices();
  const { translate } = useTexts();
  const offlinePress = useOfflinePress();
  const [isBusy, setBusy] = useState(false);
  const [isFailed, setFailed] = useState(false);
  const remove = async () => {
    setFailed(false);
    if (isBusy || offlinePress.refuses()) return;
    setBusy(true);
    try {
      await api.call(payoutAccountRemove, { accountId });
      onRemoved();
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      setFailed(true);
      setBusy(false);
    }
  };
  return (
    <Sheet title={translate('saved.remove.title')} closeLabel={translate('header.close')} onClose={onClose} isQuestion>
      <SheetContent>
        <p className={styles.text}>
          <bdi>{account}</bdi>
        </p>
        <p>{translate('saved.remove.text')}</p>
        <Button onClick={onClose}>{translate('saved.remove.keep')}</Button>
        <Button look="ghost" isBusy={isBusy} onClick={() => void remove()}>
          {translate('saved.remove.action')}
        </Button>
        <OfflineAlert press={offlinePress} />
        {isFailed && <PageAlert>{translate('saved.remove.failed')}</PageAlert>}
      </SheetContent>
    </Sheet>
  );
}
