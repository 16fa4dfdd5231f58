import { DepositForm } from '../../kit/deposit/deposit-form.tsx';
import { useMethod } from '../../kit/method/use-method.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { useTexts } from '../../kit/session/services.tsx';

/**
 * The form with the amount and the method's own fields (DEP-4). It continues on the provider's page, or with the details of a
 * manual payment. The guard has checked that the method exists.
 */
export function Screen({ params }: ScreenProps) {
  const { translate } = useTexts();
  const method = useMethod(params['method']);
  if (!method) return null;
  const note = method.flags.noNewWindow === true ? 'redirect.noteHere' : 'redirect.note';
  return <DepositForm method={method} group={params['group']} note={translate(note)} />;
}
