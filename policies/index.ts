export { CastellanError, isCastellanError } from '../core/errors/castellan-error.js';
export type { ErrorCode } from '../core/errors/catalogue.js';
export type { Finding, Fix, Severity, SourceLocation, Verdict } from '../core/findings/finding.js';
export type { DeclarationOptions } from './check/check-declaration.js';
export { checkDeclaration } from './check/check-declaration.js';
export type { CheckOptions } from './check/check-stack.js';
export { checkStack } from './check/check-stack.js';
export type {
  OptionsSchema,
  ReportDescriptor,
  ResourceContext,
  Rule,
  RuleContext,
  ReportedMistakes,
} from './engine/rule.js';
export { defineRule } from './engine/rule.js';
export type { ResourceRule } from './engine/resource-rule.js';
export type { AttributeSource, TerraformResource } from './engine/terraform-resource.js';
export { defineResourceRule } from './engine/resource-rule.js';
export type { RunCheckOptions } from './check/run-check.js';
export { exitCodeOf, runCheck } from './check/run-check.js';
export type {
  Declaration,
  MemberKind,
  Origin,
  Reference,
  SectionProps,
} from './engine/stack-index.js';
export { StackIndex } from './engine/stack-index.js';
export type { LoadOptions, LoadResult, SkippedPath } from './model/load-config.js';
export type { LoadedStack } from './model/loaded-stack.js';
export { loadConfig } from './model/load-config.js';
export { rules } from './rules/index.js';
export type {
  AnyEventstreamNode,
  AuthProps,
  AzureProps,
  BackendProps,
  ContainerAppDeclaration,
  Declared,
  DeepReadonly,
  DirectoryProviderProps,
  EnvironmentProps as ContainerAppEnvironmentDeclaration,
  EventhouseDeclaration,
  EventstreamDeclaration,
  EventstreamDefinitionProps,
  GroupDeclaration,
  GroupLifecyclePolicyDeclaration,
  Kind,
  Mistake,
  OpenIdConnectProviderProps,
  PrincipalDeclaration,
  PrincipalKind,
  ReferenceKind,
  RegistrationProps as RegistrationDeclaration,
  SecretReference,
  Section,
  StackConfig,
  StackSandboxProps,
  WorkspaceDeclaration,
} from '../kinds/index.js';
export type {
  CaseSubject,
  InvalidCase,
  RuleCases,
  TestResource,
  TestRunner,
  ValidCase,
} from './testing/rule-tester.js';
export { RuleTester } from './testing/rule-tester.js';
