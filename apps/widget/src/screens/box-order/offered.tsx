import { type ReactNode, useEffect } from 'react';
import { findGroup, findMethod, useMethodList } from '../../kit/method/method-list.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import { Page } from '../../ui/page/page.tsx';
import { Skeleton } from '../../ui/page/skeleton.tsx';
import { VisuallyHidden } from '../../ui/page/visually-hidden.tsx';

interface OfferedProps {
  readonly needs: 'method' | 'group';
  readonly name: string | undefined;
  /** The path of the list of methods, below the tree. */
  readonly elsewhere: string;
  readonly children: ReactNode;
}

/** Shows its children if the current catalogue has the method or group of the address. Otherwise it leads to the list (NAV-3). */
export function Offered({ needs, name, elsewhere, children }: OfferedProps) {
  const { navigation, post } = useServices();
  const { direction, tree } = usePlace();
  const state = useMethodList(direction);
  const method = state.at === 'ready' ? findMethod(state.list, name) : undefined;
  const isUsable =
    needs === 'group'
      ? state.at === 'ready' && findGroup(state.list, name) !== undefined
      : method !== undefined && method.disabledReason === undefined;
  const isLost = state.at !== 'loading' && !isUsable;
  useEffect(() => {
    if (!isLost) return;
    post({ messageType: 'error', payload: { code: 'not-chosen', message: 'No payment-method' } });
    navigation.go(`${tree}${elsewhere}`, { replace: true });
  }, [isLost, navigation, post, tree, elsewhere]);
  return isUsable ? children : <Waiting />;
}

/** A placeholder for a form: a head, an order or a balance, and fields. */
export function Waiting() {
  const { translate } = useTexts();
  return (
    <Page>
      <div role="status">
        <VisuallyHidden>{translate('screen.loading')}</VisuallyHidden>
      </div>
      <Skeleton inlineSize="70%" blockSize="44px" />
      <Skeleton blockSize="168px" radius="var(--radius-l)" />
      <Skeleton blockSize="128px" radius="var(--radius-l)" />
    </Page>
  );
}
