/** Connections of operators to a provider that is a package: what its manifest says of accounts, and a test of an account. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '@opencashier/core/time/clock';
import { createLogger } from '../observability/logger.ts';
import type {
  AccountTest,
  ConnectionKind,
  ListAsked,
  ListPage,
  OpenAccount,
  OpenedAccount,
} from '../providers/connection-kind.ts';
import { withoutSecrets } from './child-output.ts';
import { packagedList } from './packaged-list.ts';
import { packagedAccount } from './packaged-provider.ts';
import type { ProviderPackage } from './provider-file.ts';
import { createProviderProcess, type ProviderProcess } from './provider-process.ts';

const FORM = /^[^\p{Cc}]{1,500}$/u;
const MEANING = 'a text of 1 to 500 characters, as the company shows it';
const TEST_MS = 9_000;
/** For the start of a process and one page. */
const LIST_MS = 40_000;
/** Tests of accounts at the same time, as each starts a process. */
const MOST_TESTS = 2;

/**
 * @param running the process of the package in this server. Absent, as on the command line: each page of a list starts one of its own
 * @returns `undefined` where the manifest declares no accounts
 */
export function packageConnections(
  from: ProviderPackage,
  clock: Clock,
  running?: Pick<ProviderProcess, 'call'>,
): ConnectionKind | undefined {
  const { secrets, does, accounts } = from.manifest;
  if (accounts === undefined) return undefined;
  const modes = Object.entries(accounts.testSecrets);
  let testing = 0;
  return {
    secrets: Object.fromEntries(
      secrets.map((name) => [
        name,
        {
          form: FORM,
          meaning: MEANING,
          isNeeded: accounts.lateSecrets.includes(name) ? ('to-enable' as const) : ('to-create' as const),
        },
      ]),
    ),
    options: Object.fromEntries(accounts.settings.map((name) => [name, { form: FORM, meaning: MEANING }])),
    paysOut: does.includes('withdrawals'),
    refunds: does.includes('refund'),
    hasOwnTime: true,
    modeOf(values) {
      if (modes.length === 0) return undefined;
      return modes.some(([name, begins]) => values[name]?.startsWith(begins)) ? 'test' : 'live';
    },
    async test(account) {
      if (testing >= MOST_TESTS) {
        return { result: 'unreachable', message: 'Other accounts are being tested. Try again in ten seconds.' };
      }
      testing += 1;
      try {
        return await testAccount(from, account, clock);
      } finally {
        testing -= 1;
      }
    },
    ...(does.includes('list') && {
      list: (account: OpenedAccount, asked: ListAsked) =>
        running === undefined
          ? listInOwnProcess(from, account, asked, clock)
          : packagedList(from.name, running, account, asked),
    }),
  };
}

/** Reads a page where the server does not run. Never throws. */
async function listInOwnProcess(
  from: ProviderPackage,
  account: OpenedAccount,
  asked: ListAsked,
  clock: Clock,
): Promise<ListPage> {
  try {
    return await inOwnProcess(from, { clock, withinMs: LIST_MS }, (child) =>
      packagedList(from.name, child, account, asked),
    );
  } catch (error) {
    return { kind: 'unknown', why: error instanceof Error ? error.message : `no answer of ${from.name}` };
  }
}

/** The package's own process did not come up. Its words have no secret of the installation. */
class NotStarted extends Error {
  override readonly name = 'NotStarted';
}

/** Starts a process of the package, and ends it after one use. @throws NotStarted, an error after `withinMs`, and what `use` throws */
async function inOwnProcess<Answer>(
  from: ProviderPackage,
  { clock, withinMs }: { readonly clock: Clock; readonly withinMs: number },
  use: (child: ProviderProcess) => Promise<Answer>,
): Promise<Answer> {
  const child = createProviderProcess(from, { clock, logger: createLogger('silent') });
  const used = async (): Promise<Answer> => {
    await child.start();
    if (child.isUp()) return use(child);
    throw new NotStarted(`the process of ${from.name} did not start: ${child.lastError() ?? 'it is down'}`);
  };
  const late = (): Error =>
    child.isUp()
      ? new Error('no answer in time')
      : new NotStarted(`the process of ${from.name} did not start in ${withinMs / 1_000} seconds`);
  let cancel: (() => void) | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    cancel = clock.setTimer(() => reject(late()), withinMs);
  });
  try {
    return await Promise.race([used(), tooLate]);
  } finally {
    cancel?.();
    await child.stop();
  }
}

/** Makes a provider of an operator's account, in the package's process. */
export function openPackageAccount(from: ProviderPackage, child: Pick<ProviderProcess, 'call'>): OpenAccount {
  return ({ operatorId, connectionId, secrets, oldSecrets, options }) =>
    packagedAccount(from, child, {
      caller: { operatorId, connectionId },
      secrets,
      settings: options,
      ...(oldSecrets && { oldSecrets }),
    });
}

/**
 * Starts the process for one question about a payment that does not exist. So the command line and the server test alike. A package
 * does not say why it got no answer, so a wrong key counts as `unreachable`, with the words of the package.
 */
async function testAccount(from: ProviderPackage, account: OpenedAccount, clock: Clock): Promise<AccountTest> {
  const { secrets, options: settings } = account;
  // A secret that comes late is empty until then, and no request needs it.
  const values = { ...Object.fromEntries(from.manifest.secrets.map((name) => [name, 'not-set-yet'])), ...secrets };
  try {
    await inOwnProcess(from, { clock, withinMs: TEST_MS }, (child) =>
      child.call('inquire', { depositId: randomUUID() }, { withinMs: TEST_MS, account: { secrets: values, settings } }),
    );
    return { result: 'accepted', message: `${from.packageName} gets an answer of the company with these secrets.` };
  } catch (error) {
    const shown = withoutSecrets(error instanceof Error ? error.message : 'no answer', Object.values(secrets));
    if (error instanceof NotStarted) return { result: 'unreachable', message: `Nothing was asked: ${shown}.` };
    return {
      result: 'unreachable',
      message: `${from.packageName} got no good answer of the company (${shown}). Check the secrets, and try again.`,
    };
  }
}
