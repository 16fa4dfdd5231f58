import type { ReactNode } from 'react';
import { Notice } from '../../ui/page/card.tsx';
import { Page } from '../../ui/page/page.tsx';
import { StateView } from '../../ui/page/state-view.tsx';
import { useTexts } from '../session/services.tsx';

interface CheckingProps {
  /** The prefix of the text keys; a deposit's when absent. */
  readonly words?: string | undefined;
  /** Amount, id and destination of the deposit or withdrawal, where they are known. */
  readonly details?: ReactNode;
}

/** The outcome is not known: neither a success nor a failure. A warning says not to pay again. */
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

/** The same page, in place of the sent form. */
export function CheckingPage({ words, details }: CheckingProps) {
  return (
    <Page>
      <div role="status">
        <CheckingView words={words} details={details} />
      </div>
    </Page>
  );
}
