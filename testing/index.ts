/** What tests of users import: synthesized stacks, findings and matchers, and a real sandbox. */
export { expectFindings, matchers, synthesized } from '../constructs/testing/index.js';
export type {
  CastellanMatchers,
  DeclaredProperties,
  MatcherResult,
  TerraformJson,
} from '../constructs/testing/index.js';
export { Sandbox } from '../sandbox/testing/sandbox.js';
export type {
  ActingClients,
  CommandResult,
  SandboxOptions,
  TestClock,
  TestFaults,
  TestRecording,
} from '../sandbox/testing/sandbox.js';
export type { Fault, FaultKind, FaultPlan, FaultService } from '../sandbox/faults/fault.js';
export type { FaultsStatus } from '../sandbox/faults/injector.js';
export type { BrowserFetch } from '../sandbox/testing/browser.js';
