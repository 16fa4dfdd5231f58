import { readFileSync } from 'node:fs';
import type { Bonus } from '@opencashier/contract/api';
import type { HostMessage, HostPayload, WidgetMessage } from '@opencashier/contract/host';
import type { InferInput } from 'valibot';
import { expect, expectTypeOf, test } from 'vitest';
import type { appearanceSchema } from '../../packages/contract/src/host/payload.ts';
import type * as sdk from '../../packages/embed/src/generated/host-types.ts';
import { hostTypes } from './host-types.ts';

const messages = readFileSync(new URL('../../packages/contract/src/host/messages.ts', import.meta.url), 'utf8');

test("[HOST-1] the SDK's own types of messages are those of the contract", () => {
  expectTypeOf<sdk.WidgetMessage>().toEqualTypeOf<WidgetMessage>();
  expectTypeOf<sdk.HostMessage['messageType']>().toEqualTypeOf<HostMessage['messageType']>();
  // A page may leave out what the widget completes. So the contract's types fit, and every field is known.
  expectTypeOf<Partial<HostPayload>>().toExtend<sdk.HostPayloadInput>();
  expectTypeOf<keyof sdk.HostPayloadInput>().toEqualTypeOf<keyof HostPayload>();
  expectTypeOf<keyof sdk.Bonus>().toEqualTypeOf<keyof Bonus>();
  expectTypeOf<InferInput<typeof appearanceSchema>>().toExtend<sdk.Appearance>();
  expectTypeOf<sdk.Appearance>().toExtend<{ [Key in keyof InferInput<typeof appearanceSchema>]?: unknown }>();
});

test('the generated types name no library and refuse a page without messages', () => {
  expect(hostTypes(messages)).not.toMatch(/\bimport\b|valibot/);
  expect(() => hostTypes('export type WidgetMessage = never;')).toThrow(/no types of messages/);
});
