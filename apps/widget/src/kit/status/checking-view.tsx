import type { ReactNode } from 'react';
import { Notice } from '../../ui/page/card.tsx';
import { Page } from '../../ui/page/page.tsx';
import { StateView } from '../../ui/page/state-view.tsx';
import { useTexts } from '../session/services.tsx';

interface CheckingProps {
  /** Under which keys the words are; a deposit's when absent. */
  readonly words?: string | undefined;
  /** Amount, number and destination of what is being checked, where they are known. */
  readonly details?: ReactNode;
}

/** The outcome is not known. Neither a success nor a failure, and the one thing not to do is said aloud. */
export function CheckingView({ words = 'checking', details }: CheckingProps) {
  const { translate } = useTexts();
  return (
    <StateView
      icon="clock"
      tone="warn"
      title={translate(`${words}.title`)}
      text={translate(`${words}.text`)}
      isActive
      details={
        <>
          <Notice tone="warn">{translate(`${words}.warning`)}</Notice>
          {details}
        </>
      }
    />
  );
}

/** The same in the place of the form that was sent. */
export function CheckingPage({ words, details }: CheckingProps) {
  return (
    <Page>
      <div role="status">
        <CheckingView words={words} details={details} />
      </div>
    </Page>
  );
}
