import { type ReactNode, useEffect } from 'react';
import { findGroup, findMethod, useMethodList } from '../../kit/method-list.ts';
import { usePlace } from '../../kit/product-context.tsx';
import { useServices, useTexts } from '../../kit/services.tsx';
import { ListSkeleton } from '../method-list/list-skeleton.tsx';

interface OfferedProps {
  readonly needs: 'method' | 'group';
  readonly name: string | undefined;
  /** Where the methods are shown, below the address of the tree. */
  readonly elsewhere: string;
  readonly children: ReactNode;
}

/** The method or group of the address, if the catalogue of this very session has it; else what it has (NAV-3). */
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

export function Waiting() {
  const { translate } = useTexts();
  return <ListSkeleton label={translate('screen.loading')} />;
}
