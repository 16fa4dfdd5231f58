/**
 * What the provider answered to a create: whom to pay, until when, by which code. It is kept in memory between the form and the
 * page that shows it. After a reload the widget repeats the create under the same key (NAV-7). The repeat creates nothing new
 * (SRV-6).
 */
import { type DepositData, depositStatus } from '@opencashier/contract/api';
import { isPermanentRefusal } from '@opencashier/core/deposit/create-failure';
import { useQuery } from '@tanstack/react-query';
import { type ApiClient, ClientError } from '../../api/client.ts';
import { type Session, useServices, useSession } from '../session/services.tsx';
import { createDeposit } from './create-deposit.ts';
import { answerKey, intentOf } from './deposit-intent.ts';

export type DepositAnswer =
  | { readonly at: 'loading' }
  | { readonly at: 'ready'; readonly data: DepositData }
  /** There is nothing left to pay, or the provider sent nothing. The status of the deposit says more. */
  | { readonly at: 'none' }
  | { readonly at: 'failed'; readonly retry: () => void };

/**
 * The answer of a deposit: from memory, else from the server.
 * @param depositId undefined when the address names no deposit; the answer is then `none`
 * @param replay repeats the create under the same key; the plain create when absent. Peer-to-peer has its own
 */
export function useDepositAnswer(
  depositId: string | undefined,
  method: string,
  replay: ReplayAnswer = replayCreate,
): DepositAnswer {
  const { api } = useServices();
  const session = useSession();
  const query = useQuery({
    queryKey: answerKey(depositId),
    enabled: depositId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) =>
      (await askAgain({ api, session, signal, depositId: depositId ?? '', method }, replay)) ?? null,
  });
  if (depositId === undefined) return { at: 'none' };
  if (query.data) return { at: 'ready', data: query.data };
  if (query.data === null) return { at: 'none' };
  if (query.isError) return { at: 'failed', retry: () => void query.refetch() };
  return { at: 'loading' };
}

interface ReplayQuestion {
  readonly api: ApiClient;
  readonly session: Session;
  readonly signal: AbortSignal;
  readonly depositId: string;
  readonly method: string;
}

/** Whether the server would say the same again. It knows no such deposit: a 404 of a proxy has another code. */
function isLasting({ status, code }: ClientError): boolean {
  return code === 'not-found' || isPermanentRefusal({ status, code });
}

/** What a repeated create sends: what the server reports about the deposit, and the stored intent. */
export interface ReplayIntent {
  readonly amount: string;
  readonly currency: string;
  readonly selectedCountry: string;
  readonly bonusId?: string;
  readonly boxId?: string;
}

export type ReplayAnswer = (question: ReplayQuestion, intent: ReplayIntent) => Promise<DepositData | null | undefined>;

const replayCreate: ReplayAnswer = async ({ api, signal, depositId, method }, intent) => {
  const { apiResponse } = await createDeposit(
    api,
    { ...intent, depositId, paymentType: method, fields: {}, isActivatedBonus: intent.bonusId !== undefined },
    { signal },
  );
  return apiResponse.data;
};

/**
 * Asks for the status first: opening the page of an unknown deposit must not create it. The typed fields are not sent again,
 * because the key's first answer does not depend on them.
 */
async function askAgain(question: ReplayQuestion, replay: ReplayAnswer): Promise<DepositData | null | undefined> {
  const { api, session, signal, depositId, method } = question;
  try {
    const { amount, currency } = await api.call(depositStatus, { depositId, paymentMethod: method }, { signal });
    const stored = intentOf(depositId);
    const selectedCountry = stored?.selectedCountry ?? session.country;
    const bonus = stored?.bonusId === undefined ? {} : { bonusId: stored.bonusId };
    const box = stored?.boxId === undefined ? {} : { boxId: stored.boxId };
    return await replay(question, { amount, currency, selectedCountry, ...bonus, ...box });
  } catch (error) {
    // Unknown, cancelled, expired, or another intent. A lost connection, a busy server and a session that ended are worth another try.
    if (error instanceof ClientError && error.kind === 'refused' && isLasting(error)) return undefined;
    throw error;
  }
}
