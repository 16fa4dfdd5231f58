import { isNotOffered, listOf } from '../../kit/method/empty-list.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useSession, useTexts } from '../../kit/session/services.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Page } from '../../ui/page/page.tsx';
import { StateView } from '../../ui/page/state-view.tsx';

/**
 * No method is offered here (NAV-6). The user may choose another region, unless the operator pays nothing out in any. An operator can
 * replace or remove the hint.
 */
export function Screen({ state }: ScreenProps) {
  const { translate } = useTexts();
  const { payload } = useSession();
  const { navigation } = useServices();
  const { product } = usePlace();
  const list = listOf(state) ?? product.list;
  const isNowhere = isNotOffered(state);
  const own = payload.schema.meta?.emptyPageHint;
  // Isolated, so that its full stop stays at its end in every language.
  const hint = own ? `\u2068${own}\u2069` : (own ?? (isNowhere ? undefined : translate('empty.hint')));
  const title = translate(isNowhere ? 'empty.noWithdrawals' : 'empty.title');
  return (
    <Page>
      <StateView icon="globe" tone="calm" title={title} text={hint}>
        {!isNowhere && (
          <>
            <Button onClick={() => navigation.go('/empty/region', { state })}>{translate('empty.region')}</Button>
            <Button look="ghost" onClick={() => navigation.go(list, { replace: true })}>
              {translate('empty.refresh')}
            </Button>
          </>
        )}
      </StateView>
    </Page>
  );
}
