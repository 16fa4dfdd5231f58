/** The chosen coin box, for the life of the tab (NAV-7). Only the id is stored; the server says what it contains and costs. */
import { readStored, store } from '../session/browser-storage.ts';

const key = 'cashier.box';

export function chosenBoxId(): string | undefined {
  return readStored('sessionStorage', key);
}

export function chooseBox(boxId: string | undefined): void {
  store('sessionStorage', key, boxId);
}
