/** The body of the first call. Boot asks with it before React is there, and the list screen with the very same one (LIST-1). */
import type { methodsPaymentV5, RequestOf } from '@opencashier/contract/api';
import type { HostPayload } from '@opencashier/contract/host';

/** The experiment whose group the deposit catalogue is asked with (§9), and its group where the host names none. */
const catalogueExperiment = 'analytics-21868';
const defaultExperimentGroup = 'group_a';

export function depositListRequest(session: {
  readonly country: string;
  readonly currency: string;
  readonly boxId?: string;
  readonly payload: Pick<HostPayload, 'experiments'>;
}): RequestOf<typeof methodsPaymentV5> {
  const experiment = session.payload.experiments.find(({ key }) => key === catalogueExperiment);
  return {
    country: session.country,
    currency: session.currency,
    abTestGroup: experiment?.group ?? defaultExperimentGroup,
    boxId: session.boxId,
  };
}
