export { CastellanError, isCastellanError } from '../core/errors/castellan-error.js';
export type { ErrorCode } from '../core/errors/catalogue.js';
export type {
  AuthProviders,
  AuthRequirement,
  AuthSettings,
  DirectoryProvider,
} from './container-app/auth-settings.js';
export { ContainerApp } from './container-app/container-app.js';
export type { ContainerAppProps } from './container-app/container-app.js';
export type { CustomDomainOptions } from './container-app/custom-domain.js';
export { Duration, Memory } from './container-app/memory-and-duration.js';
export type { MemorySize, TimeSpan } from './container-app/memory-and-duration.js';
export type { AdditionalContainer } from './container-app/template.js';
export { ContainerAppEnvironment } from './container-app/environment.js';
export type { ContainerAppEnvironmentProps } from './container-app/environment.js';
export type {
  ContainerAppEnvironmentAttributes,
  IContainerAppEnvironment,
} from './container-app/existing-environment.js';
export type {
  GroupProps,
  MemberReference,
  OwnerReference,
  SecurityGroupProps,
  UnifiedGroupProps,
} from './directory/group.js';
export { GroupLifecyclePolicy } from './directory/group-lifecycle-policy.js';
export type { GroupLifecyclePolicyProps } from './directory/group-lifecycle-policy.js';
export { Group } from './directory/group.js';
export { Contact, Device, ServicePrincipal, User } from './directory/principals.js';
export type { GroupLookupOptions } from './directory/principals.js';
export type { IGroup, IPrincipal, PrincipalType } from './directory/references.js';
export { SecurityGroup } from './directory/security-group.js';
export { UnifiedGroup } from './directory/unified-group.js';
export type {
  EventstreamDestination,
  EventstreamGraph,
  EventstreamNode,
} from './items/eventstream-graph.js';
export { Eventhouse } from './items/eventhouse.js';
export type { EventhouseProps, IEventhouse, ItemAttributes } from './items/eventhouse.js';
export { Eventstream } from './items/eventstream.js';
export type { EventstreamDefinition, EventstreamProps } from './items/eventstream.js';
export { EventstreamFlow } from './items/eventstream-flow.js';
export type { AddNode, WithoutInputs } from './items/eventstream-flow.js';
export type { OtherNode, OtherNodeType } from './items/other-node.js';
export { otherNodeType } from './items/other-node.js';
export { Workspace } from './items/workspace.js';
export type {
  IWorkspace,
  WorkspaceProps,
  WorkspaceReference,
  WorkspaceRole,
  WorkspaceRoleName,
} from './items/workspace.js';
export type {
  EventstreamOperator,
  EventstreamSource,
  EventstreamStream,
} from './generated/props.js';
export {
  Registration,
  /** The former name of {@link Registration}. */
  Registration as ProviderRegistration,
} from './identity/registration.js';
export type {
  ApiScope,
  AppRole,
  RegistrationProps,
  RegistrationProps as ProviderRegistrationProps,
} from './identity/application.js';
export type { IRegistration } from './identity/registration.js';
export { CastellanConstruct, withLocation } from './internal/castellan-construct.js';
export type { Declaration as ConstructDeclaration } from './internal/castellan-construct.js';
export { CloudSettings } from './internal/cloud-settings.js';
export type {
  CloudSettingsProps,
  IResourceGroup,
  ResourceGroupReference,
  SandboxSettings,
} from './internal/cloud-settings.js';
export type { MetaArguments } from './internal/meta-arguments.js';
export { Secret } from './internal/secret.js';
export { AzapiProvider, AzapiResource } from './internal/azapi.js';
export type { AzapiProviderConfig, AzapiResourceConfig } from './internal/azapi.js';
export { CastellanProvider } from './generated/lib/castellan/provider.js';
export type { CastellanProviderConfig } from './generated/lib/castellan/provider.js';
export { FabricProvider } from './generated/lib/fabric/provider.js';
export type { FabricProviderConfig } from './generated/lib/fabric/provider.js';
export { GenericData, GenericResource } from './internal/generic-resource.js';
export { PlainProvider, PlainResource } from './internal/plain-resource.js';
export type { Attributes, ProviderOrigin } from './internal/plain-resource.js';
export { App, Token } from './internal/cdktf.js';
export { SectionScope } from './internal/section-scope.js';
export { FastStack } from './internal/fast-synthesis/fast-stack.js';
export { CastellanStack } from './stack/castellan-stack.js';
export type { CastellanStackProps } from './stack/castellan-stack.js';
export type { CheckTreeOptions } from './stack/check-tree.js';
export { declarationsOf } from './stack/declarations.js';
export { checkTree } from './stack/check-tree.js';
export { PolicyChecks } from './stack/policy-checks.js';
export { Suppressions } from './stack/suppressions.js';
export type { SuppressionProps } from './stack/suppressions.js';
