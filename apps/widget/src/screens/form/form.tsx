import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Page } from '../../ui/page/page.tsx';
import { StateView } from '../../ui/page/state-view.tsx';

/** A form that the host opens. Its close button is hidden (HOST-14). Without a form it leads to the methods. */
export function Screen(_props: ScreenProps) {
  const { translate } = useTexts();
  const { navigation } = useServices();
  const { product } = usePlace();
  return (
    <Page>
      <StateView icon="card" tone="calm" title={translate('form.empty.title')} text={translate('form.empty.text')}>
        <Button onClick={() => navigation.go(product.list, { replace: true })}>
          {translate('form.empty.methods')}
        </Button>
      </StateView>
    </Page>
  );
}
