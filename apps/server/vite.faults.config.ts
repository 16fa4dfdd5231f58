/**
 * Builds what `e2e/faults` runs beside the product: the server with its failpoints, their names, and the server of a next version. Also
 * the way into the embedded database of a running server, the stand-in for Stripe's API, and a chain and a signer for payouts of coins. Never
 * a part of `dist/`.
 */
import { defineConfig, mergeConfig } from 'vite';
import production from './vite.config.ts';

const faults = mergeConfig(production, { build: { outDir: '.cache/faults' } });

export default defineConfig({
  ...faults,
  build: {
    ...faults.build,
    rolldownOptions: {
      ...faults.build.rolldownOptions,
      input: {
        'dying-main': 'src/testing/dying-main.ts',
        'newer-main': 'src/testing/newer-main.ts',
        'routed-main': 'src/testing/routed-main.ts',
        failpoints: 'src/payment-ports/failpoints.ts',
        'stripe-api': 'src/providers/stripe/stripe-api.fixture.ts',
        'served-client': 'src/database/served/served-client.ts',
        'embedded-worker': 'src/database/embedded/embedded-worker.ts',
        'fake-tron-node': 'src/providers/crypto/testing/fake-tron-node.ts',
        'local-chain': 'src/providers/crypto/testing/local-chain.ts',
        'test-signer': 'src/providers/crypto/testing/test-signer.ts',
        'fake-bitcoin': 'src/providers/crypto/testing/fake-bitcoin.ts',
        'fake-ton': 'src/providers/crypto/testing/fake-ton.ts',
      },
    },
  },
});
