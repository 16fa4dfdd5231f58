/**
 * The code of fields: how they look, what may be typed into them, and what their rules accept. Many methods have no field but the
 * amount, so a form loads this code only when it is needed.
 */
import { use } from 'react';
import { insist } from '../../api/insist.ts';

interface FieldCode {
  readonly FieldList: typeof import('./field-list.tsx').FieldList;
  readonly readFields: typeof import('./field-reading.ts').readFields;
  readonly startOf: typeof import('./field-reading.ts').startOf;
  readonly compileRule: typeof import('@opencashier/core/fields/regex-rule').compileRule;
}

let present: FieldCode | undefined;
let loading: Promise<FieldCode> | undefined;
let hasFailed = false;

/** A page that always has fields comes with their code, so that it waits for no further file. */
export function provideFieldCode(code: FieldCode): void {
  present = code;
}

/** Loads the code ahead of a form. */
export function loadFieldCode(): Promise<FieldCode> {
  if (hasFailed) loading = undefined;
  hasFailed = false;
  loading ??= insist(async () => {
    const [{ FieldList }, { readFields, startOf }, { compileRule }] = await Promise.all([
      import('./field-list.tsx'),
      import('./field-reading.ts'),
      import('@opencashier/core/fields/regex-rule'),
    ]);
    present = { FieldList, readFields, startOf, compileRule };
    return present;
  });
  // The form that needs the code shows the failure. A later load tries again.
  loading.catch(() => {
    hasFailed = true;
  });
  return loading;
}

/** The code as a part that a list loads before the tap. */
export const fieldCode = {
  isLoaded: () => present !== undefined,
  load: async (): Promise<void> => void (await loadFieldCode()),
};

/** Reads a rule before its form needs it. Without the code nothing is read: the form then loads the code and reads its rules itself. */
export const readRule = (rule: string): void => void present?.compileRule(rule);

/** The code, if it is needed. The screen waits for it like for a screen that is being loaded. */
export function useFieldCode(isNeeded: boolean): FieldCode | undefined {
  if (!isNeeded) return undefined;
  // The same promise in every render, also when it has failed: React throws its error then.
  return present ?? use(loading ?? loadFieldCode());
}
