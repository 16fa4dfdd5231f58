import type { ReactNode } from 'react';
import { Notice } from '../ui/card.tsx';
import { StateView } from '../ui/state-view.tsx';
import { useTexts } from './services.tsx';

/**
 * The outcome is not known. Neither a success nor a failure, and the one thing not to do is said aloud.
 * @param words under which keys the words are; a deposit's when absent
 */
export function CheckingView({
  words = 'checking',
  children,
}: {
  readonly words?: string;
  readonly children?: ReactNode;
}) {
  const { translate } = useTexts();
  return (
    <StateView icon="clock" tone="warn" title={translate(`${words}.title`)} text={translate(`${words}.text`)} isActive>
      <Notice tone="warn">{translate(`${words}.warning`)}</Notice>
      {children}
    </StateView>
  );
}
