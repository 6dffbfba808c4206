export type { AuthProps } from './auth/auth.js';
export { auth } from './auth/auth.js';
export { builtInProviders } from './auth/provider-names.js';
export type { DirectoryProviderProps, OpenIdConnectProviderProps } from './auth/providers.js';
export type { BackendProps } from './stack/backend.js';
export { backendSchema } from './stack/backend.js';
export type { ContainerAppProps as ContainerAppDeclaration } from './container-app/container-app.js';
export { containerApp } from './container-app/container-app.js';
export type { EnvironmentProps } from './container-app/environment.js';
export { containerAppEnvironment } from './container-app/environment.js';
export type { EventhouseProps as EventhouseDeclaration } from './eventhouse/eventhouse.js';
export { eventhouse } from './eventhouse/eventhouse.js';
export type {
  EventstreamDefinitionProps,
  EventstreamNode as AnyEventstreamNode,
  EventstreamProps as EventstreamDeclaration,
} from './eventstream/eventstream.js';
export { eventstream, eventstreamDefinitionSchema } from './eventstream/eventstream.js';
export type { GroupProps as GroupDeclaration } from './group/group.js';
export { group } from './group/group.js';
export type { GroupLifecyclePolicyProps as GroupLifecyclePolicyDeclaration } from './group/lifecycle-policy.js';
export { groupLifecyclePolicy } from './group/lifecycle-policy.js';
export type {
  PrincipalKind,
  PrincipalProps as PrincipalDeclaration,
} from './principal/principal.js';
export { principal, principalKinds } from './principal/principal.js';
export type { RegistrationProps } from './registration/registration.js';
export { registration } from './registration/registration.js';
export type { Kind } from './schema/kind.js';
export { kind } from './schema/kind.js';
export type { Mistake } from './schema/find-mistake.js';
export { mistakeIn } from './schema/find-mistake.js';
export type { SecretReference } from './schema/secret.js';
export { secretReference, secretReferencePattern } from './schema/secret.js';
export type {
  DeclarationOf as Declared,
  DeepReadonly,
  ReferenceKind,
} from './schema/schema-builders.js';
export type { AzureProps } from './stack/azure.js';
export type { Section, StackConfig, StackSandboxProps } from './stack/schema.js';
export { sections, stackSchema } from './stack/schema.js';
export type { WorkspaceProps as WorkspaceDeclaration } from './workspace/workspace.js';
export { workspace } from './workspace/workspace.js';
export { editorSchema } from './stack/editor-schema.js';
