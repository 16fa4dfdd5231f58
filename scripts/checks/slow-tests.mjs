/**
 * Test files that the first check of a clone leaves to the second one.
 *
 * Each takes more than a second of the processor. It walks through a whole catalogue, every language or generated documents, or
 * starts programs. Ordinary mistakes in the same code fail quicker tests, the types or the check of the documents.
 */
export const slowTests = [
  'apps/server/src/catalogue/data/crypto-minimum.test.ts',
  'apps/server/src/http/caller-address.test.ts',
  'apps/server/src/providers/crypto/solana/solana-source.test.ts',
  'apps/widget/src/app/locale/every-message.test.ts',
  'apps/widget/src/kit/deposit/one-payment.test.ts',
  'apps/widget/src/kit/form/catalogue-masks.test.ts',
  'examples/signer/signer.test.ts',
  'packages/create-provider/src/project.test.ts',
  'scripts/new/flow.test.ts',
  'scripts/reference/reference.test.ts',
];
