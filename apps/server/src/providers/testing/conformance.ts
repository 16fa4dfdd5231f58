/** The kit's tests of a provider, run by vitest. */
import { type ConformanceOptions, registerConformance } from '@opencashier/provider-kit/testing';
import { describe, test } from 'vitest';

export type { ProviderBench } from '@opencashier/provider-kit/testing';

/** Registers the tests of one provider (SRV-4, SRV-6). */
export function describeProvider(name: string, options: ConformanceOptions): void {
  registerConformance({ describe, test }, name, options);
}
