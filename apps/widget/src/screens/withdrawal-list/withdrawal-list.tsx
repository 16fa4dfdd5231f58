import type { MethodList as List } from '@opencashier/contract/api';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import { UnfinishedWithdrawal } from '../../kit/withdrawal/unfinished-withdrawal-part.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Card } from '../../ui/page/card.tsx';
import { type ListPart, Screen as MethodList } from '../method-list/method-list.tsx';
import styles from './withdrawal-list.module.css';

/** The choice of the method, and an unfinished withdrawal that the user has not confirmed. */
export function Screen(props: ScreenProps & Pick<ListPart, 'part'>) {
  return (
    <>
      <MethodList {...props} notice={(list) => isEmpty(list) && <EmptyBalance />} />
      <UnfinishedWithdrawal />
    </>
  );
}

/** Whether every account is empty. */
function isEmpty({ balance, additionalBalance }: List): boolean {
  if (balance === undefined) return false;
  return [balance.amount, additionalBalance?.amount ?? '0'].every((amount) => !/[1-9]/.test(amount));
}

/** A notice before the user fills in a form that cannot be sent. */
function EmptyBalance() {
  const { translate } = useTexts();
  const { navigation } = useServices();
  const { product } = usePlace();
  return (
    <Card>
      <div className={styles.empty}>
        <p>{translate('withdrawal.emptyBalance')}</p>
        <Button look="secondary" onClick={() => navigation.go(product.list)}>
          {translate('title.deposit')}
        </Button>
      </div>
    </Card>
  );
}
