/** Which coin box the person has chosen, for as long as the tab lives (NAV-7). The id alone: what it holds and costs, the server says. */
import { readStored, store } from '../session/browser-storage.ts';

const key = 'cashier.box';

export function chosenBoxId(): string | undefined {
  return readStored('sessionStorage', key);
}

export function chooseBox(boxId: string | undefined): void {
  store('sessionStorage', key, boxId);
}
