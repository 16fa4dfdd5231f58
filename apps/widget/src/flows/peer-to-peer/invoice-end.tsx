import type { ReactNode } from 'react';
import { useTexts } from '../../kit/session/services.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/page/card.tsx';
import { Page, PageFooter } from '../../ui/page/page.tsx';
import { StateView } from '../../ui/page/state-view.tsx';

interface InvoiceEndProps {
  readonly kind: 'time' | 'person' | 'closed';
  /** The server has ended the invoice. Before that a payment may still be found. */
  readonly isSettled: boolean;
  readonly onStatus: () => void;
  readonly onAgain: () => void;
  /** What the user can still enter. */
  readonly field?: ReactNode;
  /** What the user can still do, above the other buttons. */
  readonly children?: ReactNode;
}

/**
 * An invoice that can no longer be paid. A payer who paid in the last second must not pay twice, so the screen says that first
 * (DEP-11).
 */
export function InvoiceEnd({ kind, isSettled, onStatus, onAgain, field, children }: InvoiceEndProps) {
  const { translate } = useTexts();
  return (
    <>
      <Page>
        <div role="status">
          <StateView
            icon={kind === 'time' ? 'clock' : 'close'}
            tone={isSettled ? 'calm' : 'warn'}
            title={translate(`p2p.end.${kind}`)}
            text={translate(isSettled ? 'p2p.end.text' : 'p2p.end.asking')}
            isActive={!isSettled}
          >
            <Notice tone="warn">{translate('p2p.end.warning')}</Notice>
          </StateView>
        </div>
        {field}
      </Page>
      <PageFooter>
        {children}
        <Button look={children ? 'secondary' : 'primary'} onClick={onStatus}>
          {translate('payment.status')}
        </Button>
        {isSettled && (
          <Button look="ghost" onClick={onAgain}>
            {translate('p2p.end.again')}
          </Button>
        )}
      </PageFooter>
    </>
  );
}
