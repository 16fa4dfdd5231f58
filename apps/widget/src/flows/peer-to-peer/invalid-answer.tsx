import { depositCancel, type PaymentMethod } from '@opencashier/contract/api';
import { useEffect } from 'react';
import { DeadEnd } from '../../kit/payment/payment-gate.tsx';
import { failureCode } from '../../kit/session/failure-code.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/page/card.tsx';

interface InvalidAnswerProps {
  readonly method: PaymentMethod;
  readonly depositId: string;
  readonly missing: 'answer' | 'fields' | 'card' | 'timing';
}

/** The provider left out the payee or the deadline, so nobody can pay. The screen tells the host and leads the payer on. */
export function InvalidAnswer({ method, depositId, missing }: InvalidAnswerProps) {
  const { translate } = useTexts();
  const { api, metric, navigation, post } = useServices();
  const { tree } = usePlace();
  const { name } = method;
  useEffect(() => {
    post({
      messageType: 'error',
      payload: { code: 'invalid-response', message: `deposit-create-p2p for ${name} lacks ${missing}` },
    });
  }, [post, name, missing]);
  const leave = () => {
    // The server decides whether it can cancel. An unpaid deposit expires anyway.
    api.call(depositCancel, { depositId, paymentMethod: name }).catch((error: unknown) => {
      metric('deposit.cancel-failed', failureCode(error) ?? 'unexpected');
    });
    navigation.go(tree, { replace: true });
  };
  return (
    <DeadEnd words="p2p.invalid" notice={<Notice tone="warn">{translate('p2p.invalid.notice')}</Notice>}>
      <Button onClick={leave}>{translate('payment.methods')}</Button>
    </DeadEnd>
  );
}
