import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError } from '../errors/config-error.ts';
import { readProviderFile } from './provider-file.ts';
import { createProviderHome, installCanary, type ProviderHome } from './testing/provider-home.ts';

const good = { package: 'canary', hosts: ['api.example'], secrets: { key: '$PROVIDER_KEY_CANARY' } };
const keys = { PROVIDER_KEY_CANARY: 'own-secret' };

describe('[SRV-4] the file of providers that are packages', () => {
  let home: ProviderHome;
  beforeAll(() => {
    home = createProviderHome({});
    installCanary(home, '');
  });
  afterAll(() => home.remove());

  const read = (content: unknown, given: Record<string, string> = keys) => {
    home.write({ 'providers.json': typeof content === 'string' ? content : JSON.stringify(content) });
    return readProviderFile(home.file, given);
  };

  test('a package gets its own secrets, its hosts, and the folders of packages to read', () => {
    const [one] = read({ providers: { canary: good } });
    expect(one).toMatchObject({ name: 'canary', secrets: { key: 'own-secret' }, settings: {}, hosts: ['api.example'] });
    expect(one?.entry).toMatch(/^file:.*node_modules\/canary\/index\.js$/);
    expect(one?.readableFolders).toContain(`${home.folder}/node_modules`);
    expect(one?.readableFolders).not.toContain(home.folder);
  });

  test.each([
    ['{', 'it is not valid JSON'],
    [{ providers: { Canary: good } }, 'wrong at providers.Canary'],
    [{ providers: { canary: { ...good, host: 'x' } } }, 'wrong at providers.canary.host'],
    [{ providers: { canary: { ...good, package: 'missing' } } }, 'install missing in'],
    [{ providers: { other: good } }, 'the package calls its provider canary'],
    [{ providers: { canary: { ...good, hosts: undefined } } }, 'hosts is missing'],
    [{ providers: { canary: { ...good, secrets: {} } } }, 'the secret key is missing'],
    [{ providers: { canary: { ...good, secrets: { key: 'plain-text' } } } }, 'must name a variable'],
    [{ providers: { canary: { ...good, secrets: { key: '$DATABASE_URL' } } } }, 'must name a variable'],
    [{ providers: { canary: { ...good, secrets: { ...good.secrets, more: '$PROVIDER_KEY_B' } } } }, 'no secret more'],
    [{ providers: { canary: { ...good, settings: { apiUrl: 'x' } } } }, 'no setting apiUrl'],
  ])('%j is refused, and the words say what to do', (content, words) => {
    expect(() => read(content)).toThrow(ConfigError);
    expect(() => read(content)).toThrow(words);
  });

  test('a variable that is not set is named, and no message repeats a value of the file', () => {
    expect(() => read({ providers: { canary: good } }, {})).toThrow('PROVIDER_KEY_CANARY is not set');
    const mistake = { ...good, secrets: { key: 'sk_live_pasted' } };
    expect(() => read({ providers: { canary: mistake } })).toThrow(/^(?!.*sk_live_pasted)/s);
  });
});
