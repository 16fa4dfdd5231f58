import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Page } from '../../ui/page/page.tsx';
import { StateView } from '../../ui/page/state-view.tsx';

/** No coin box is on sale, or the boxes could not be loaded (LIST-1, SWP-3). Another region may have some. */
export function Screen() {
  const { translate } = useTexts();
  const { navigation } = useServices();
  const { product } = usePlace();
  return (
    <Page>
      <StateView icon="coin" tone="calm" title={translate('boxes.none.title')} text={translate('boxes.none.text')}>
        <Button onClick={() => navigation.go(product.list, { replace: true })}>
          {translate('boxes.none.refresh')}
        </Button>
        <Button look="ghost" onClick={() => navigation.go('/empty/region')}>
          {translate('empty.region')}
        </Button>
      </StateView>
    </Page>
  );
}
