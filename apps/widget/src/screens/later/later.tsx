import type { ScreenProps } from '../../kit/product.ts';
import { usePlace } from '../../kit/product-context.tsx';
import { useServices, useTexts } from '../../kit/services.tsx';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { StateView } from '../../ui/state-view.tsx';

/** A way to pay that this version does not offer yet: says so and leads on. */
export function Screen(_props: ScreenProps) {
  const { translate } = useTexts();
  const { navigation } = useServices();
  const { tree, product } = usePlace();
  const isList = globalThis.location?.pathname.endsWith(tree) === true;
  return (
    <Page>
      <StateView icon="soon" tone="calm" title={translate('later.title')} text={translate('later.text')}>
        {!isList && (
          <Button onClick={() => navigation.go(tree, { replace: true })}>{translate('later.methods')}</Button>
        )}
        {isList && product.list !== tree && (
          <Button onClick={() => navigation.go(product.list, { replace: true })}>{translate('later.deposit')}</Button>
        )}
      </StateView>
    </Page>
  );
}
