import { DepositForm } from '../../kit/deposit-form.tsx';
import { LinkList } from '../../kit/link-list.tsx';
import { ownPage } from '../../kit/own-page.ts';
import type { ScreenProps } from '../../kit/product.ts';
import { usePlace } from '../../kit/product-context.tsx';
import { useTexts } from '../../kit/services.tsx';
import { useMethod } from '../../kit/use-method.ts';
import { agentsOf } from './model.ts';

/** The amount that is to be handed over, and the agent for whoever wants to ask first (DEP-13). */
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
