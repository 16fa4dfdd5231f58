import { type WithdrawalConfirmation, withdrawalCodeSend } from '@opencashier/contract/api';
import { useEffect, useState } from 'react';
import { ClientError } from '../../api/client.ts';
import { useServices, useTexts } from '../session/services.tsx';
import { withdrawalErrorText } from './withdrawal-text.ts';

/** The confirmation code from the operator, while the user types it (WD-2). It is never stored. */
export interface ConfirmationCode {
  readonly wanted: WithdrawalConfirmation;
  readonly typed: string;
  readonly isComplete: boolean;
  /** The error of the code: the key of its text, and the attempts left. */
  readonly error: { readonly key: string; readonly attemptsLeft?: number } | undefined;
  /** Seconds until the user can ask for another code; zero: now; undefined: no more codes will be sent. */
  readonly resendInS: number | undefined;
  readonly isSending: boolean;
  type(text: string): void;
  /** Shows the error of an incomplete code. */
  reveal(): void;
  refuse(code: string, params: Readonly<Record<string, string>>): void;
  resend(): void;
}

/** @param told the server's last request for a code; undefined: the withdrawal needs no code */
export function useConfirmationCode(
  withdrawalId: string,
  told: WithdrawalConfirmation | undefined,
): ConfirmationCode | undefined {
  const { api, clock, notify } = useServices();
  const texts = useTexts();
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<ConfirmationCode['error']>();
  const [sent, setSent] = useState<WithdrawalConfirmation>();
  const [isSending, setSending] = useState(false);
  const wanted = told && sent && Date.parse(sent.serverTime) > Date.parse(told.serverTime) ? sent : told;
  const now = clock.now() + api.serverOffsetMs();
  const resendAt = wanted?.resendAt;
  const resendInS = resendAt === undefined ? undefined : Math.max(0, Math.ceil((Date.parse(resendAt) - now) / 1000));
  const [, tick] = useState(0);
  const isWaiting = resendInS !== undefined && resendInS > 0;
  useEffect(() => {
    if (!isWaiting) return;
    return clock.setRepeating(() => tick((count) => count + 1), 1000);
  }, [clock, isWaiting]);
  if (wanted === undefined) return undefined;
  const isComplete = typed.length === wanted.length;
  const send = async (): Promise<void> => {
    setSending(true);
    try {
      const { confirmation } = await api.call(withdrawalCodeSend, { withdrawalId });
      setSent(confirmation);
      setTyped('');
      setError(undefined);
    } catch (failure) {
      if (!(failure instanceof ClientError)) throw failure;
      notify({ kind: 'error', text: withdrawalErrorText(failure, texts) });
    } finally {
      setSending(false);
    }
  };
  return {
    wanted,
    typed,
    isComplete,
    error,
    resendInS,
    isSending,
    type(text) {
      setTyped(text);
      setError(undefined);
    },
    reveal: () => setError((known) => known ?? { key: 'confirm.code.incomplete' }),
    refuse(code, params) {
      const left = Number(params['attemptsLeft']);
      const attemptsLeft = Number.isInteger(left) && left > 0 ? { attemptsLeft: left } : {};
      setTyped('');
      setError({ key: `withdrawal.error.${code}`, ...attemptsLeft });
    },
    resend: () => void send(),
  };
}
