import { DepositForm } from '../../kit/deposit/deposit-form.tsx';
import { ownPage } from '../../kit/deposit/own-page.ts';
import { LinkList } from '../../kit/link/link-list.tsx';
import { useMethod } from '../../kit/method/use-method.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useTexts } from '../../kit/session/services.tsx';
import { agentsOf } from './model.ts';

/** The form with the amount of cash, and the agent's contact for questions (DEP-13). */
export function Screen({ params }: ScreenProps) {
  const { translate } = useTexts();
  const { tree } = usePlace();
  const method = useMethod(params['method']);
  if (!method) return null;
  return (
    <DepositForm
      method={method}
      note={translate('cash.note')}
      variant={ownPage(`${tree}/cash/${encodeURIComponent(method.name)}/agents`)}
    >
      <LinkList title={translate('cash.ask')} links={agentsOf({}, method, translate('cash.agent'))} />
    </DepositForm>
  );
}
