import { useFieldCode } from './field-code.ts';
import type { Fields } from './field-state.ts';

/** The fields of a method, one under the other (FORM-1). */
export function DynamicForm({
  fields,
  isDisabled = false,
}: {
  readonly fields: Fields;
  readonly isDisabled?: boolean;
}) {
  const code = useFieldCode(fields.states.length > 0);
  return code && <code.FieldList fields={fields} isDisabled={isDisabled} />;
}
