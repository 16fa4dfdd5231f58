/** What tests of a provider need. */
export { type CompanyAnswer, CompanyServer } from './company-server.ts';
export {
  type ConformanceOptions,
  type ProviderBench,
  registerConformance,
} from './conformance.ts';
export {
  DECLINED_AMOUNT,
  DECLINED_MINOR,
  FakeCompany,
  type FakePayment,
  type FakeTransaction,
} from './fake-company.ts';
export type { ListBench } from './list-conformance.ts';
export { testDeposit } from './test-deposit.ts';
export type { TestRunner } from './test-runner.ts';
