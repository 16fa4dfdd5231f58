/**
 * The reference hosts for apps cannot be compiled here. These tests check that they follow the protocol, and that they have nothing
 * that is forbidden in a host. Each rule first proves on a bad sample that it can fail.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nativeActions, payloadFields } from '@opencashier/contract/host';
import { describe, expect, test } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const hosts = 'apps/demo/hosts';
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const protocol = read('packages/contract/src/host/messages.ts');
function messageTypesOf(union: string): string[] {
  const text = new RegExp(`export type ${union} =([\\s\\S]*?);\\n\\n`).exec(protocol)?.[1] ?? '';
  return [...text.matchAll(/messageType: '([^']+)'/g)].map(([, name = '']) => name);
}
const widgetSays = messageTypesOf('WidgetMessage');
const hostSays = messageTypesOf('HostMessage');

/** How each language writes received and sent messages. */
const apps = [
  {
    path: `${hosts}/ios/CashierView.swift`,
    hears: /case "([\w-]+)":/g,
    says: /"messageType": "([\w-]+)"/g,
    nativeActions: /"nativeActions": \[([^\]]*)\]/,
    originCheck: /isMainFrame, message\.frameInfo\.securityOrigin\.matches\(cashier\)/,
  },
  {
    path: `${hosts}/android/CashierView.kt`,
    hears: /^ {12}"([\w-]+)" ->/gm,
    says: /put\("messageType", "([\w-]+)"\)/g,
    nativeActions: /"nativeActions", .*listOf\(([^)]*)\)/,
    originCheck:
      /addWebMessageListener\(webView, "cashierBridge", setOf\(origin\)\)[\s\S]*isMainFrame && isCashier\(source\)/,
  },
  {
    path: `${hosts}/react-native/cashier.tsx`,
    hears: /case '([\w-]+)':/g,
    says: /messageType: '([\w-]+)'/g,
    nativeActions: /nativeActions: \[([^\]]*)\]/,
    originCheck: /if \(!isAt\(nativeEvent\.url\)/,
  },
  {
    path: `${hosts}/flutter/cashier_view.dart`,
    hears: /case '([\w-]+)':/g,
    says: /_say\('([\w-]+)'/g,
    nativeActions: /'nativeActions': \[([^\]]*)\]/,
    originCheck: /if \(!_isCashier\(Uri\.tryParse\(await _view\.currentUrl\(\)/,
  },
] as const;

describe.each(apps)('[HOST-6] $path', ({ path, hears, says, nativeActions: actions, originCheck }) => {
  const source = read(path);
  const found = (pattern: RegExp) => [...source.matchAll(pattern)].map(([, name = '']) => name);

  test('hears and says what the contract knows, and all that a host must', () => {
    expect(found(hears).filter((name) => !widgetSays.includes(name))).toEqual([]);
    expect(found(hears)).toEqual(
      expect.arrayContaining(['Loaded', 'init', 'token-expired', 'transaction', 'error', 'close']),
    );
    expect(found(says).filter((name) => !hostSays.includes(name))).toEqual([]);
    expect([...new Set(found(says))].sort()).toEqual(['close', 'loaded']);
  });

  test('[HOST-13] does natively what it offers, and offers what it does', () => {
    const offered = [...(actions.exec(source)?.[1] ?? '').matchAll(/\w+/g)].map(([name]) => name);
    expect(offered.length).toBeGreaterThan(0);
    expect(offered.filter((name) => !(nativeActions as readonly string[]).includes(name))).toEqual([]);
    expect(found(hears).filter((name) => (nativeActions as readonly string[]).includes(name))).toEqual(offered);
  });

  test('names fields of the payload that exist', () => {
    for (const name of ['platform', 'isMobileApp', 'nativeActions', 'token']) {
      expect(source).toContain(name);
      expect(Object.keys(payloadFields)).toContain(name);
    }
  });

  test('[HOST-5] [HOST-7] gives the payload by the property, behind a comparison of origins, and looks at who speaks first', () => {
    expect(source).toMatch(/location\.origin === /);
    expect(source).toContain('window.cashierPayload = ');
    expect(source).toMatch(originCheck);
  });
});

const forbidden = [
  {
    name: 'an interface in every frame of every page',
    pattern: /addJavascriptInterface/,
    bad: 'view.addJavascriptInterface(',
  },
  { name: 'a message to any origin', pattern: /postMessage\([^)]*,\s*['"]\*['"]/, bad: "parent.postMessage(x, '*')" },
  { name: 'a rule for any origin', pattern: /setOf\("\*"\)/, bad: 'setOf("*")' },
  {
    name: 'access to files',
    pattern: /allow(?:File|Content|Universal)Access\w*\s*(?:=\s*|=\{)true|allowingReadAccessTo/,
    bad: 'settings.allowFileAccess = true',
  },
  {
    name: 'the token in an address',
    pattern:
      /[?&]token=|QueryParameter\("token"|name: "token"|queryParameters: \{[^}]*token|searchParams\.\w+\('token'/,
    bad: 'uri.appendQueryParameter("token", token)',
  },
  {
    name: 'a token in a store',
    pattern: /localStorage|sessionStorage|UserDefaults|SharedPreferences|AsyncStorage/,
    bad: 'localStorage.x',
  },
  { name: 'a log', pattern: /console\.\w+\(|\bprint\(|debugPrint\(|Log\.\w\(|NSLog\(/, bad: 'print(token)' },
  { name: 'an address without encryption', pattern: /['"`]http:\/\//, bad: "'http://pay.example.com'" },
  { name: 'certificates that are waved through', pattern: /onReceivedSslError|serverTrust/, bad: 'onReceivedSslError' },
] as const;

const sources = readdirSync(join(root, hosts), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(?:swift|kt|tsx?|dart|js|html)$/.test(name))
  .map((name) => `${hosts}/${name}`);

test.each(forbidden)('[HOST-7] no reference host has $name', ({ pattern, bad }) => {
  expect(bad).toMatch(pattern);
  expect(sources.length).toBeGreaterThan(8);
  expect(sources.filter((path) => pattern.test(read(path)))).toEqual([]);
});
