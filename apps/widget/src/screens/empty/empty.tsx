import { listOf } from '../../kit/method/empty-list.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useSession, useTexts } from '../../kit/session/services.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Page } from '../../ui/page/page.tsx';
import { StateView } from '../../ui/page/state-view.tsx';

/** No method is offered here, but the user may choose another region (NAV-6). An operator can replace or remove the hint. */
export function Screen({ state }: ScreenProps) {
  const { translate } = useTexts();
  const { payload } = useSession();
  const { navigation } = useServices();
  const { product } = usePlace();
  const list = listOf(state) ?? product.list;
  const own = payload.schema.meta?.emptyPageHint;
  // Isolated, so that its full stop stays at its end in every language.
  const hint = own ? `\u2068${own}\u2069` : (own ?? translate('empty.hint'));
  return (
    <Page>
      <StateView icon="globe" tone="calm" title={translate('empty.title')} text={hint}>
        <Button onClick={() => navigation.go('/empty/region', { state })}>{translate('empty.region')}</Button>
        <Button look="ghost" onClick={() => navigation.go(list, { replace: true })}>
          {translate('empty.refresh')}
        </Button>
      </StateView>
    </Page>
  );
}
