import { accessRules } from '../access-rules/index.js';
import { cataloguedAccess } from '../engine/access-rule.js';
import { accessTest } from './access-test.js';
import { cataloguedLive } from '../engine/live-rule.js';
import { catalogued } from '../engine/plan-rule.js';
import type { Rule } from '../engine/rule.js';
import { liveItemRules, liveRules } from '../live-rules/index.js';
import { planRules } from '../plan-rules/index.js';
import { appCors } from './app-cors.js';
import { appCpuMemory } from './app-cpu-memory.js';
import { appEnvironment } from './app-environment.js';
import { appImagePinned } from './app-image-pinned.js';
import { appIngressPort } from './app-ingress-port.js';
import { appIpRestrictions } from './app-ip-restrictions.js';
import { appName } from './app-name.js';
import { appNameUnique } from './app-name-unique.js';
import { appProbes } from './app-probes.js';
import { appRegistry } from './app-registry.js';
import { appReplicas } from './app-replicas.js';
import { appSecretReferences } from './app-secret-references.js';
import { appSecretInEnv } from './app-secret-in-env.js';
import { appTraffic } from './app-traffic.js';
import { authAccessAction } from './auth-access-action.js';
import { authAllowInsecure } from './auth-allow-insecure.js';
import { authAllowedGroups } from './auth-allowed-groups.js';
import { authAllowedPrincipals } from './auth-allowed-principals.js';
import { authDirectoryProvider } from './auth-directory-provider.js';
import { authExcludedPaths } from './auth-excluded-paths.js';
import { authExternalIngress } from './auth-external-ingress.js';
import { authExternalRedirects } from './auth-external-redirects.js';
import { authForwardProxy } from './auth-forward-proxy.js';
import { authNonce } from './auth-nonce.js';
import { authOpenIdProvider } from './auth-open-id-provider.js';
import { authPersonalProvider } from './auth-personal-provider.js';
import { authPersonalScope } from './auth-personal-scope.js';
import { authPublicApp } from './auth-public-app.js';
import { authRedirectTarget } from './auth-redirect-target.js';
import { authRegistrationAgrees } from './auth-registration-agrees.js';
import { authRoleAssignableGroup } from './auth-role-assignable-group.js';
import { authSessionTimes } from './auth-session-times.js';
import { authSharedState } from './auth-shared-state.js';
import { baselineStale } from './baseline-stale.js';
import { changeDeletes } from './change-deletes.js';
import { changeImmutable } from './change-immutable.js';
import { changeReplaces } from './change-replaces.js';
import { changeThemeRemoved } from './change-theme-removed.js';
import { eventhouseConsumptionUnits } from './eventhouse-consumption-units.js';
import { eventhouseDefinitionConflict } from './eventhouse-definition-conflict.js';
import { eventstreamDefinition } from './eventstream-definition.js';
import { eventstreamDefinitionFile } from './eventstream-definition-file.js';
import { eventstreamDestination } from './eventstream-destination.js';
import { eventstreamNodeType } from './eventstream-node-type.js';
import { groupDataLocation } from './group-data-location.js';
import { groupDisplayName } from './group-display-name.js';
import { groupDynamicMembers } from './group-dynamic-members.js';
import { groupDynamicRule } from './group-dynamic-rule.js';
import { groupKind } from './group-kind.js';
import { groupLabels } from './group-labels.js';
import { groupLicenses } from './group-licenses.js';
import { groupLifecycle } from './group-lifecycle.js';
import { groupMailNickname } from './group-mail-nickname.js';
import { groupMailNicknameUnique } from './group-mail-nickname-unique.js';
import { groupMemberKind } from './group-member-kind.js';
import { groupMembersElsewhere } from './group-members-elsewhere.js';
import { groupMembershipCycle } from './group-membership-cycle.js';
import { groupOutsideStore } from './group-outside-store.js';
import { groupOwnerKind } from './group-owner-kind.js';
import { groupOwnersLimit } from './group-owners-limit.js';
import { groupPreferredLanguage } from './group-preferred-language.js';
import { groupProcessingState } from './group-processing-state.js';
import { groupRoleAssignable } from './group-role-assignable.js';
import { groupSenders } from './group-senders.js';
import { groupSettings } from './group-settings.js';
import { groupTheme } from './group-theme.js';
import { groupTwoOwners } from './group-two-owners.js';
import { groupUnifiedOnly } from './group-unified-only.js';
import { groupUniqueName } from './group-unique-name.js';
import { groupVisibility } from './group-visibility.js';
import { itemDefinitionParts } from './item-definition-parts.js';
import { itemDescription } from './item-description.js';
import { itemDisplayName } from './item-display-name.js';
import { itemLabelStrategy } from './item-label-strategy.js';
import { itemNameUnique } from './item-name-unique.js';
import { packFailed } from './pack-failed.js';
import { policyRule } from './policy-rule.js';
import { principalKind } from './principal-kind.js';
import { principalLookup } from './principal-lookup.js';
import { principalTwice } from './principal-twice.js';
import { propertyReadOnly } from './property-read-only.js';
import { propertyRequired } from './property-required.js';
import { propertyType } from './property-type.js';
import { propertyUnknown } from './property-unknown.js';
import { propertyValue } from './property-value.js';
import { referenceExists } from './reference-exists.js';
import { registrationLeastPrivilege } from './registration-least-privilege.js';
import { registrationOwners } from './registration-owners.js';
import { registrationDisplayName } from './registration-display-name.js';
import { registrationRedirectUris } from './registration-redirect-uris.js';
import { registrationRedirectWildcard } from './registration-redirect-wildcard.js';
import { registrationRoles } from './registration-roles.js';
import { registrationSecretExpiry } from './registration-secret-expiry.js';
import { registrationUrls } from './registration-urls.js';
import { secretLiteral } from './secret-literal.js';
import { suppressionExpired } from './suppression-expired.js';
import { suppressionIncomplete } from './suppression-incomplete.js';
import { suppressionUnused } from './suppression-unused.js';
import { workspaceCapacity } from './workspace-capacity.js';
import { workspaceItemsLimit } from './workspace-items-limit.js';
import { workspaceName } from './workspace-name.js';
import { workspaceNameUnique } from './workspace-name-unique.js';
import { workspaceRoles } from './workspace-roles.js';

/** Every rule of the catalogue: those about what is declared, then those about what a plan would do, then those about what lives. */
export const rules = [
  accessTest,
  appCors,
  appCpuMemory,
  appEnvironment,
  appImagePinned,
  appIngressPort,
  appIpRestrictions,
  appName,
  appNameUnique,
  appProbes,
  appRegistry,
  appReplicas,
  appSecretInEnv,
  appSecretReferences,
  appTraffic,
  authAccessAction,
  authAllowInsecure,
  authAllowedGroups,
  authAllowedPrincipals,
  authDirectoryProvider,
  authExcludedPaths,
  authExternalIngress,
  authExternalRedirects,
  authForwardProxy,
  authNonce,
  authOpenIdProvider,
  authPersonalProvider,
  authPersonalScope,
  authPublicApp,
  authRedirectTarget,
  authRegistrationAgrees,
  authRoleAssignableGroup,
  authSessionTimes,
  authSharedState,
  baselineStale,
  changeDeletes,
  changeImmutable,
  changeReplaces,
  changeThemeRemoved,
  eventhouseConsumptionUnits,
  eventhouseDefinitionConflict,
  eventstreamDefinition,
  eventstreamDefinitionFile,
  eventstreamDestination,
  eventstreamNodeType,
  groupDataLocation,
  groupDisplayName,
  groupDynamicMembers,
  groupDynamicRule,
  groupKind,
  groupLabels,
  groupLicenses,
  groupLifecycle,
  groupMailNickname,
  groupMailNicknameUnique,
  groupMemberKind,
  groupMembersElsewhere,
  groupMembershipCycle,
  groupOutsideStore,
  groupOwnerKind,
  groupOwnersLimit,
  groupPreferredLanguage,
  groupProcessingState,
  groupRoleAssignable,
  groupSenders,
  groupSettings,
  groupTheme,
  groupTwoOwners,
  groupUnifiedOnly,
  groupUniqueName,
  groupVisibility,
  itemDefinitionParts,
  itemDescription,
  itemDisplayName,
  itemLabelStrategy,
  itemNameUnique,
  packFailed,
  policyRule,
  principalKind,
  principalLookup,
  principalTwice,
  propertyReadOnly,
  propertyRequired,
  propertyType,
  propertyUnknown,
  propertyValue,
  referenceExists,
  registrationLeastPrivilege,
  registrationOwners,
  registrationDisplayName,
  registrationRedirectUris,
  registrationRedirectWildcard,
  registrationRoles,
  registrationSecretExpiry,
  registrationUrls,
  secretLiteral,
  suppressionExpired,
  suppressionIncomplete,
  suppressionUnused,
  workspaceCapacity,
  workspaceItemsLimit,
  workspaceName,
  workspaceNameUnique,
  workspaceRoles,
  ...accessRules.map(cataloguedAccess),
  ...planRules.map(catalogued),
  ...[...liveRules, ...liveItemRules].map(cataloguedLive),
] as unknown as readonly Rule[];
