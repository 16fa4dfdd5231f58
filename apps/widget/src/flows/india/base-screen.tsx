import { DepositForm } from '../../kit/deposit/deposit-form.tsx';
import { ownPage } from '../../kit/deposit/own-page.ts';
import { useMethod } from '../../kit/method/use-method.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useTexts } from '../../kit/session/services.tsx';

/** The form with the amount; the invoice comes next (DEP-10). */
export function Screen({ params }: ScreenProps) {
  const { translate } = useTexts();
  const { tree } = usePlace();
  const method = useMethod(params['method']);
  if (!method) return null;
  return (
    <DepositForm
      method={method}
      note={translate('india.note')}
      variant={ownPage(`${tree}/india/${encodeURIComponent(method.name)}/invoice`)}
    />
  );
}
