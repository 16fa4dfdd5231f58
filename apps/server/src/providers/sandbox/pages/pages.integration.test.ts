import { describe, expect, test } from 'vitest';
import { created, deposit, RETURN_URL, setUpBench } from '../testing/bench.ts';
import { english } from '../words/texts.ts';

const bench = setUpBench();

describe('the pay page', () => {
  test('[SRV-4] an approved payment is reported by a signed callback over HTTP, and the payer returns', async () => {
    const { sandbox, openPage, choose, verifiedReports } = bench();
    const page = await openPage();
    expect(page.shown.statusCode).toBe(200);
    expect(page.shown.body).toContain('$25.00');
    const answer = await choose(page, 'approve');
    expect([answer.statusCode, answer.headers.location]).toEqual([303, RETURN_URL]);
    await sandbox.deliverDue();
    expect(verifiedReports()).toMatchObject([
      {
        provider: 'sandbox',
        providerRef: page.providerRef,
        depositId: page.request.depositId,
        outcome: 'paid',
        paidMinor: 2_500n,
        currency: 'USD',
      },
    ]);
  });

  test('names what it shows as text, never as markup', async () => {
    const { openPage } = bench();
    const { shown } = await openPage();
    expect(shown.body).toContain('Harbour &lt;Games&gt;');
    expect(shown.body).not.toContain('<Games>');
  });

  test('[UI-1] uses the payer’s language, from the address to the result', async () => {
    const { sandbox, app, post } = bench();
    const { source } = created(await sandbox.provider.create(deposit({ language: 'ar' })));
    const { pathname, search } = new URL(String(source));
    expect(search).toBe('?locale=ar');
    const { body } = await app.inject({ url: pathname + search });
    expect(body).toContain('<html lang="ar" dir="rtl">');
    expect(Object.values(english).filter((text) => body.includes(text))).toEqual([]);
    const [action = ''] = /\/sandbox\/pay\/[^"]+\/decision[^"]*/.exec(body) ?? [];
    const [, token = ''] = /name="token" value="([0-9a-f]+)"/.exec(body) ?? [];
    const left = await post(action, { token, decision: 'abandon' });
    expect(left.headers.location).toBe(pathname + search);
    expect((await app.inject({ url: pathname + search })).body).toContain('لقد غادرت');
  });

  test('[UI-1] without a language in its address uses the language of the return address', async () => {
    const { sandbox, app } = bench();
    const returnUrl = 'https://cashier.example/main/returned?locale=de';
    const { providerRef } = created(await sandbox.provider.create(deposit({ returnUrl })));
    expect((await app.inject({ url: `/sandbox/pay/${providerRef}` })).body).toContain('<html lang="de" dir="ltr">');
    expect((await app.inject({ url: '/sandbox/pay/nobody?locale=fr' })).body).toContain('Paiement introuvable');
  });

  test('[SRV-9] may not be framed, runs no script and keeps its opener', async () => {
    const { openPage } = bench();
    const { shown } = await openPage();
    const policy = String(shown.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https://cashier.example;");
    expect(policy).not.toContain('script-src');
    expect(shown.body).not.toContain('<script');
    expect(shown.headers['cross-origin-opener-policy']).toBe('unsafe-none');
    expect(shown.headers['set-cookie']).toBeUndefined();
  });
});

describe('a choice on the pay page', () => {
  test('a decline reports no money', async () => {
    const { sandbox, openPage, choose, verifiedReports } = bench();
    const page = await openPage();
    await choose(page, 'decline');
    await sandbox.deliverDue();
    expect(verifiedReports()).toMatchObject([{ outcome: 'declined', reason: 'declined-by-payer' }]);
    expect(verifiedReports()[0]?.paidMinor).toBeUndefined();
  });

  test('approve later reports pending, and paid ten seconds later', async () => {
    const { openPage, choose, verifiedReports, pass } = bench();
    const page = await openPage();
    await choose(page, 'approve-later');
    await pass(9_500);
    expect(verifiedReports().map((one) => one.outcome)).toEqual(['pending']);
    await pass(500);
    expect(verifiedReports().map((one) => one.outcome)).toEqual(['pending', 'paid']);
  });

  test('pay less reports the typed amount', async () => {
    const { sandbox, app, openPage, choose, verifiedReports } = bench();
    const page = await openPage();
    const answer = await choose(page, 'pay-less', { amount: ' 7.5 ' });
    expect(answer.headers.location).toBe(RETURN_URL);
    await sandbox.deliverDue();
    expect(verifiedReports()).toMatchObject([{ outcome: 'paid', paidMinor: 750n }]);
    expect((await app.inject({ url: page.path })).body).toContain('of $25.00');
  });

  test.each(['', '0', '25.00', '30', '1.001', '-5', '1,5', '5e0'])(
    'pay less refuses %j and keeps it in the field',
    async (amount) => {
      const { sandbox, openPage, choose } = bench();
      const page = await openPage();
      const answer = await choose(page, 'pay-less', { amount });
      expect(answer.statusCode).toBe(422);
      expect(answer.body).toContain('aria-invalid="true"');
      expect(answer.body).toContain(`name="amount" value="${amount}"`);
      expect((await sandbox.provider.inquire(page.request))?.outcome).toBe('pending');
    },
  );

  test('abandon stays on the page without a callback, and an inquiry says expired in the end', async () => {
    const { receiver, clock, sandbox, app, openPage, choose } = bench();
    const page = await openPage();
    const answer = await choose(page, 'abandon');
    expect(answer.headers.location).toBe(page.path);
    expect((await app.inject({ url: page.path })).body).toContain('You left without paying');
    clock.advance(700_000);
    await sandbox.deliverDue();
    expect(receiver.received).toEqual([]);
    expect((await sandbox.provider.inquire(page.request))?.outcome).toBe('expired');
  });

  test('an undecided payment expires, is reported and can no longer be approved', async () => {
    const { clock, sandbox, app, openPage, choose, verifiedReports } = bench();
    const page = await openPage();
    clock.advance(600_000);
    await sandbox.deliverDue();
    expect(verifiedReports().map((one) => one.outcome)).toEqual(['expired']);
    await choose(page, 'approve');
    await sandbox.deliverDue();
    expect(verifiedReports().map((one) => one.outcome)).toEqual(['expired']);
    expect((await app.inject({ url: page.path })).body).toContain('Payment expired');
  });

  test('a reload, a second click and a different choice change nothing', async () => {
    const { sandbox, app, openPage, choose, verifiedReports } = bench();
    const page = await openPage();
    const answers = await Promise.all([choose(page, 'approve'), choose(page, 'approve'), choose(page, 'approve')]);
    expect(answers.map((answer) => answer.headers.location)).toEqual([RETURN_URL, RETURN_URL, RETURN_URL]);
    expect((await choose(page, 'decline')).headers.location).toBe(page.path);
    await sandbox.deliverDue();
    expect(verifiedReports().map((one) => one.outcome)).toEqual(['paid']);
    const again = await app.inject({ url: page.path });
    expect(again.body).toContain('Payment approved');
    expect(again.body).toContain('href="https://cashier.example/return?product=main"');
  });

  test('of two opposite choices at the same moment, one counts', async () => {
    const { sandbox, openPage, choose, verifiedReports } = bench();
    const pages = await Promise.all(Array.from({ length: 20 }, () => openPage()));
    const answers = await Promise.all(pages.flatMap((page) => [choose(page, 'approve'), choose(page, 'decline')]));
    // The later choice shows the result instead of the redirect to the return address.
    expect(answers.filter((answer) => answer.headers.location === RETURN_URL)).toHaveLength(20);
    await sandbox.deliverDue();
    expect(verifiedReports()).toHaveLength(20);
    expect(new Set(verifiedReports().map((one) => one.depositId)).size).toBe(20);
  });
});

describe('requests to the pay page', () => {
  test.each(['', 'wrong', '0'.repeat(32)])('a form with the token %j decides nothing', async (token) => {
    const { receiver, sandbox, openPage, choose } = bench();
    const page = await openPage();
    expect((await choose({ ...page, token }, 'approve')).statusCode).toBe(403);
    await sandbox.deliverDue();
    expect(receiver.received).toEqual([]);
  });

  test('a form with an unknown choice, in JSON or too large decides nothing', async () => {
    const { sandbox, app, openPage, choose } = bench();
    const page = await openPage();
    expect((await choose(page, 'steal')).statusCode).toBe(400);
    expect((await choose(page, 'approve', { padding: 'x'.repeat(20_000) })).statusCode).toBe(413);
    const json = await app.inject({ method: 'POST', url: `${page.path}/decision`, payload: { token: page.token } });
    expect(json.statusCode).toBe(403);
    expect((await sandbox.provider.inquire(page.request))?.outcome).toBe('pending');
  });

  test.each(['sbx_unknown', `sbx_${'0'.repeat(32)}`, '..%2f..', '%00'])('%s is not found', async (ref) => {
    const { app, post } = bench();
    const answer = await app.inject({ url: `/sandbox/pay/${ref}` });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toContain('text/html');
    expect((await post(`/sandbox/pay/${ref}/decision`, { decision: 'approve' })).statusCode).toBe(404);
  });

  test.each([
    ['bank_transfer_in', 'POST'],
    ['webmoney_usd', 'GET'],
  ])('the payer reaches the page of %s by a form with %s', async (paymentMethod, method) => {
    const { sandbox, app, post } = bench();
    const request = deposit({ paymentMethod });
    const { source } = created(await sandbox.provider.create(request));
    if (typeof source !== 'object') throw new Error('Expected a form');
    expect(source).toMatchObject({ method, fields: { order: request.depositId, amount: '25.00', currency: 'USD' } });
    const path = new URL(source.action).pathname;
    if (method === 'POST') expect((await post(path, source.fields)).headers.location).toBe(path);
    const query = new URLSearchParams(source.fields).toString();
    expect((await app.inject({ url: `${path}?${query}` })).body).toContain('Approve');
  });

  test('an unsafe return address is not offered', async () => {
    const { app, openPage, choose } = bench();
    const page = await openPage({ returnUrl: 'javascript:alert(1)' });
    expect((await choose(page, 'approve')).headers.location).toBe(page.path);
    expect((await app.inject({ url: page.path })).body).not.toContain('javascript:');
  });
});
