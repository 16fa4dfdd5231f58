import { sessionFormOnCloseModal } from '@opencashier/contract/api';
import { answer } from '../handler/call.ts';

/** Counts that a widget was closed while a deposit was being created (DEP-9). Never a cancel. */
export const sessionFormOnCloseModalHandler = answer(sessionFormOnCloseModal, async (_request, _scope, { metrics }) => {
  metrics.closedDuringCreation();
  return {};
});
