import type { PaymentMethod } from '@opencashier/contract/api';
import { Badge } from '../../ui/marks/badge.tsx';
import { useTexts } from '../session/services.tsx';

/** A badge for a method whose payments are guaranteed (DEP-12). */
export function GuaranteedMark({ flags }: Pick<PaymentMethod, 'flags'>) {
  const { translate } = useTexts();
  if (flags.guaranteed !== true) return null;
  return (
    <p>
      <Badge>{translate('payment.guaranteed')}</Badge>
    </p>
  );
}
