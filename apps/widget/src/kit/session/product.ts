/** What a product and a flow are made of: plain data, so that a product can be read as a list (architecture: products). */
import type { PaymentMethod } from '@opencashier/contract/api';
import type { ComponentType } from 'react';

/** What a screen is given; everything else comes through the hooks of `services.tsx`. */
export interface ScreenProps {
  /** Parts of the path by the names in the route's pattern. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** What the previous screen handed over through the history; unknown because a person may open any address. */
  readonly state: unknown;
}

export type Screen = ComponentType<ScreenProps>;

/** Loads the module of a screen. Its export is always named `Screen`. */
export type LoadScreen = () => Promise<{ readonly Screen: Screen }>;

/** Where the Back button leads: the previous entry of the history, else `page`; or always `page`. */
export type BackRoute =
  | { readonly kind: 'history'; readonly page: string }
  | { readonly kind: 'page'; readonly page: string };

/** A screen that is there from the start, or one that is loaded when it is needed. */
export type ScreenSource = LoadScreen | { readonly Screen: Screen };

export interface RouteDefinition {
  /** Inside the product, with `:names`, such as `/deposit/redirect/:method`. */
  readonly path: string;
  /** Key of the title (NAV-4). */
  readonly title: string;
  /** Key of another title, by what the screen before handed over. */
  readonly titleOf?: (state: unknown) => string | undefined;
  /** Key of what tells this screen from the others of its title: said before it in the window's title and to screen readers. */
  readonly step?: string;
  /** Absent: no Back button, so the title is shown. */
  readonly back?: BackRoute;
  /** What has to be chosen before the screen makes sense; else the guard leads to the product's home (NAV-3). */
  readonly needs?: 'method' | 'group';
  /** Whose catalogue the guard and the list read; `deposit` when absent. */
  readonly direction?: Direction;
  /** Address of the list that the screen belongs to; the product's own when absent. */
  readonly tree?: string;
  readonly screen: ScreenSource;
  /** Address of the page that the screen is a view of: going from one view to another, such as a tab, is no new page. */
  readonly page?: string;
  /** A sheet over the screen of the address `over`, which stays as it is below. */
  readonly sheet?: { readonly over: string; readonly screen: LoadScreen };
  /** HOST-14: the close button is hidden here whatever the host says. */
  readonly hidesClose?: true;
}

export type Direction = 'deposit' | 'withdrawal';

/** An address that leads to another one. */
export interface Redirection {
  readonly path: string;
  readonly to: string;
}

/** A payment flow as the rest of the widget knows it: which cards open it and its routes. */
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

/** What the answer to a create brings: see `core/deposit/next-step`. `page:pix` is an answer whose `pageId` is `pix`. */
export type AnswerKind = 'unified-form' | 'offers' | 'host-to-host' | 'bank-transfer' | 'address' | `page:${string}`;

/** A route of a flow; its path is relative to the tree it hangs in (`/deposit`, `/cryptobalance/deposit/fiat`). */
export interface FlowRoute {
  readonly path: string;
  readonly title: string;
  /** As a route's. */
  readonly step?: string;
  readonly screen: LoadScreen;
  /** Absent: back through the history to the list. */
  readonly back?: 'list';
}

/** What a list of methods leads to; a tree that is loaded when it is entered brings its own. */
export interface Tree {
  readonly routes: readonly RouteDefinition[];
  /** Loads what a person is likely to open next; asked for when the list has been there for a while. */
  preload(): void;
  /** Path of the screen that a method's card opens (LIST-4). `tree` is the list's own address. */
  methodPath(tree: string, method: PaymentMethod, group?: string): string;
  /** Path of the list that a group's tile opens (LIST-2). */
  groupPath(tree: string, group: string): string;
}

/** Everything below one address of a product that most people never open: its table of routes is loaded with its first screen. */
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
  /** The deposit list: the way back from screens that end something. */
  readonly list: string;
  readonly redirections: readonly Redirection[];
  readonly branches?: readonly Branch[];
  /** Path below a deposit tree of the screen that shows such an answer; `:method` stands for the method. Absent: no flow has one. */
  answerPath(kind: AnswerKind): string | undefined;
}
