/**
 * A provider whose code runs in a process of its own. What a lost call means for money is decided here:
 *
 * - Nothing was sent: a create has `failed`, and the payer may pay again. Money that goes out waits instead (`unknown`): once the
 *   process is up, an inquiry finds nothing, and the cashier asks again under the same id.
 * - The call was sent and the process ended, hung, or answered without sense: `unknown`, never `failed`.
 */
import type { Provider, ProviderCreateResult, ProviderDeposit, ProviderRefund } from '../providers/provider.ts';
import type { ProviderWithdrawal, WithdrawalProvider } from '../providers/withdrawal-provider.ts';
import { answersOf, MalformedAnswer } from './answers.ts';
import type { Caller } from './caller.ts';
import type { ProviderPackage } from './provider-file.ts';
import { LostCall, NotSent, type ProviderProcess } from './provider-process.ts';
import type { CallAccount } from './wire.ts';

/** The time limits of the interface. ms. */
const limits = { create: 15_000, withdraw: 15_000, verify: 2_000, other: 10_000 } as const;

type Answers = ReturnType<typeof answersOf>;

/** What a proxy uses of a process. */
type Calls = Pick<ProviderProcess, 'call'>;

/**
 * A provider of an operator's account, in the process that the installation's account has, too.
 * @param oldSecrets those before the last change, while callbacks may still be signed with them
 */
export function packagedAccount(
  from: ProviderPackage,
  child: Calls,
  {
    caller,
    oldSecrets,
    ...account
  }: CallAccount & { readonly caller: Caller; readonly oldSecrets?: CallAccount['secrets'] },
): Provider {
  const withAccount = (of: CallAccount): Calls => ({
    call: (method, query, options) => child.call(method, query, { ...options, account: of, caller }),
  });
  const provider = packagedProvider(from, withAccount(account));
  if (oldSecrets === undefined) return provider;
  const former = packagedProvider(from, withAccount({ ...account, secrets: oldSecrets }));
  return {
    ...provider,
    async verify(callback) {
      const verified = await provider.verify(callback);
      return verified.kind === 'verified' ? verified : former.verify(callback);
    },
  };
}

/**
 * The account of the installation. `forOperator` gives the calls about a payment to its operator. All others are those of the
 * installation, such as callbacks, whose operator is not known yet.
 */
export function packagedInstallation(from: ProviderPackage, child: Calls): Provider {
  return {
    ...packagedProvider(from, child),
    forOperator: (operatorId) =>
      packagedProvider(from, {
        call: (method, query, options) => child.call(method, query, { ...options, caller: { operatorId } }),
      }),
  };
}

export function packagedProvider({ name, manifest }: ProviderPackage, child: Calls): Provider {
  const answers = answersOf(name);
  const { does, networks, watchIdleMs } = manifest;
  const ask = (method: string, query: unknown, withinMs: number = limits.other) =>
    child.call(method, query, { withinMs });
  return {
    name,
    ...(networks !== undefined && { hasNetwork: (network: string) => networks.includes(network) }),
    create: (deposit) => create(child, answers, deposit),
    inquire: async (query) => answers.report(await ask('inquire', query)),
    verify: async ({ rawBody, ...callback }) =>
      answers.verified(await ask('verify', { ...callback, rawBody: base64(rawBody) }, limits.verify)),
    read: async (rawBody) => answers.report(await ask('read', { rawBody: base64(rawBody) })),
    ...(watchIdleMs !== undefined && { watch: watchOf(child, answers, watchIdleMs) }),
    ...(does.includes('withdrawals') && { withdrawals: withdrawalsOf(child, answers) }),
    ...(does.includes('cancel') && {
      cancel: async (query: object) => {
        await ask('cancel', query);
      },
    }),
    ...(does.includes('takeInputs') && {
      takeInputs: async (inputs: object) => answers.inputs(await ask('takeInputs', inputs)),
    }),
    ...(does.includes('refund') && {
      refund: (refund: ProviderRefund) => certain(async () => answers.refund(await ask('refund', refund))),
    }),
    ...(does.includes('continue') && {
      continue: async (query: object) => answers.continued(await ask('continue', query)),
    }),
  };
}

async function create(
  child: Calls,
  answers: Answers,
  { signal, keepRequest, ...deposit }: ProviderDeposit,
): Promise<ProviderCreateResult> {
  const query = { deposit, keepsRequests: keepRequest !== undefined };
  try {
    return await certain(async () =>
      answers.create(
        await child.call('create', query, {
          withinMs: limits.create,
          caller: { operatorId: deposit.operatorId },
          signal,
          onAsk: async (_what, request) => keepRequest?.(String(request)),
        }),
      ),
    );
  } catch (error) {
    if (error instanceof NotSent) return { kind: 'failed', code: `provider-${error.message}` };
    throw error;
  }
}

/**
 * The answer of a call that may move money. A call that was lost has an unknown outcome.
 * @throws NotSent, and what the provider itself threw, which the cashier takes as unknown
 */
async function certain<Answer>(call: () => Promise<Answer>): Promise<Answer | { kind: 'unknown'; code: string }> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof LostCall)
      return { kind: 'unknown', code: error.message === 'timeout' ? 'timeout' : 'provider-ended' };
    if (error instanceof MalformedAnswer) return { kind: 'unknown', code: 'malformed-answer' };
    throw error;
  }
}

function watchOf(child: Calls, answers: Answers, idleMs: number): NonNullable<Provider['watch']> {
  return {
    idleMs,
    async round(report) {
      await child.call(
        'watch',
        {},
        {
          onAsk: async (_what, value) => {
            const told = answers.report(value);
            if (told !== undefined) await report(told);
          },
        },
      );
    },
  };
}

function withdrawalsOf(child: Calls, answers: Answers): WithdrawalProvider {
  return {
    withdraw: ({ signal, ...withdrawal }: ProviderWithdrawal) =>
      certain(async () =>
        answers.withdraw(await child.call('withdraw', withdrawal, { withinMs: limits.withdraw, signal })),
      ),
    inquire: async (query) =>
      answers.withdrawalReport(await child.call('withdraw-inquire', query, { withinMs: limits.other })),
    read: async (rawBody) =>
      answers.withdrawalReport(
        await child.call('withdraw-read', { rawBody: base64(rawBody) }, { withinMs: limits.other }),
      ),
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
