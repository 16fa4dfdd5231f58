import { DepositForm } from '../../kit/deposit-form.tsx';
import { ownPage } from '../../kit/own-page.ts';
import type { ScreenProps } from '../../kit/product.ts';
import { usePlace } from '../../kit/product-context.tsx';
import { useTexts } from '../../kit/services.tsx';
import { useMethod } from '../../kit/use-method.ts';

/** The amount; the invoice comes next (DEP-10). */
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
