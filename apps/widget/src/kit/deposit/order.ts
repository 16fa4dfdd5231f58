/** What is bought at a price of its own, where a deposit is that (SWP-1): the amount is then not the person's to choose. */
import { createContext, type ReactNode, useContext } from 'react';

export interface Order {
  /** The coin box, as the create call names it. */
  readonly boxId: string;
  /** In the currency that the session pays in on this screen. */
  readonly price: string;
  /** What is bought, for how much, and what has to be known before paying: it stands where an amount would be typed. */
  readonly summary: ReactNode;
  /** The server refused with this code. True: it was about the order itself, and the person has been told and led on. */
  onRefused(code: string | undefined): boolean;
}

const OrderContext = createContext<Order | undefined>(undefined);
export const OrderProvider = OrderContext.Provider;

/** What the screen's deposit buys; undefined where it tops up a balance. */
export const useOrder = (): Order | undefined => useContext(OrderContext);
