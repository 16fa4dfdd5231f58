import { useTexts } from '../../kit/session/services.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { StateView } from '../../ui/page/state-view.tsx';

/** There is no address, because the server or the network failed. Nothing was paid. */
export function AddressFailed({ onRetry }: { readonly onRetry: () => void }) {
  const { translate } = useTexts();
  return (
    <StateView icon="alert" tone="bad" title={translate('crypto.failed.title')} text={translate('crypto.failed.text')}>
      <Button look="secondary" onClick={onRetry}>
        {translate('crypto.retry')}
      </Button>
    </StateView>
  );
}
