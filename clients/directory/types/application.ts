import type { ApplicationProperties, ServicePrincipalProperties } from '../../generated/objects.js';
import type { DirectoryObject } from './directory-object.js';

/** A role of an application, which can be assigned to people, groups and other applications. */
export interface AppRole {
  readonly id: string;
  /** Who may have the role: `User` (people and groups), `Application`, or both. */
  readonly allowedMemberTypes: readonly string[];
  readonly description?: string | null;
  readonly displayName?: string | null;
  readonly isEnabled: boolean;
  /** The word in the `roles` claim of tokens. */
  readonly value?: string | null;
}

/** A delegated permission that an application offers. */
export interface PermissionScope {
  readonly id: string;
  readonly adminConsentDescription?: string | null;
  readonly adminConsentDisplayName?: string | null;
  readonly isEnabled: boolean;
  /** Who may consent: `User` (everyone) or `Admin` (administrators only). */
  readonly type?: string;
  readonly userConsentDescription?: string | null;
  readonly userConsentDisplayName?: string | null;
  /** The word in the `scp` claim of tokens. */
  readonly value?: string | null;
}

/** A client secret; only the answer that creates it contains `secretText`. */
export interface PasswordCredential {
  readonly keyId: string;
  readonly displayName?: string | null;
  readonly startDateTime?: string | null;
  readonly endDateTime?: string | null;
  /** The first three characters of the secret. */
  readonly hint?: string | null;
  readonly secretText?: string | null;
  /** Any text of whoever created it; null without one. */
  readonly customKeyIdentifier?: string | null;
}

/** A certificate of an application or a service principal. */
export interface KeyCredential {
  readonly keyId: string;
  /** `AsymmetricX509Cert`, or `X509CertAndPassword` for one that signs. */
  readonly type?: string;
  /** `Verify` or `Sign`. */
  readonly usage?: string;
  /** In base64; reads that do not select `keyCredentials` of one object return null. */
  readonly key?: string | null;
  readonly displayName?: string | null;
  readonly startDateTime?: string | null;
  readonly endDateTime?: string | null;
  /** The SHA-1 hash of the certificate in base64. */
  readonly customKeyIdentifier?: string | null;
}

/** An application registration. */
export interface Application extends DirectoryObject, ApplicationProperties {
  /** The client id, by which it signs in; `id` is that of the object. */
  readonly appId: string;
  readonly displayName: string;
  /** The roles that it defines, not those that it has. */
  readonly appRoles?: readonly AppRole[];
  /** The permissions that it asks of APIs. */
  readonly requiredResourceAccess?: readonly {
    /** The client id of the API. */
    readonly resourceAppId: string;
    readonly resourceAccess: readonly {
      /** The id of an app role or of a permission scope of the API. */
      readonly id: string;
      /** `Role` is a permission of the application itself, `Scope` a delegated one. */
      readonly type: 'Role' | 'Scope';
    }[];
  }[];
  readonly passwordCredentials?: readonly PasswordCredential[];
  readonly keyCredentials?: readonly KeyCredential[];
  readonly optionalClaims?: OptionalClaims | null;
  readonly api?: {
    readonly acceptMappedClaims?: boolean | null;
    readonly knownClientApplications?: readonly string[];
    readonly oauth2PermissionScopes?: readonly PermissionScope[];
    /** The clients for which nobody is asked to consent. */
    readonly preAuthorizedApplications?: readonly {
      /** The client id of the client. */
      readonly appId: string;
      /** The ids of those `oauth2PermissionScopes` that the client gets. */
      readonly delegatedPermissionIds: readonly string[];
    }[];
    /** The version of access tokens that the API accepts, 1 or 2; null means 1. */
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
  /** `user` for an extension property of the person; null for a predefined claim. */
  readonly source?: string | null;
  /** Whether the application needs the claim; it may be absent all the same. */
  readonly essential?: boolean;
  /** How the claim is written, such as `emit_as_roles` for `groups`. */
  readonly additionalProperties?: readonly string[];
}

/** The properties of a new application. */
export type ApplicationDraft = Partial<Application> &
  Pick<Application, 'displayName'> & { readonly 'owners@odata.bind'?: readonly string[] };

/** A federated identity: a token of another issuer that is accepted in place of a secret. */
export interface FederatedIdentityCredential {
  readonly id: string;
  readonly name: string;
  /** The `iss` claim of accepted tokens. */
  readonly issuer: string;
  /** Their `sub` claim; null where `claimsMatchingExpression` stands in its place. */
  readonly subject?: string | null;
  /** Their `aud` claim is one of these. */
  readonly audiences: readonly string[];
  readonly description?: string | null;
  /** A condition on the claims of accepted tokens, in place of `subject`. */
  readonly claimsMatchingExpression?: {
    readonly value: string;
    readonly languageVersion: number;
  } | null;
}

/** The representation of an application in a tenant. */
export interface ServicePrincipal extends DirectoryObject, ServicePrincipalProperties {
  /** The client id of the application; `id` is that of this object. */
  readonly appId: string;
  readonly displayName: string;
  /** The roles that the application defines, not those that it has. */
  readonly appRoles?: readonly AppRole[];
  readonly keyCredentials?: readonly KeyCredential[];
  /** The delegated permissions that the application offers. */
  readonly oauth2PermissionScopes?: readonly PermissionScope[];
  readonly passwordCredentials?: readonly PasswordCredential[];
  readonly samlSingleSignOnSettings?: {
    /** The relative URI to which the application redirects after a sign-in. */
    readonly relayState?: string | null;
  } | null;
}

/** The properties of a new service principal. */
export type ServicePrincipalDraft = Partial<ServicePrincipal> &
  Pick<ServicePrincipal, 'appId'> & { readonly 'owners@odata.bind'?: readonly string[] };

/**
 * A role of an application, assigned to a principal. The role id of all zeros is default access.
 */
export interface AppRoleAssignment {
  readonly id: string;
  /** The id of one of the `appRoles` of the resource. */
  readonly appRoleId: string;
  /** The object id of the user, group or service principal that has the role. */
  readonly principalId: string;
  /** The object id of the service principal whose role it is. */
  readonly resourceId: string;
  readonly principalDisplayName?: string | null;
  /** `User`, `Group` or `ServicePrincipal`. */
  readonly principalType?: string;
  readonly resourceDisplayName?: string | null;
  readonly createdDateTime?: string;
}

/** Delegated permissions that are granted for everyone or for one person. */
export interface OAuth2PermissionGrant {
  readonly id: string;
  /** The object id of the client's service principal, not its `appId`. */
  readonly clientId: string;
  /** The object id of the API's service principal. */
  readonly resourceId: string;
  /** `AllPrincipals`: for everyone; `Principal`: for the user of `principalId`. */
  readonly consentType: 'AllPrincipals' | 'Principal';
  /** The object id of the user; null where it is for everyone. */
  readonly principalId?: string | null;
  /** The values of permission scopes of the API, separated by spaces. */
  readonly scope: string;
}

/** A policy that maps claims; `definition` holds one JSON text. */
export interface ClaimsMappingPolicy {
  readonly id: string;
  readonly displayName: string;
  readonly definition: readonly string[];
  readonly isOrganizationDefault?: boolean;
}
