import type { PaymentMethod } from '@opencashier/contract/api';
import { Badge } from '../../ui/marks/badge.tsx';
import { useTexts } from '../session/services.tsx';

/** DEP-12: the method's payments are guaranteed, as its flag says. */
export function GuaranteedMark({ flags }: Pick<PaymentMethod, 'flags'>) {
  const { translate } = useTexts();
  if (flags.guaranteed !== true) return null;
  return (
    <p>
      <Badge>{translate('payment.guaranteed')}</Badge>
    </p>
  );
}
