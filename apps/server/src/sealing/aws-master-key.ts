/** A master key that stays in AWS KMS. The credentials come from where the AWS SDK finds them: the machine's role, or its variables. */
import type { KMSClient } from '@aws-sdk/client-kms';
import { ConfigError } from '../errors/config-error.ts';
import type { MasterKey } from './master-keys.ts';

/** The parts of the SDK that are used. */
type Kms = Pick<typeof import('@aws-sdk/client-kms'), 'KMSClient' | 'EncryptCommand' | 'DecryptCommand'>;

export interface AwsKeySetting {
  /** Stored beside what the key wrapped. */
  readonly id: string;
  readonly arn: string;
  readonly region: string;
}

/** For one request with its repeats. ms. */
const ANSWER_WITHIN_MS = 5_000;
const MOST_TRIES = 2;

/**
 * Loads the SDK, which is large, and prepares a client. It sends nothing yet.
 * @param load loads the SDK; tests pass a fake
 * @throws ConfigError when the package is not installed
 */
export async function awsMasterKey(
  { id, arn, region }: AwsKeySetting,
  load: () => Promise<Kms> = () => import('@aws-sdk/client-kms'),
): Promise<MasterKey> {
  const kms = await load().catch((cause: unknown) => {
    throw new ConfigError(
      [
        'MASTER_KEY names a key in AWS KMS, so the package @aws-sdk/client-kms must be installed (docs/connections.md).',
      ],
      { cause },
    );
  });
  const client: KMSClient = new kms.KMSClient({ region, maxAttempts: MOST_TRIES });
  const bounded = () => ({ abortSignal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  const place = (context: string) => ({ EncryptionContext: { record: context } });
  return {
    id,
    async wrap(dataKey, context) {
      const command = new kms.EncryptCommand({ KeyId: arn, Plaintext: dataKey, ...place(context) });
      const { CiphertextBlob: wrapped } = await client.send(command, bounded());
      if (wrapped === undefined) throw new Error('AWS KMS answered without a wrapped key');
      return Buffer.from(wrapped);
    },
    async unwrap(wrapped, context) {
      const command = new kms.DecryptCommand({ KeyId: arn, CiphertextBlob: wrapped, ...place(context) });
      try {
        return (await client.send(command, bounded())).Plaintext;
      } catch (error) {
        // The service says so of a wrapped key that was changed, moved or wrapped by another key.
        if (error instanceof Error && REFUSALS.has(error.name)) return undefined;
        throw error;
      }
    },
  };
}

const REFUSALS = new Set(['InvalidCiphertextException', 'IncorrectKeyException']);
