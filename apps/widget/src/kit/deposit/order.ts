/** What a deposit buys at a fixed price (SWP-1). The user does not choose the amount then. */
import { createContext, type ReactNode, useContext } from 'react';

export interface Order {
  /** The coin box, as the create call names it. */
  readonly boxId: string;
  /** In the session's currency on this screen. */
  readonly price: string;
  /** What is bought, its price, and what the user must know before paying. It is shown in place of the amount field. */
  readonly summary: ReactNode;
  /** The server refused with this code. True if the refusal was about the order, and the user has been told and led on. */
  onRefused(code: string | undefined): boolean;
}

const OrderContext = createContext<Order | undefined>(undefined);
export const OrderProvider = OrderContext.Provider;

/** What the screen's deposit buys; undefined where it tops up a balance. */
export const useOrder = (): Order | undefined => useContext(OrderContext);
