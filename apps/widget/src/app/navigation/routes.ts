/** Finds the screen of an address in a product's table (NAV-1, NAV-2). Pure; wouter's matcher reads the patterns. */
import { matchRoute, type Parser } from 'wouter';
import type { Product, RouteDefinition } from '../../kit/session/product.ts';

export type Resolution =
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'route'; readonly route: RouteDefinition; readonly params: Readonly<Record<string, string>> };

export function resolveRoute(product: Product, path: string, parser: Parser): Resolution {
  const address = path.length > 1 ? path.replace(/\/+$/, '') : path;
  const redirection = product.redirections.find((entry) => entry.path === address);
  if (redirection) return { kind: 'redirect', to: redirection.to };
  for (const route of product.routes) {
    const [isMatch, params] = matchRoute(parser, route.path, address);
    if (isMatch) return { kind: 'route', route, params: namedParams(params) };
  }
  return { kind: 'redirect', to: product.unknown };
}

/** The named parameters of a match. wouter also numbers them, and gives undefined for absent ones. */
function namedParams(params: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const named: Record<string, string> = {};
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && !/^\d+$/.test(name)) named[name] = value;
  }
  return named;
}
