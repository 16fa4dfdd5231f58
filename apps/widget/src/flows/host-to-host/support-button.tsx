import { useState } from 'react';
import { Requisites } from '../../kit/requisites.tsx';
import { useServices, useTexts } from '../../kit/services.tsx';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/sheet.tsx';

/**
 * For methods that need help more often than others (DEP-12). The host hears that help is wanted and may open its chat; the
 * person gets the number that support asks for, whatever the host does.
 */
export function SupportButton({ depositId, method }: { readonly depositId: string; readonly method: string }) {
  const { translate } = useTexts();
  const { metric } = useServices();
  const [isOpen, setOpen] = useState(false);
  const title = translate('h2h.support');
  return (
    <div>
      <Button
        look="pill"
        onClick={() => {
          metric('support.opened', method);
          setOpen(true);
        }}
      >
        {title}
      </Button>
      {isOpen && (
        <Sheet title={title} closeLabel={translate('header.close')} onClose={() => setOpen(false)}>
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
        </Sheet>
      )}
    </div>
  );
}
