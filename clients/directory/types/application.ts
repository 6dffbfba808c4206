import type { ApplicationProperties, ServicePrincipalProperties } from '../../generated/objects.js';
import type { DirectoryObject } from './directory-object.js';

/** A role of an application, which can be assigned to people, groups and other applications. */
export interface AppRole {
  readonly id: string;
  readonly allowedMemberTypes: readonly string[];
  readonly description?: string | null;
  readonly displayName?: string | null;
  readonly isEnabled: boolean;
  readonly value?: string | null;
}

/** A delegated permission that an application offers. */
export interface PermissionScope {
  readonly id: string;
  readonly adminConsentDescription?: string | null;
  readonly adminConsentDisplayName?: string | null;
  readonly isEnabled: boolean;
  readonly type?: string;
  readonly userConsentDescription?: string | null;
  readonly userConsentDisplayName?: string | null;
  readonly value?: string | null;
}

/** A client secret; only the answer that creates it contains `secretText`. */
export interface PasswordCredential {
  readonly keyId: string;
  readonly displayName?: string | null;
  readonly startDateTime?: string | null;
  readonly endDateTime?: string | null;
  readonly hint?: string | null;
  readonly secretText?: string | null;
  readonly customKeyIdentifier?: string | null;
}

/** A certificate; reads return null for `key`. */
export interface KeyCredential {
  readonly keyId: string;
  readonly type?: string;
  readonly usage?: string;
  readonly key?: string | null;
  readonly displayName?: string | null;
  readonly startDateTime?: string | null;
  readonly endDateTime?: string | null;
  readonly customKeyIdentifier?: string | null;
}

/** An application registration. */
export interface Application extends DirectoryObject, ApplicationProperties {
  readonly appId: string;
  readonly displayName: string;
  readonly appRoles?: readonly AppRole[];
  readonly requiredResourceAccess?: readonly {
    readonly resourceAppId: string;
    readonly resourceAccess: readonly { readonly id: string; readonly type: 'Role' | 'Scope' }[];
  }[];
  readonly passwordCredentials?: readonly PasswordCredential[];
  readonly keyCredentials?: readonly KeyCredential[];
  readonly optionalClaims?: OptionalClaims | null;
  readonly api?: {
    readonly acceptMappedClaims?: boolean | null;
    readonly knownClientApplications?: readonly string[];
    readonly oauth2PermissionScopes?: readonly PermissionScope[];
    readonly preAuthorizedApplications?: readonly {
      readonly appId: string;
      readonly delegatedPermissionIds: readonly string[];
    }[];
    readonly requestedAccessTokenVersion?: number | null;
  };
  readonly web?: {
    readonly homePageUrl?: string | null;
    readonly logoutUrl?: string | null;
    readonly redirectUris?: readonly string[];
    readonly implicitGrantSettings?: {
      readonly enableAccessTokenIssuance?: boolean;
      readonly enableIdTokenIssuance?: boolean;
    };
  };
  readonly spa?: { readonly redirectUris?: readonly string[] };
  readonly publicClient?: { readonly redirectUris?: readonly string[] };
  readonly info?: {
    readonly logoUrl?: string | null;
    readonly marketingUrl?: string | null;
    readonly privacyStatementUrl?: string | null;
    readonly supportUrl?: string | null;
    readonly termsOfServiceUrl?: string | null;
  };
}

/** Additional claims in tokens. */
export interface OptionalClaims {
  readonly accessToken?: readonly OptionalClaim[];
  readonly idToken?: readonly OptionalClaim[];
  readonly saml2Token?: readonly OptionalClaim[];
}

/** One optional claim. */
export interface OptionalClaim {
  readonly name: string;
  readonly source?: string | null;
  readonly essential?: boolean;
  readonly additionalProperties?: readonly string[];
}

/** The properties of a new application. */
export type ApplicationDraft = Partial<Application> &
  Pick<Application, 'displayName'> & { readonly 'owners@odata.bind'?: readonly string[] };

/** A federated identity: a token of another issuer that is accepted in place of a secret. */
export interface FederatedIdentityCredential {
  readonly id: string;
  readonly name: string;
  readonly issuer: string;
  readonly subject?: string | null;
  readonly audiences: readonly string[];
  readonly description?: string | null;
  readonly claimsMatchingExpression?: {
    readonly value: string;
    readonly languageVersion: number;
  } | null;
}

/** The representation of an application in a tenant. */
export interface ServicePrincipal extends DirectoryObject, ServicePrincipalProperties {
  readonly appId: string;
  readonly displayName: string;
  readonly appRoles?: readonly AppRole[];
  readonly keyCredentials?: readonly KeyCredential[];
  readonly oauth2PermissionScopes?: readonly PermissionScope[];
  readonly passwordCredentials?: readonly PasswordCredential[];
  readonly samlSingleSignOnSettings?: { readonly relayState?: string | null } | null;
}

/** The properties of a new service principal. */
export type ServicePrincipalDraft = Partial<ServicePrincipal> &
  Pick<ServicePrincipal, 'appId'> & { readonly 'owners@odata.bind'?: readonly string[] };

/**
 * A role of an application, assigned to a principal. The role id of all zeros is default access.
 */
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

/** Delegated permissions that are granted for everyone or for one person. */
export interface OAuth2PermissionGrant {
  readonly id: string;
  readonly clientId: string;
  readonly resourceId: string;
  readonly consentType: 'AllPrincipals' | 'Principal';
  readonly principalId?: string | null;
  /** Separated by spaces. */
  readonly scope: string;
}

/** A policy that maps claims; `definition` holds one JSON text. */
export interface ClaimsMappingPolicy {
  readonly id: string;
  readonly displayName: string;
  readonly definition: readonly string[];
  readonly isOrganizationDefault?: boolean;
}
