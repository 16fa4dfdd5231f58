import type { ReactNode } from 'react';
import { Notice } from '../ui/card.tsx';
import { StateView } from '../ui/state-view.tsx';
import { useTexts } from './services.tsx';

/** The outcome is not known. Neither a success nor a failure, and the one thing not to do is said aloud. */
export function CheckingView({ children }: { readonly children?: ReactNode }) {
  const { translate } = useTexts();
  return (
    <StateView icon="clock" tone="warn" title={translate('checking.title')} text={translate('checking.text')} isActive>
      <Notice tone="warn">{translate('checking.warning')}</Notice>
      {children}
    </StateView>
  );
}
