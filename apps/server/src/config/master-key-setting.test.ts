import { expect, test } from 'vitest';
import { ConfigError } from '../errors/config-error.ts';
import { readConfig } from './config.ts';
import { readMasterKeys } from './master-key-setting.ts';

const secret = 's'.repeat(32);
const arn = 'arn:aws:kms:eu-central-1:111122223333:key/0c6f4e1a-5d1c-4c55-9b6b-3d5a0a6b7f01';

test('[SRV-4] master keys are read in their order, with their kinds', () => {
  const { masterKeys } = readConfig({ MASTER_KEY: `aws-kms:${arn}, 2026-11:${secret}` });
  expect(readMasterKeys(masterKeys)).toEqual([
    { kind: 'aws-kms', id: `aws-kms:${arn}`, arn, region: 'eu-central-1' },
    { kind: 'local', id: '2026-11', secret },
  ]);
  expect(readConfig({}).masterKeys).toEqual([]);
});

test.each([
  ['a key without a name', `${secret}${secret}`],
  ['a short secret', '2026-11:CANARY'],
  ['a name that is used twice', `a:${secret},a:${secret}x`],
  ['an ARN of something else', 'aws-kms:arn:aws:s3:::CANARY'],
])('[SRV-4] %s is refused by name, and the value is not repeated', (_what, value) => {
  const read = () => readConfig({ MASTER_KEY: value });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(/^MASTER_KEY must be a list/);
  expect(read).not.toThrow(/CANARY|ssss/);
});
