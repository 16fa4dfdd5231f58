/** The create call of peer-to-peer (DEP-11). Its answer is converted to the common form of a deposit's data. */
import { type DepositData, depositCreateP2p, type FormField, type ResponseOf } from '@opencashier/contract/api';
import type { NextStep } from '@opencashier/core/deposit/next-step';
import { p2pStep } from '@opencashier/core/deposit/p2p-step';
import type { ReplayAnswer } from '../../kit/deposit/deposit-answer.ts';
import type { CreateStep } from '../../kit/deposit/deposit-ports.ts';

type P2pAnswer = ResponseOf<typeof depositCreateP2p>;

/** Creates the deposit by the flow's own call. An incomplete answer leads to the invoice screen, which says so. */
export function createWith(bank: string | undefined): CreateStep {
  return async (body, api, signal) => {
    const { paymentType, returnUrl: _returnUrl, wallet: _wallet, ...shared } = body;
    const request = { ...shared, paymentMethod: paymentType, ...(bank === undefined ? {} : { bank }) };
    return nextStepOf(await api.call(depositCreateP2p, request, { signal }));
  };
}

export function nextStepOf(answer: P2pAnswer): NextStep {
  const { depositId } = answer;
  const step = p2pStep(answer);
  if (step.kind === 'fields') return { kind: 'fields', depositId, fields: step.fields };
  const data = dataOf(answer);
  return step.kind === 'unified-form'
    ? { kind: 'unified-form', depositId, data }
    : { kind: 'own-route', depositId, data };
}

/** The answer as a deposit's data, without absent and null values. */
function dataOf(answer: P2pAnswer): DepositData {
  const { depositId: _id, fields: _fields, isFieldsRequired: _asks, card, created, timeout_minutes, ...rest } = answer;
  return {
    ...rest,
    ...(card == null ? {} : { card }),
    ...(created == null ? {} : { created }),
    ...(timeout_minutes == null ? {} : { timeout_minutes }),
  };
}

/** Asks again for the answer of an existing deposit (NAV-7). */
export const replayP2p: ReplayAnswer = async ({ api, signal, depositId, method }, intent) =>
  dataOf(await api.call(depositCreateP2p, { ...intent, depositId, paymentMethod: method }, { signal }));

/** The field in which a method lists the payer's possible banks. */
export const bankField = (fields: readonly FormField[]): FormField | undefined =>
  fields.find(({ name, type }) => name === 'bank' && type === 'dropdown');
