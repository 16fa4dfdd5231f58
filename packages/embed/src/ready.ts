/** Whether the first screen of an opening can be used, as a promise that the SDK settles. Only the first outcome counts. */
export interface Ready {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

export function createReady(): Ready {
  const ends = {} as Pick<Ready, 'resolve' | 'reject'>;
  const promise = new Promise<void>((resolve, reject) => Object.assign(ends, { resolve, reject }));
  // A page may not use the promise. Then a rejection must not be reported as unhandled.
  void Promise.allSettled([promise]);
  return { promise, ...ends };
}
