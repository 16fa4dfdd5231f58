import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkLink, isLoopback, safeAppPath, safeLink } from './safe-link.ts';

describe('links from data', () => {
  test('[FORM-9] https is allowed, and the result is the parsed link', () => {
    expect(safeLink('https://pay.example/a?b=c#d')).toBe('https://pay.example/a?b=c#d');
    expect(safeLink('HTTPS://PAY.example')).toBe('https://pay.example/');
  });

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    'blob:https://pay.example/1',
    'about:blank',
    'chrome://settings',
    'vbscript:msgbox(1)',
    'intent://scan/#Intent;scheme=zxing;end',
    'filesystem:https://pay.example/temporary/a',
    'view-source:https://pay.example',
    'ftp://pay.example',
    'ws://pay.example',
    'http://pay.example',
    '//evil.example',
    '/\\evil.example',
    'https:\\\\evil.example',
    'https:evil.example',
    'https:/evil.example',
    'https:///evil.example',
    'https://pay.example@evil.example',
    'https://user:secret@evil.example',
    'https://',
    'https://pay.example\u202e/gpj.exe',
    'https://pay.example/\u202egpj.exe',
    'https://pay.example/a\tb',
    'https://pay.example/\\@evil.example',
    'upi://pay?pa=a@b',
    '',
    'pay.example',
    '/deposit',
    `https://pay.example/${'a'.repeat(5000)}`,
  ])('[FORM-9] %j is refused', (link) => {
    expect(safeLink(link)).toBeUndefined();
  });

  test('[FORM-9] a declared app scheme is allowed, and no other', () => {
    const policy = { schemes: ['upi', 'bitcoin'] };
    expect(safeLink('upi://pay?pa=shop@bank&am=1.00', policy)).toBe('upi://pay?pa=shop@bank&am=1.00');
    expect(safeLink('bitcoin:bc1qxyz?amount=0.1', policy)).toBe('bitcoin:bc1qxyz?amount=0.1');
    expect(safeLink('phonepe://pay', policy)).toBeUndefined();
  });

  test.each(['javascript', 'data', 'file', 'blob', 'about', 'chrome', 'vbscript', 'intent', 'http'])(
    '[FORM-9] declaring %s does not allow it',
    (scheme) => {
      expect(checkLink(`${scheme}://x/y`, { schemes: [scheme, scheme.toUpperCase()] }).ok).toBe(false);
    },
  );

  test('http is allowed only to this machine, and only with the option', () => {
    const sandbox = { allowLoopbackHttp: true };
    expect(safeLink('http://127.0.0.1:3000/pay', sandbox)).toBe('http://127.0.0.1:3000/pay');
    expect(safeLink('http://localhost:3000/pay', sandbox)).toBe('http://localhost:3000/pay');
    expect(safeLink('http://[::1]:3000/pay', sandbox)).toBe('http://[::1]:3000/pay');
    expect(safeLink('http://localhost:3000/pay')).toBeUndefined();
    expect(safeLink('http://localhost.evil.example/', sandbox)).toBeUndefined();
    expect(safeLink('http://127.0.0.1.evil.example/', sandbox)).toBeUndefined();
    expect(isLoopback('shop.localhost')).toBe(true);
    expect(isLoopback('notlocalhost')).toBe(false);
  });

  test('[FORM-9] every allowed link is https or a declared scheme, without credentials', () => {
    const nasty = fc.array(
      fc.constantFrom(
        'https',
        'javascript',
        'upi',
        ':',
        '/',
        '//',
        '\\',
        '\t',
        '@',
        'evil',
        '.example',
        '?',
        '#',
        '%0a',
        '\u0000',
      ),
      { maxLength: 10 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          nasty.map((parts) => parts.join('')),
          nasty.map((parts) => `https://pay.example/${parts.join('')}`),
          fc.string(),
        ),
        (link) => {
          const href = safeLink(link, { schemes: ['upi'] });
          if (href === undefined) return;
          const url = new URL(href);
          expect(['https:', 'upi:']).toContain(url.protocol);
          expect(url.username + url.password).toBe('');
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('paths inside the application', () => {
  test.each([
    ['/deposit', '/deposit'],
    ['/deposit/complete?status=accepted#x', '/deposit/complete?status=accepted#x'],
    ['/deposit/../withdrawal', '/withdrawal'],
    ['/', '/'],
  ])('[DEP-15] [NAV-5] %s is kept', (value, path) => {
    expect(safeAppPath(value)).toBe(path);
  });

  test.each([
    '//evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    'deposit',
    '',
    ' /deposit',
    '/de\nposit',
  ])('[DEP-15] [NAV-5] %j is refused', (value) => {
    expect(safeAppPath(value)).toBeUndefined();
  });

  test('[DEP-15] [NAV-5] no accepted path leaves the origin that resolves it', () => {
    const pieces = fc.array(
      fc.constantFrom('/', '\\', '.', '..', '//', '@', ':', 'evil.example', '\t', '?', '#', '%2f', 'a'),
      {
        maxLength: 8,
      },
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        const path = safeAppPath(`/${parts.join('')}`);
        if (path !== undefined) expect(new URL(path, 'https://cashier.example').origin).toBe('https://cashier.example');
      }),
      { numRuns: 1000 },
    );
  });

  test('absent values stay absent', () => {
    expect([safeAppPath(null), safeAppPath(undefined), safeLink(null), safeLink(undefined)]).toEqual(
      Array(4).fill(undefined),
    );
  });
});
