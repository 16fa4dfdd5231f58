import { expect, test, vi } from 'vitest';
import { ConfigError } from '../errors/config-error.ts';
import { awsMasterKey } from './aws-master-key.ts';
import { createMasterKeys, localMasterKey } from './master-keys.ts';
import { openRecord, rewrapRecord, SealedRecordError, sealRecord } from './sealed-record.ts';

const arn = 'arn:aws:kms:eu-central-1:111122223333:key/0c6f4e1a-5d1c-4c55-9b6b-3d5a0a6b7f01';
const setting = { id: `aws-kms:${arn}`, arn, region: 'eu-central-1' };

interface Asked {
  readonly KeyId: string;
  readonly Plaintext?: Uint8Array;
  readonly CiphertextBlob?: Uint8Array;
  readonly EncryptionContext: Readonly<Record<string, string>>;
}

/** A stand-in for the service: it reverses the bytes, and binds them to the key and the context as the service does. */
function fakeKms() {
  const state = { isDown: false, sent: [] as Asked[], options: [] as unknown[] };
  class Command {
    readonly input: Asked;
    constructor(input: Asked) {
      this.input = input;
    }
  }
  class KMSClient {
    constructor(options: unknown) {
      state.options.push(options);
    }
    async send({ input }: Command, { abortSignal }: { readonly abortSignal: AbortSignal }) {
      expect(abortSignal).toBeInstanceOf(AbortSignal);
      state.sent.push(input);
      if (state.isDown) throw Object.assign(new Error('connect ECONNREFUSED'), { name: 'TimeoutError' });
      const label = Buffer.from(JSON.stringify([input.KeyId, input.EncryptionContext]));
      if (input.Plaintext !== undefined) {
        return { CiphertextBlob: Buffer.concat([label, Buffer.from(input.Plaintext).reverse()]) };
      }
      const blob = Buffer.from(input.CiphertextBlob ?? []);
      if (!blob.subarray(0, label.length).equals(label)) {
        throw Object.assign(new Error('no'), { name: 'InvalidCiphertextException' });
      }
      return { Plaintext: Buffer.from(blob.subarray(label.length)).reverse() };
    }
  }
  // The stand-in has the three classes that are used, not the whole type of the SDK.
  const load = vi.fn(async () => ({ KMSClient, EncryptCommand: Command, DecryptCommand: Command }) as never);
  return { state, load };
}

test('[SRV-4] a record under a key in AWS KMS opens again in its own place alone, and the service never gets its text', async () => {
  const { state, load } = fakeKms();
  const key = await awsMasterKey(setting, load);
  const keys = createMasterKeys([key]);
  const record = await sealRecord(key, 'the secret', 'acme one');
  expect(record.keyId).toBe(setting.id);
  expect(await openRecord(keys, record, 'acme one')).toBe('the secret');
  await expect(openRecord(keys, record, 'acme two')).rejects.toThrow(SealedRecordError);
  expect(state.options).toEqual([{ region: 'eu-central-1', maxAttempts: 2 }]);
  expect(state.sent[0]).toMatchObject({ KeyId: arn, EncryptionContext: { record: 'acme one' } });
  expect(state.sent.every(({ Plaintext }) => Plaintext === undefined || Plaintext.length === 32)).toBe(true);
});

test('[SRV-4] data keys move from a key in the settings to AWS KMS and back', async () => {
  const aws = await awsMasterKey(setting, fakeKms().load);
  const local = localMasterKey('2026-01', 'a secret of at least 32 characters');
  const both = createMasterKeys([aws, local]);
  const record = await sealRecord(local, 'the secret', 'c');
  const moved = { ...record, ...(await rewrapRecord(both, aws, record, 'c')) };
  expect(await openRecord(createMasterKeys([aws]), moved, 'c')).toBe('the secret');
  const back = { ...moved, ...(await rewrapRecord(both, local, moved, 'c')) };
  expect(await openRecord(createMasterKeys([local]), back, 'c')).toBe('the secret');
});

test('[SRV-4] a service that does not answer is no wrong key', async () => {
  const { state, load } = fakeKms();
  const key = await awsMasterKey(setting, load);
  const record = await sealRecord(key, 'the secret', 'c');
  state.isDown = true;
  const opened = openRecord(createMasterKeys([key]), record, 'c');
  await expect(opened).rejects.toThrow('ECONNREFUSED');
  await expect(opened).rejects.not.toBeInstanceOf(SealedRecordError);
});

test('[SRV-4] without the package the error says what to install', async () => {
  const failing = awsMasterKey(setting, () => Promise.reject(new Error('Cannot find package')));
  await expect(failing).rejects.toThrow(ConfigError);
  await expect(failing).rejects.toThrow('@aws-sdk/client-kms must be installed');
});
