/** A package `canary` that is installed for one test, with a secret of its own. */
import { createTestClock, type TestClock } from '@opencashier/core/time/test-clock';
import { expect, onTestFinished } from 'vitest';
import { createLogger } from '../../observability/logger.ts';
import { type ProviderPackage, readProviderFile } from '../provider-file.ts';
import { createProviderProcess, type ProviderProcess } from '../provider-process.ts';
import { type CanaryParts, createProviderHome, installCanary, type ProviderHome } from './provider-home.ts';

export const CANARY_SECRETS = { PROVIDER_KEY_CANARY: 'own-secret' };

interface InstalledCanary {
  readonly home: ProviderHome;
  readonly from: ProviderPackage;
}

/** @param create what its `create` does */
export function installedCanary(
  create: string,
  { hosts = [], ...more }: CanaryParts & { readonly hosts?: readonly string[] } = {},
): InstalledCanary {
  const home = createProviderHome({
    canary: { package: 'canary', hosts, secrets: { key: '$PROVIDER_KEY_CANARY' } },
  });
  onTestFinished(() => home.remove());
  installCanary(home, create, more);
  const [from] = readProviderFile(home.file, CANARY_SECRETS);
  if (from === undefined) throw new Error('The file names no provider');
  return { home, from };
}

/** Its process, which is up. It ends with the test. */
export async function startedCanary(
  from: ProviderPackage,
): Promise<{ readonly clock: TestClock; readonly child: ProviderProcess }> {
  const clock = createTestClock(Date.now());
  const child = createProviderProcess(from, { clock, logger: createLogger('silent') });
  onTestFinished(() => child.stop());
  await child.start();
  expect(child.lastError()).toBeUndefined();
  return { clock, child };
}
