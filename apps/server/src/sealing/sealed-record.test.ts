import { expect, test } from 'vitest';
import { createMasterKeys, localMasterKey } from './master-keys.ts';
import { openRecord, rewrapRecord, SealedRecordError, sealRecord } from './sealed-record.ts';

const old = localMasterKey('2026-01', 'an old secret of at least 32 letters');
const next = localMasterKey('2026-11', 'a new secret of at least 32 letters');
const TEXT = '{"secretKey":"sk_test_CANARY"}';

test('[SRV-4] a record opens in its own place alone, and is readable nowhere', async () => {
  const record = await sealRecord(old, TEXT, 'acme one');
  expect(await openRecord(createMasterKeys([old]), record, 'acme one')).toBe(TEXT);
  await expect(openRecord(createMasterKeys([old]), record, 'acme two')).rejects.toThrow(SealedRecordError);
  expect(Buffer.concat([record.sealed, record.wrappedKey]).toString('latin1')).not.toContain('CANARY');
});

test('[SRV-4] two records never share a data key', async () => {
  const [one, two] = [await sealRecord(old, TEXT, 'c'), await sealRecord(old, TEXT, 'c')];
  await expect(openRecord(createMasterKeys([old]), { ...one, wrappedKey: two.wrappedKey }, 'c')).rejects.toThrow(
    'changed or moved',
  );
});

test('[SRV-4] a new master key opens nothing alone, and everything once the data key is wrapped again', async () => {
  const record = await sealRecord(old, TEXT, 'c');
  await expect(openRecord(createMasterKeys([next]), record, 'c')).rejects.toThrow('2026-01 is not in MASTER_KEY');
  const both = createMasterKeys([next, old]);
  const wrapped = { ...record, ...(await rewrapRecord(both, next, record, 'c')) };
  expect(wrapped.sealed).toBe(record.sealed);
  expect(await openRecord(createMasterKeys([next]), wrapped, 'c')).toBe(TEXT);
});

test('[SRV-4] a master key of the same name with another secret is named in the error', async () => {
  const record = await sealRecord(old, TEXT, 'c');
  const wrong = createMasterKeys([localMasterKey('2026-01', 'not the secret that sealed this one')]);
  await expect(openRecord(wrong, record, 'c')).rejects.toThrow('2026-01 does not unwrap');
});
