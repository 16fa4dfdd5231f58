import type { PaymentMethod } from '@opencashier/contract/api';
import type { LoadPart } from '../session/product-context.tsx';
import { readRule } from './field-code.ts';

/**
 * The rules of the forms that a list opens: one part for each method that has a rule of its own. A slow phone reads the rules of one
 * form in some 30 ms. Without this, the first drawing of the form would block an idle page for longer than 50 ms (UI-5).
 */
export function rulesAhead(methods: readonly Pick<PaymentMethod, 'fields' | 'flags'>[]): LoadPart[] {
  const seen = new Set<string>();
  return methods.flatMap((method) => {
    const rules = rulesOf(method).filter((rule) => !seen.has(rule));
    if (rules.length === 0) return [];
    for (const rule of rules) seen.add(rule);
    let isRead = false;
    const load = async (): Promise<void> => {
      for (const rule of rules) readRule(rule);
      isRead = true;
    };
    return [{ isLoaded: () => isRead, load }];
  });
}

function rulesOf({ fields, flags }: Pick<PaymentMethod, 'fields' | 'flags'>): string[] {
  const ofFields = fields.flatMap(({ regex, props }) => [
    regex,
    ...(props?.validations ?? []).map((rule) => rule.regex),
  ]);
  return [
    ...new Set([flags.ownAmountRegex, ...ofFields].filter((rule): rule is string => rule !== undefined && rule !== '')),
  ];
}
