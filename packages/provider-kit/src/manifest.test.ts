import { describe, expect, test } from 'vitest';
import { checkProvider } from './create-provider.ts';
import { ManifestError, readManifest } from './manifest.ts';
import type { Provider } from './provider.ts';

const least = { kit: 1, name: 'acme', hosts: ['api.acme.example'] };

describe('[SRV-4] the manifest of a package', () => {
  test('what a manifest leaves out is empty', () => {
    expect(readManifest(JSON.stringify(least))).toEqual({
      ...least,
      secrets: [],
      settings: [],
      does: [],
      limits: {},
      options: {},
    });
  });

  test.each([
    ['{', 'not valid JSON'],
    ['[]', 'must be an object'],
    [{ ...least, kit: 2 }, 'kit must be 1'],
    [{ ...least, name: 'Acme' }, 'name must have'],
    [{ ...least, host: [] }, 'host is not known'],
    [{ ...least, hosts: ['https://api.acme.example/'] }, 'hosts must be a list'],
    [{ ...least, hosts: ['*'] }, 'hosts must be a list'],
    [{ ...least, secrets: 'key' }, 'secrets must be a list'],
    [{ ...least, does: ['steal'] }, 'does must be a list'],
    [{ ...least, does: ['watch'] }, 'watchIdleMs'],
    [{ ...least, limits: { EUR: { min: 5 } } }, 'limits.EUR'],
    [{ ...least, options: { flow: 'a' } }, 'flow must be a list'],
    [{ ...least, accounts: [] }, 'accounts must be an object'],
    [{ ...least, accounts: { settings: ['apiUrl'] } }, 'accounts names apiUrl, which is not declared'],
    [{ ...least, accounts: { testSecrets: { key: 'sk_test_' } } }, 'accounts names key, which is not declared'],
    [{ ...least, does: ['list'] }, 'list needs accounts'],
    [{ ...least, does: ['watch'], watchIdleMs: 1_000, accounts: {} }, 'a provider with watch has no accounts'],
  ])('%j is refused, and the message says what is wrong', (given, words) => {
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    expect(() => readManifest(text)).toThrow(ManifestError);
    expect(() => readManifest(text)).toThrow(words);
  });

  test('accounts of operators name declared secrets and settings', () => {
    const accounts = { settings: ['channel'], lateSecrets: ['hook'], testSecrets: { key: 'sk_test_' } };
    const given = { ...least, secrets: ['key', 'hook'], settings: ['apiUrl', 'channel'] };
    expect(readManifest(JSON.stringify({ ...given, accounts })).accounts).toEqual(accounts);
    expect(readManifest(JSON.stringify({ ...given, accounts: {} })).accounts).toEqual({
      settings: [],
      lateSecrets: [],
      testSecrets: {},
    });
  });

  test('a provider has exactly the methods of its manifest', () => {
    const provider: Provider = {
      name: 'acme',
      create: async () => ({ kind: 'unknown', code: 'x' }),
      inquire: async () => undefined,
      verify: () => ({ kind: 'rejected', reason: 'x' }),
      read: () => undefined,
    };
    const manifest = readManifest(JSON.stringify(least));
    expect(() => checkProvider(manifest, provider)).not.toThrow();
    expect(() => checkProvider(manifest, { ...provider, name: 'other' })).toThrow('calls itself other');
    expect(() => checkProvider(manifest, { ...provider, cancel: async () => undefined })).toThrow('does lacks cancel');
    const more = readManifest(JSON.stringify({ ...least, does: ['refund'] }));
    expect(() => checkProvider(more, provider)).toThrow('does names refund');
  });
});
