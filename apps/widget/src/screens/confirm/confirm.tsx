import type { ScreenProps } from '../../kit/product.ts';
import { usePlace } from '../../kit/product-context.tsx';
import { useServices, useTexts } from '../../kit/services.tsx';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { StateView } from '../../ui/state-view.tsx';

/** Confirms a withdrawal; until withdrawals are offered there is none to confirm, and it says so. */
export function Screen(_props: ScreenProps) {
  const { translate } = useTexts();
  const { navigation } = useServices();
  const { tree } = usePlace();
  return (
    <Page>
      <StateView icon="soon" tone="calm" title={translate('confirm.none.title')} text={translate('confirm.none.text')}>
        <Button onClick={() => navigation.go(tree, { replace: true })}>{translate('confirm.none.methods')}</Button>
      </StateView>
    </Page>
  );
}
