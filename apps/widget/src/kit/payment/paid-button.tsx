import { depositComplete } from '@opencashier/contract/api';
import { paidFaultOf } from '@opencashier/core/deposit/paid-fault';
import { isConfirmationId } from '@opencashier/core/fields/confirmation-id';
import { useState } from 'react';
import { ClientError } from '../../api/client.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { callFailureOf } from '../engine/call-failure.ts';
import { useIsCurrentPage } from '../session/current-page.ts';
import { refusedNames } from '../session/failure-code.ts';
import { FaultAlert, usePressFault } from '../session/press-fault.tsx';
import { completePath, usePlace } from '../session/product-context.tsx';
import { useServices, useTexts } from '../session/services.tsx';
import { paidRefusalText } from './paid-refusal-text.ts';
import { reportedPaid } from './reported-paid.ts';

interface PaidButtonProps {
  readonly depositId: string;
  readonly method: string;
  /** Values of the answer's input fields, once they are valid. The receipt's number is sent separately (FORM-10). */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** The server refused these fields, by name. */
  readonly onRefused?: ((names: readonly string[]) => void) | undefined;
  /** Set while a required value is missing. A press then shows the missing field and sends nothing. */
  readonly onMissing?: (() => void) | undefined;
  /** `secondary` if another button is the main one. */
  readonly look?: 'primary' | 'secondary';
}

/** "I have paid": asks the provider to check, then shows the server's answer (DEP-5). It credits nothing by itself. */
export function PaidButton({ depositId, method, fields, onRefused, onMissing, look = 'primary' }: PaidButtonProps) {
  const texts = useTexts();
  const { translate } = texts;
  const { api, navigation } = useServices();
  const { tree } = usePlace();
  const [isBusy, setBusy] = useState(false);
  const isCurrentPage = useIsCurrentPage();
  // The user may have sent the money, so no text here may say "nothing was sent".
  const unanswered = translate('payment.unanswered');
  const fault = usePressFault('', unanswered);
  const press = async () => {
    if (onMissing) {
      onMissing();
      return;
    }
    if (fault.refuses()) return;
    setBusy(true);
    const answer = await api.call(depositComplete, { depositId, paymentMethod: method, ...said(fields) }).then(
      () => undefined,
      (error: unknown) => ({ error, ...paidFaultOf(callFailureOf(error)) }),
    );
    if (answer !== undefined && answer.kind !== 'changed') {
      setBusy(false);
      const names = refusedNames(answer.error);
      if (names.length > 0 && onRefused) onRefused(names);
      // The user may press again: it reports the same, credits nothing, and may be the first to arrive.
      else fault.say(answer.kind === 'refused' ? paidRefusalText(answer.code, texts) : unanswered);
      if (!(answer.error instanceof ClientError)) throw answer.error;
      return;
    }
    if (!isCurrentPage()) {
      setBusy(false);
      return;
    }
    // Only a success says that the server knows. If the deposit has changed, its status says how.
    const state = answer === undefined ? reportedPaid : undefined;
    navigation.go(completePath(tree, depositId, method), { replace: true, state });
  };
  return (
    <>
      <FaultAlert press={fault} />
      <Button look={look} isBusy={isBusy} onClick={() => void press()}>
        {translate('payment.paid')}
      </Button>
    </>
  );
}

function said(fields: PaidButtonProps['fields'] = {}) {
  const { confirmationId } = fields;
  return {
    ...(Object.keys(fields).length > 0 && { fields }),
    ...(confirmationId !== undefined && isConfirmationId(confirmationId) && { confirmationId }),
  };
}
