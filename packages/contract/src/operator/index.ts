/** The entry point of the operator API and its webhooks in this package. */
export * from './approvals.ts';
export * from './catalogue.ts';
export * from './catalogue-settings.ts';
export * from './coins.ts';
export * from './debts.ts';
export * from './deliveries.ts';
export * from './endpoint.ts';
export * from './endpoints.ts';
export * from './fields.ts';
export * from './paging.ts';
export * from './payments.ts';
export * from './reports.ts';
export * from './reviews.ts';
export * from './texts.ts';
export * from './transactions.ts';
export * from './users.ts';
export * from './webhooks.ts';
