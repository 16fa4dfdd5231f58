import { index, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  index('routes/account.tsx'),
  route('api/cashier-token', 'routes/cashier-token.ts'),
  route('webhooks/cashier', 'routes/webhook.ts'),
] satisfies RouteConfig;
