import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentSecurityPolicy, inlineHashesOf, reportingEndpoints } from '../pages/content-security-policy.ts';
import { firstLookOf, preparePage, withBootConfig, withFirstLook } from './widget-page.ts';

const bootOf = (html: string): string =>
  /<script type="application\/json" id="boot-config">(.*?)<\/script>/s.exec(html)?.[1] ?? '';

describe('the settings in the page', () => {
  test('come out as they went in, and no value leaves its script', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom('</script><script>alert(1)', '<!--', ']]>', '\u2028', '$&')),
        (value) => {
          const html = withBootConfig('<head><!--boot-config--></head>', { value });
          const text = bootOf(html);
          expect(JSON.parse(text)).toEqual({ value });
          expect(text).not.toMatch(/[<>&\u2028\u2029]/);
          expect(html.startsWith('<head><script ')).toBe(true);
        },
      ),
    );
  });

  test.each([
    ['outside the sandbox, where the operator does not allow it', false, false, false],
    ['outside the sandbox, where the operator allows it', false, true, true],
    ['in the sandbox', true, false, true],
  ])('[HOST-10] allow debugging %s: %s, %s', (_where, isSandbox, isDebugAllowed, debug) => {
    const built = { html: '<head></head>', hashes: { scripts: [], styles: [] }, changedAt: 0, base: '/cashier/' };
    const operator = { id: 'op', partnerKey: 'pk', name: 'Op', allowedOrigins: [], isDebugAllowed };
    const settings = {
      publicUrl: 'https://cashier.example',
      isDebugAllowed: isSandbox,
      videoOrigins: [],
      reportPath: '/csp-report',
    };
    const page = preparePage(built, operator, firstLookOf({}), settings);
    expect(JSON.parse(bootOf(page.bodyIn('identity').toString('utf8')))).toMatchObject({ partner: 'pk', debug });
  });

  test('go before the end of the head where the page has no place for them', () => {
    expect(withBootConfig('<head><title>x</title></head>', { a: 1 })).toContain('{"a":1}</script></head>');
  });
});

describe('the page before its scripts', () => {
  const page = '<!doctype html>\n<html lang="en" dir="ltr" data-theme="light"><body dir="ltr">';

  test.each([
    [{}, 'dir="ltr" data-theme="light"'],
    [{ theme: 'dark', locale: 'ar-EG' }, 'dir="rtl" data-theme="dark"'],
    [{ theme: 'auto', locale: 'ur' }, 'dir="rtl" data-theme="auto"'],
    [{ theme: ['dark'], locale: 'arq' }, 'dir="ltr" data-theme="light"'],
    [{ theme: '"><script>', locale: '"><script>' }, 'dir="ltr" data-theme="light"'],
  ])('[UI-5] [UI-9] of %j has the theme and the side of what is to come', (query, attributes) => {
    const html = withFirstLook(page, firstLookOf(query));
    expect(html).toContain(`<html lang="en" ${attributes}><body dir="ltr">`);
  });
});

describe('the policy', () => {
  test('knows the inline scripts and styles of a build, but neither data blocks nor files', () => {
    const hashes = inlineHashesOf(
      '<script src="/a.js"></script><script type="application/json">{}</script><script type=module>1</script><style media="all">a{}</style>',
    );
    expect(hashes.scripts).toHaveLength(1);
    expect(hashes.styles).toHaveLength(1);
  });

  test('lets nobody frame the page when there is no origin', () => {
    const options = { hashes: { scripts: [], styles: [] }, publicUrl: 'https://cashier.example/x' };
    expect(contentSecurityPolicy({ ...options, frameAncestors: [] })).toContain("frame-ancestors 'none'");
    expect(contentSecurityPolicy({ ...options, frameAncestors: ['https://a.example', 'https://b.example'] })).toContain(
      'frame-ancestors https://a.example https://b.example;',
    );
    expect(contentSecurityPolicy({ ...options, frameAncestors: [] })).toContain(
      "connect-src 'self' wss://cashier.example;",
    );
  });

  test('[UI-9] lets a logo and fonts come from the pages of the operator alone', () => {
    const options = { hashes: { scripts: [], styles: [] }, publicUrl: 'https://cashier.example' };
    const policy = contentSecurityPolicy({ ...options, frameAncestors: ['https://a.example'] }).split('; ');
    expect(policy).toContain("img-src 'self' data: https://a.example");
    expect(policy).toContain("font-src 'self' https://a.example");
    expect(contentSecurityPolicy({ ...options, frameAncestors: [] })).toContain("; font-src 'self';");
  });

  test('[SRV-9] names the address for reports of violations in both headers', () => {
    const options = { hashes: { scripts: [], styles: [] }, publicUrl: 'https://cashier.example', frameAncestors: [] };
    expect(contentSecurityPolicy(options)).not.toContain('report');
    const policy = contentSecurityPolicy({ ...options, reportPath: '/cashier/csp-report' });
    expect(policy).toMatch(/; report-uri \/cashier\/csp-report; report-to csp$/);
    expect(reportingEndpoints('/cashier/csp-report', 'https://cashier.example/x')).toEqual({
      'reporting-endpoints': 'csp="https://cashier.example/cashier/csp-report"',
    });
    // Over http a browser would find `report-to`, ignore `report-uri`, and report nowhere.
    const plain = { ...options, publicUrl: 'http://localhost:3000', reportPath: '/cashier/csp-report' };
    expect(contentSecurityPolicy(plain)).toMatch(/; report-uri \/cashier\/csp-report$/);
    expect(reportingEndpoints('/cashier/csp-report', 'http://localhost:3000')).toEqual({});
  });
});
