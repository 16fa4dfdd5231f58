import { describe, expect, test } from 'vitest';
import { OUTPUT_REPORTS, reportsThatAre } from './output-in-balance.ts';

describe('[SRV-1] [CRY-2] a payment on a chain', () => {
  test('arrives until it is credited', () => {
    expect(reportsThatAre('arrives')).toEqual(['new', 'seen']);
    expect(reportsThatAre('credited')).toEqual(['paid']);
  });

  test('that vanished or was taken back is in no book', () => {
    expect(reportsThatAre('none')).toEqual(['gone', 'taken-back']);
  });

  test('is exactly one of them, whatever was reported last', () => {
    const all = (['arrives', 'credited', 'none'] as const).flatMap(reportsThatAre);
    expect(all.toSorted()).toEqual(OUTPUT_REPORTS.toSorted());
  });
});
