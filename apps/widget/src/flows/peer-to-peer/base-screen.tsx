import { useMemo } from 'react';
import { DepositForm } from '../../kit/deposit/deposit-form.tsx';
import type { DepositVariant } from '../../kit/deposit/deposit-ports.ts';
import { itemsOf } from '../../kit/form/form-values.ts';
import { useMethod } from '../../kit/method/use-method.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Card } from '../../ui/page/card.tsx';
import { bankField, createWith } from './create.ts';
import styles from './peer-to-peer.module.css';

/** The amount and the method's fields. Leaving while the deposit is being created cancels it (DEP-11). */
export function Screen({ params, query }: ScreenProps) {
  const { translate } = useTexts();
  const { navigation } = useServices();
  const { tree } = usePlace();
  const method = useMethod(params['method']);
  const field = method && bankField(method.fields);
  // Undefined if the method does not have the bank of the URL; the form then asks for the bank.
  const bank = field && itemsOf(field).find(({ value }) => value === query.get('bank'));
  const root = `${tree}/peer-to-peer/${encodeURIComponent(method?.name ?? '')}`;
  const variant = useMemo(() => variantOf(root, bank?.value), [root, bank?.value]);
  const shownMethod = useMemo(
    () => method && { ...method, fields: method.fields.filter((one) => !(bank && one === field)) },
    [method, field, bank],
  );
  if (!shownMethod) return null;
  return (
    <DepositForm method={shownMethod} variant={variant} note={translate('p2p.note')}>
      {bank && (
        <Card>
          <div className={styles.bank}>
            <div>
              <p className={styles.label}>{translate('p2p.bank')}</p>
              <p className={styles.value}>{bank.text}</p>
            </div>
            <Button
              look="pill"
              onClick={() => navigation.go(`${root}?${new URLSearchParams({ bank: bank.value })}`, { replace: true })}
            >
              {translate('p2p.changeBank')}
            </Button>
          </div>
        </Card>
      )}
      <div>
        <Button look="pill" onClick={() => navigation.go(`${root}/instruction`)}>
          {translate('p2p.howTo')}
        </Button>
      </div>
    </DepositForm>
  );
}

function variantOf(root: string, bank: string | undefined): DepositVariant {
  return {
    create: createWith(bank),
    staysHere: true,
    cancelsOnLeave: true,
    pathOf(step) {
      const query = new URLSearchParams({ depositId: step.depositId ?? '' });
      if (step.kind === 'unified-form') return `${root}/unified-form?${query}`;
      return step.kind === 'own-route' ? `${root}/invoice?${query}` : undefined;
    },
  };
}
