import type { PaymentMethod } from '@opencashier/contract/api';
import { safeLink } from '@opencashier/core/links/safe-link';
import { useState } from 'react';
import { LinkList } from '../../kit/link/link-list.tsx';
import { linkPolicyOf } from '../../kit/link/link-policy.ts';
import { Requisites } from '../../kit/payment/requisites.tsx';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Sheet, SheetContent } from '../../ui/layers/sheet.tsx';

interface SupportButtonProps {
  readonly depositId: string;
  readonly method: Pick<PaymentMethod, 'name' | 'flags'>;
}

/**
 * For methods that need support more often than others (DEP-12). The widget tells the host that the user wants help, and the host
 * may open its chat. Whatever the host does, the user sees the id that support asks for, and the method's own link to support.
 */
export function SupportButton({ depositId, method }: SupportButtonProps) {
  const { translate } = useTexts();
  const { metric, post } = useServices();
  const href = safeLink(method.flags.supportLink, linkPolicyOf(method));
  const [isOpen, setOpen] = useState(false);
  const title = translate('h2h.support');
  return (
    <div>
      <Button
        look="pill"
        onClick={() => {
          metric('support.opened', method.name);
          post({ messageType: 'support', payload: { depositId, paymentMethod: method.name } });
          setOpen(true);
        }}
      >
        {title}
      </Button>
      {isOpen && (
        <Sheet title={title} closeLabel={translate('header.close')} onClose={() => setOpen(false)}>
          <SheetContent>
            <p>{translate('h2h.support.text')}</p>
            <Requisites
              rows={[
                {
                  id: 'number',
                  title: translate('complete.number'),
                  shown: depositId.slice(0, 8).toUpperCase(),
                  copied: depositId,
                  isCopyable: true,
                },
              ]}
            />
            {href !== undefined && (
              <LinkList title={translate('h2h.support.more')} links={[{ name: translate('h2h.support.link'), href }]} />
            )}
          </SheetContent>
        </Sheet>
      )}
    </div>
  );
}
