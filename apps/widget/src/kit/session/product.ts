/** The parts of a product and of a flow. They are plain data, so that a product can be read as a list (architecture: products). */
import type { PaymentMethod } from '@opencashier/contract/api';
import type { ComponentType } from 'react';

/** The props of a screen; everything else comes through the hooks of `services.tsx`. */
export interface ScreenProps {
  /** Parts of the path by the names in the route's pattern. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The state that the previous screen put into the history. Its type is unknown, because a user may open any address. */
  readonly state: unknown;
}

export type Screen = ComponentType<ScreenProps>;

/** Loads the module of a screen. Its export is always named `Screen`. */
export type LoadScreen = () => Promise<{ readonly Screen: Screen }>;

/** Where the Back button leads: the previous entry of the history, else `page`; or always `page`. */
export type BackRoute =
  | { readonly kind: 'history'; readonly page: string }
  | { readonly kind: 'page'; readonly page: string };

/** A screen that is part of the first load, or one that is loaded when it is needed. */
export type ScreenSource = LoadScreen | { readonly Screen: Screen };

export interface RouteDefinition {
  /** Inside the product, with `:names`, such as `/deposit/redirect/:method`. */
  readonly path: string;
  /** Key of the title (NAV-4). */
  readonly title: string;
  /** Key of another title, by the state that the previous screen put into the history. */
  readonly titleOf?: (state: unknown) => string | undefined;
  /**
   * Key of a text that tells apart screens with the same title. It precedes the title in the window's title and for screen
   * readers.
   */
  readonly step?: string;
  /** Absent: no Back button, so the title is shown. */
  readonly back?: BackRoute;
  /** What must be chosen for this screen. Otherwise the guard leads to the product's home (NAV-3). */
  readonly needs?: 'method' | 'group';
  /** The catalogue for the guard and the list; `deposit` when absent. */
  readonly direction?: Direction;
  /** Address of the list that the screen belongs to; the product's own when absent. */
  readonly tree?: string;
  readonly screen: ScreenSource;
  /** Address of the page of which this screen is a view, such as a tab. Changing the view is no new page. */
  readonly page?: string;
  /** A sheet over the screen of the address `over`, which stays as it is below. */
  readonly sheet?: { readonly over: string; readonly screen: LoadScreen };
  /** The close button is hidden here, whatever the host says (HOST-14). */
  readonly hidesClose?: true;
}

export type Direction = 'deposit' | 'withdrawal';

/** An address that leads to another one. */
export interface Redirection {
  readonly path: string;
  readonly to: string;
}

/** A payment flow: which cards open it, and its routes. */
export interface Flow {
  readonly name: string;
  /** Card view types (§9) whose methods open this flow (LIST-4). */
  readonly cardViewTypes: readonly number[];
  /** Methods of this category whose view type no flow claims open this flow, too. */
  readonly category?: string;
  /** The group whose tile opens a list of this flow's own, and the list's path. */
  readonly group?: { readonly name: string; readonly path: string };
  /** Answers to a create that lead to a screen of this flow, and the path of the screen (DEP-3). */
  readonly answers?: Readonly<Partial<Record<AnswerKind, string>>>;
  /** The flow can sell at a fixed price, such as coin boxes (SWP-1). Absent: the payer always chooses the amount. */
  readonly fixedPrice?: true;
  /** Path of the flow's first screen below a deposit tree, such as `redirect/:method`. */
  readonly entry: string;
  readonly routes: readonly FlowRoute[];
}

/** The kind of a create's answer: see `core/deposit/next-step`. `page:pix` is an answer whose `pageId` is `pix`. */
export type AnswerKind = 'unified-form' | 'offers' | 'host-to-host' | 'bank-transfer' | 'address' | `page:${string}`;

/** A route of a flow. Its path is relative to its tree (`/deposit`, `/cryptobalance/deposit/fiat`). */
export interface FlowRoute {
  readonly path: string;
  /** Absent: the tree's title of a payment, such as Deposit or Purchase. */
  readonly title?: string;
  /** As a route's. */
  readonly step?: string;
  readonly screen: LoadScreen;
}

/** The screens below a list of methods. A tree that is loaded later has its own. */
export interface Tree {
  readonly routes: readonly RouteDefinition[];
  /** Path of the screen that a method's card opens (LIST-4). `tree` is the list's own address. */
  methodPath(tree: string, method: PaymentMethod, group?: string): string;
  /** The flow of a method. Undefined for a method with only the common form (LIST-4). */
  flowOf(method: PaymentMethod): Flow | undefined;
  /** Path of the list that a group's tile opens (LIST-2). */
  groupPath(tree: string, group: string): string;
}

/** A part of a product that few users open. Its routes are loaded together with its first screen. */
export interface Branch {
  readonly path: string;
  readonly load: () => Promise<Tree>;
}

export interface Product extends Tree {
  readonly name: string;
  /** Where the widget starts and where guards lead (NAV-2, NAV-3). */
  readonly home: string;
  /** Where an unknown address leads (NAV-2). */
  readonly unknown: string;
  /** The deposit list, to which final screens lead back. */
  readonly list: string;
  readonly redirections: readonly Redirection[];
  readonly branches?: readonly Branch[];
  /**
   * Path of the screen that shows such an answer, below a deposit tree. `:method` stands for the method. Undefined: no flow has
   * such a screen.
   */
  answerPath(kind: AnswerKind): string | undefined;
}
