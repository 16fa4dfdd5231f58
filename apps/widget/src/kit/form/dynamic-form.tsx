import { useFieldCode } from './field-code.ts';
import type { UnderField } from './field-list.tsx';
import type { Fields } from './field-state.ts';

/** The fields of a method, one under the other (FORM-1). */
export function DynamicForm({
  fields,
  isDisabled = false,
  under,
}: {
  readonly fields: Fields;
  readonly isDisabled?: boolean;
  readonly under?: UnderField | undefined;
}) {
  const code = useFieldCode(fields.states.length > 0);
  return code && <code.FieldList fields={fields} isDisabled={isDisabled} under={under} />;
}
