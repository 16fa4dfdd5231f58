/** The kind of an answer, as one word. */
export function kindOf(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null) return 'nothing';
  if ('kind' in answer && typeof answer.kind === 'string') return answer.kind;
  return 'outcome' in answer && typeof answer.outcome === 'string' ? answer.outcome : 'answered';
}
