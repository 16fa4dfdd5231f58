import { DepositForm } from '../../kit/deposit/deposit-form.tsx';
import { useMethod } from '../../kit/method/use-method.ts';
import type { ScreenProps } from '../../kit/session/product.ts';
import { useTexts } from '../../kit/session/services.tsx';

/** Amount, the method's own fields, and off to the provider's page, or to the details of a payment by hand (DEP-4). The guard has seen that the method exists. */
export function Screen({ params }: ScreenProps) {
  const { translate } = useTexts();
  const method = useMethod(params['method']);
  if (!method) return null;
  const note = method.flags.noNewWindow === true ? 'redirect.noteHere' : 'redirect.note';
  return <DepositForm method={method} group={params['group']} note={translate(note)} />;
}
