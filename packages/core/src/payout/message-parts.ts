/**
 * How the steps of a bank's message are applied in parts, when the database refuses a part (WD-2). A part that keeps failing is divided until
 * the refused step is alone. This step is set aside for staff, and its neighbours are applied.
 */

/** What is known of a message whose steps are being applied. */
export interface PartPlan {
  /** Failures of any kind since a part was applied whole. The pause grows with them. */
  readonly failures: number;
  /** Refusals since a part was applied whole. */
  readonly refusals: number;
  /** The next steps, of which one is the refused step; null: none is suspected. */
  readonly suspects: number | null;
  /** Steps that were set aside since a full part was applied. */
  readonly setAside: number;
}

/** `refused`: the database refused the data, and did nothing. `failed`: any other failure, which no step is to blame for. */
export type PartOutcome = 'applied' | 'refused' | 'failed';

export interface NextPart {
  readonly plan: PartPlan;
  /** Seconds before the next part is tried. */
  readonly pauseS: number;
  /** The part was a single step, and the step is to be set aside. */
  readonly isRefusedStep: boolean;
}

export const FIRST_PART: PartPlan = { failures: 0, refusals: 0, suspects: null, setAside: 0 };

/** Refusals of a full part before it is divided. */
export const TRIES_OF_PART = 5;
/** The longest pause, in seconds. */
export const LONGEST_PAUSE_S = 600;

/** The counts end here, where the pause has long been the longest. */
const MOST_FAILURES = 100;

const pauseAfter = (failures: number): number => Math.min(2 ** failures, LONGEST_PAUSE_S);

/** The most steps of the next part: a full part, or half of the suspects. */
export function sizeOfPart({ suspects }: PartPlan, full: number): number {
  return suspects === null ? full : Math.ceil(suspects / 2);
}

/**
 * What follows a part.
 * @param steps how many steps the part had, at least 1
 */
export function nextPart(plan: PartPlan, outcome: PartOutcome, steps: number): NextPart {
  if (outcome === 'applied') {
    const { setAside } = plan;
    const suspects = plan.suspects === null ? 0 : plan.suspects - steps;
    // A single step between two refused ones is no sign that their cause has ended. A full part is.
    const next = plan.suspects === null ? FIRST_PART : { ...FIRST_PART, setAside };
    return {
      plan: suspects > 0 ? { ...next, refusals: TRIES_OF_PART, suspects } : next,
      pauseS: 0,
      isRefusedStep: false,
    };
  }
  const failures = Math.min(plan.failures + 1, MOST_FAILURES);
  if (outcome === 'failed') return { plan: { ...plan, failures }, pauseS: pauseAfter(failures), isRefusedStep: false };
  const refusals = Math.min(plan.refusals + 1, MOST_FAILURES);
  if (refusals < TRIES_OF_PART)
    return { plan: { ...plan, failures, refusals }, pauseS: pauseAfter(failures), isRefusedStep: false };
  if (steps > 1) return { plan: { ...plan, failures, refusals, suspects: steps }, pauseS: 0, isRefusedStep: false };
  // Several refused steps in a row may have one cause that ends. So each further one waits longer, and few of them become work for staff.
  const pauseS = plan.setAside === 0 ? 0 : pauseAfter(plan.setAside);
  const setAside = Math.min(plan.setAside + 1, MOST_FAILURES);
  return { plan: { failures, refusals: TRIES_OF_PART, suspects: null, setAside }, pauseS, isRefusedStep: true };
}
