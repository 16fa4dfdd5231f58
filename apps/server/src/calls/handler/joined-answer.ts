/**
 * An answer that is mostly the same for many callers, such as a list of methods, with the caller's own part beside it. Transports
 * write the shared part once and keep its text, because writing it costs more than everything else in the call.
 */

interface Parts {
  readonly shared: object;
  readonly own: object;
}

/** Private, so that no copy of the answer is taken for it: a copy may have changed. */
class JoinedAnswer {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    Object.assign(this, parts.shared, parts.own);
  }

  static partsOf(value: object): Parts | undefined {
    return #parts in value ? value.#parts : undefined;
  }
}

/**
 * Reads as one object.
 * @param shared never changed after it was first given here
 * @throws Error when both have a field of one name
 */
export function joinedAnswer<Shared extends object, Own extends object>(shared: Shared, own: Own): Shared & Own {
  for (const name of Object.keys(own)) {
    if (Object.hasOwn(shared, name)) throw new Error(`Both parts of an answer have ${name}`);
  }
  return new JoinedAnswer({ shared, own }) as unknown as Shared & Own;
}

/** The parts of a joined answer; undefined for any other. */
export function partsOf(answer: unknown): Parts | undefined {
  return typeof answer === 'object' && answer !== null ? JoinedAnswer.partsOf(answer) : undefined;
}
