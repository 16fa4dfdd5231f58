/** The package's parts work as Node loads them, without anything beside them. */
import { strict as assert } from 'node:assert';
import { createWebhookSignatures, fromDecimalText, readManifest, toCompanyUnits } from '@opencashier/provider-kit';
import { FakeCompany, testDeposit } from '@opencashier/provider-kit/testing';

assert.equal(toCompanyUnits(2_500n, 'JPY', 0), 25n);
assert.equal(fromDecimalText('25.50', 'EUR'), 2_550n);
assert.deepEqual(readManifest('{"kit":1,"name":"acme"}').hosts, []);

const signatures = createWebhookSignatures([`whsec_${Buffer.alloc(32, 1).toString('base64')}`]);
const now = Date.now();
const headers = signatures.sign('evt_1', '{}', now);
assert.equal(signatures.verify({ headers, rawBody: Buffer.from('{}'), receivedAt: now }).kind, 'verified');

const company = new FakeCompany();
const address = await company.open();
const { depositId: reference } = testDeposit();
const answer = await fetch(`${address}/payments`, {
  method: 'POST',
  headers: { authorization: `Bearer ${company.secretKey}` },
  body: JSON.stringify({ reference, amount: '25.00', currency: 'EUR' }),
});
assert.equal(answer.status, 201);
assert.equal(JSON.parse(new TextDecoder().decode(company.pay(reference).rawBody)).state, 'paid');
await company.close();
