import type { AppRole, KeyCredential, PasswordCredential, PermissionScope } from './application.js';
import type { DirectoryObject } from './directory-object.js';

/** An application's presence in a tenant. */
export interface ServicePrincipal extends DirectoryObject {
  readonly appId: string;
  readonly displayName: string;
  readonly accountEnabled?: boolean;
  readonly alternativeNames?: readonly string[];
  readonly appOwnerOrganizationId?: string | null;
  readonly appRoleAssignmentRequired?: boolean;
  readonly appRoles?: readonly AppRole[];
  readonly description?: string | null;
  readonly homepage?: string | null;
  readonly keyCredentials?: readonly KeyCredential[];
  readonly loginUrl?: string | null;
  readonly logoutUrl?: string | null;
  readonly notes?: string | null;
  readonly notificationEmailAddresses?: readonly string[];
  readonly oauth2PermissionScopes?: readonly PermissionScope[];
  readonly passwordCredentials?: readonly PasswordCredential[];
  readonly preferredSingleSignOnMode?: string | null;
  readonly replyUrls?: readonly string[];
  readonly samlMetadataUrl?: string | null;
  readonly samlSingleSignOnSettings?: { readonly relayState?: string | null } | null;
  readonly servicePrincipalNames?: readonly string[];
  readonly servicePrincipalType?: string;
  readonly signInAudience?: string | null;
  readonly tags?: readonly string[];
}

/** What creating a service principal takes. */
export type ServicePrincipalDraft = Partial<ServicePrincipal> &
  Pick<ServicePrincipal, 'appId'> & { readonly 'owners@odata.bind'?: readonly string[] };

/** A role of an application, given to a principal. The role id of all zeros is default access. */
export interface AppRoleAssignment {
  readonly id: string;
  readonly appRoleId: string;
  readonly principalId: string;
  readonly resourceId: string;
  readonly principalDisplayName?: string | null;
  readonly principalType?: string;
  readonly resourceDisplayName?: string | null;
  readonly createdDateTime?: string;
}

/** Delegated permissions that are granted for everybody or for one person. */
export interface OAuth2PermissionGrant {
  readonly id: string;
  readonly clientId: string;
  readonly resourceId: string;
  readonly consentType: 'AllPrincipals' | 'Principal';
  readonly principalId?: string | null;
  /** Separated by blanks. */
  readonly scope: string;
}

/** A policy that maps claims; `definition` holds one JSON text. */
export interface ClaimsMappingPolicy {
  readonly id: string;
  readonly displayName: string;
  readonly definition: readonly string[];
  readonly isOrganizationDefault?: boolean;
}
