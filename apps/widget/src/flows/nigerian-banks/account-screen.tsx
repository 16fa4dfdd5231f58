import { useEffect, useMemo } from 'react';
import { useMethod } from '../../kit/method/use-method.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import { WithdrawalForm } from '../../kit/withdrawal/withdrawal-form.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Card } from '../../ui/page/card.tsx';
import { bankListPath, banksOf, withBank } from './model.ts';
import styles from './nigerian-banks.module.css';

/** The account at the chosen bank, and the amount. A bank that the method does not have leads back to the list. */
export function Screen({ params, query }: ScreenProps) {
  const { translate } = useTexts();
  const { navigation } = useServices();
  const { tree } = usePlace();
  const method = useMethod(params['method']);
  const bank = method && banksOf(method).find(({ value }) => value === query.get('bank'));
  const missing = method && bank === undefined ? bankListPath(tree, method.name) : undefined;
  useEffect(() => {
    if (missing !== undefined) navigation.go(missing, { replace: true });
  }, [navigation, missing]);
  const asked = useMemo(() => method && bank && withBank(method, bank.value), [method, bank]);
  if (!asked || !bank) return null;
  return (
    <WithdrawalForm method={asked}>
      <Card>
        <div className={styles.bank}>
          <div>
            <p className={styles.label}>{translate('nigerianBanks.bank')}</p>
            <p className={styles.name} dir="auto">
              {bank.text}
            </p>
          </div>
          <Button
            look="pill"
            aria-label={translate('nigerianBanks.change.name', { bank: bank.text })}
            onClick={() => navigation.go(bankListPath(tree, asked.name, bank.value), { replace: true })}
          >
            {translate('nigerianBanks.change')}
          </Button>
        </div>
      </Card>
    </WithdrawalForm>
  );
}
