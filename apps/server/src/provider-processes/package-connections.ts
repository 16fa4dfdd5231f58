/** Connections of operators to a provider that is a package: what its manifest says of accounts, and a test of an account. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '@opencashier/core/time/clock';
import { createLogger } from '../observability/logger.ts';
import type { AccountTest, ConnectionKind, OpenAccount, OpenedAccount } from '../providers/connection-kind.ts';
import { withoutSecrets } from './child-output.ts';
import { packagedAccount } from './packaged-provider.ts';
import type { ProviderPackage } from './provider-file.ts';
import { createProviderProcess, type ProviderProcess } from './provider-process.ts';

const FORM = /^[^\p{Cc}]{1,500}$/u;
const MEANING = 'a text of 1 to 500 characters, as the company shows it';
const TEST_MS = 9_000;
/** Tests of accounts at the same time, as each starts a process. */
const MOST_TESTS = 2;

/** @returns `undefined` where the manifest declares no accounts */
export function packageConnections(from: ProviderPackage, clock: Clock): ConnectionKind | undefined {
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
  };
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
  const child = createProviderProcess(from, { clock, logger: createLogger('silent') });
  const { secrets, options: settings } = account;
  const question = async (): Promise<AccountTest> => {
    await child.start();
    // A secret that comes late is empty until then, and no request needs it.
    const values = { ...Object.fromEntries(from.manifest.secrets.map((name) => [name, 'not-set-yet'])), ...secrets };
    await child.call(
      'inquire',
      { depositId: randomUUID() },
      { withinMs: TEST_MS, account: { secrets: values, settings } },
    );
    return { result: 'accepted', message: `${from.packageName} gets an answer of the company with these secrets.` };
  };
  let cancel: (() => void) | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    cancel = clock.setTimer(() => reject(new Error('no answer in time')), TEST_MS);
  });
  try {
    return await Promise.race([question(), tooLate]);
  } catch (error) {
    const words = error instanceof Error ? error.message : 'no answer';
    const shown = withoutSecrets(words, Object.values(secrets));
    return {
      result: 'unreachable',
      message: `${from.packageName} got no good answer of the company (${shown}). Check the secrets, and try again.`,
    };
  } finally {
    cancel?.();
    await child.stop();
  }
}
