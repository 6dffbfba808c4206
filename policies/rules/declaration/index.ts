/** The rules about declarations. */
export { appCors } from './app-cors.js';
export { appContainerName } from './app-container-name.js';
export { appCpuMemory } from './app-cpu-memory.js';
export { appCustomDomain } from './app-custom-domain.js';
export { appEnvironment } from './app-environment.js';
export { appImagePinned } from './app-image-pinned.js';
export { appIngressPort } from './app-ingress-port.js';
export { appIpRestrictions } from './app-ip-restrictions.js';
export { appName } from './app-name.js';
export { appProbes } from './app-probes.js';
export { appRegistry } from './app-registry.js';
export { appReplicas } from './app-replicas.js';
export { appSecretInEnv } from './app-secret-in-env.js';
export { appSecretReferences } from './app-secret-references.js';
export { appTraffic } from './app-traffic.js';
export { appWorkloadProfile } from './app-workload-profile.js';
export { authAccessAction } from './auth-access-action.js';
export { authAllowInsecure } from './auth-allow-insecure.js';
export { authAllowedGroups } from './auth-allowed-groups.js';
export { authAllowedPrincipals } from './auth-allowed-principals.js';
export { authDirectoryProvider } from './auth-directory-provider.js';
export { authCloudLayer } from './auth-cloud-layer.js';
export { authEveryoneInTenant } from './auth-everyone-in-tenant.js';
export { authExcludedEverything } from './auth-excluded-everything.js';
export { authExcludedPaths } from './auth-excluded-paths.js';
export { authExternalIngress } from './auth-external-ingress.js';
export { authExternalRedirects } from './auth-external-redirects.js';
export { authForwardProxy } from './auth-forward-proxy.js';
export { authNonce } from './auth-nonce.js';
export { authOpenIdProvider } from './auth-open-id-provider.js';
export { authRequirements } from './auth-requirements.js';
export { authOpenProvider } from './auth-open-provider.js';
export { authPersonalProvider } from './auth-personal-provider.js';
export { authPersonalScope } from './auth-personal-scope.js';
export { authPublicApp } from './auth-public-app.js';
export { authRedirectTarget } from './auth-redirect-target.js';
export { authRegistrationAgrees } from './auth-registration-agrees.js';
export { authRoleAssignableGroup } from './auth-role-assignable-group.js';
export { authSessionTimes } from './auth-session-times.js';
export { authSharedState } from './auth-shared-state.js';
export { changeDeletes } from './change-deletes.js';
export { changeImmutable } from './change-immutable.js';
export { changeMembershipRule } from './change-membership-rule.js';
export { changeReplaces } from './change-replaces.js';
export { changeThemeRemoved } from './change-theme-removed.js';
export { environmentName } from './environment-name.js';
export { environmentNetwork } from './environment-network.js';
export { eventhouseConsumptionUnits } from './eventhouse-consumption-units.js';
export { eventhouseDefinitionConflict } from './eventhouse-definition-conflict.js';
export { eventstreamDefinition } from './eventstream-definition.js';
export { eventstreamDefinitionFile } from './eventstream-definition-file.js';
export { eventstreamDestination } from './eventstream-destination.js';
export { eventstreamNodeType } from './eventstream-node-type.js';
export { groupDataLocation } from './group-data-location.js';
export { groupDynamicMembers } from './group-dynamic-members.js';
export { groupDynamicRule } from './group-dynamic-rule.js';
export { groupKind } from './group-kind.js';
export { groupLabels } from './group-labels.js';
export { groupLicenses } from './group-licenses.js';
export { groupLifecycle } from './group-lifecycle.js';
export { groupMailNickname } from './group-mail-nickname.js';
export { groupMemberKind } from './group-member-kind.js';
export { groupMembersElsewhere } from './group-members-elsewhere.js';
export { groupMembershipCycle } from './group-membership-cycle.js';
export { groupOutsideStore } from './group-outside-store.js';
export { groupOwnerKind } from './group-owner-kind.js';
export { groupOwnersLimit } from './group-owners-limit.js';
export { groupRoleAssignable } from './group-role-assignable.js';
export { groupRuleAlways } from './group-rule-always.js';
export { groupRuleClauseWithoutEffect } from './group-rule-clause-without-effect.js';
export { groupRuleNever } from './group-rule-never.js';
export { groupRuleOverlaps } from './group-rule-overlaps.js';
export { groupSenders } from './group-senders.js';
export { groupSettings } from './group-settings.js';
export { groupTwoOwners } from './group-two-owners.js';
export { groupUnifiedOnly } from './group-unified-only.js';
export { groupUniqueName } from './group-unique-name.js';
export { groupVisibility } from './group-visibility.js';
export { itemDefinitionParts } from './item-definition-parts.js';
export { principalKind } from './principal-kind.js';
export { principalLookup } from './principal-lookup.js';
export { referenceExists } from './reference-exists.js';
export { registrationDisplayName } from './registration-display-name.js';
export { registrationLeastPrivilege } from './registration-least-privilege.js';
export { registrationOwners } from './registration-owners.js';
export { registrationRedirectUris } from './registration-redirect-uris.js';
export { registrationRedirectWildcard } from './registration-redirect-wildcard.js';
export { registrationRoles } from './registration-roles.js';
export { registrationSecretExpiry } from './registration-secret-expiry.js';
export {
  propertyReadOnly,
  propertyRequired,
  propertyType,
  propertyUnknown,
  propertyValue,
  secretLiteral,
} from './schema-rules.js';
export {
  appDomainUnique,
  appNameUnique,
  groupMailNicknameUnique,
  itemNameUnique,
  principalTwice,
  workspaceNameUnique,
} from './unique-names.js';
export {
  groupDisplayName,
  groupPreferredLanguage,
  groupProcessingState,
  groupTheme,
  itemDescription,
  itemDisplayName,
  itemLabelStrategy,
  registrationUrls,
  workspaceName,
} from './value-limits.js';
export { workspaceCapacity } from './workspace-capacity.js';
export { workspaceItemsLimit } from './workspace-items-limit.js';
export { workspaceRoles } from './workspace-roles.js';
