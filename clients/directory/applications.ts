import { segment } from '../common/url.js';
import { objects, type Objects, containedObjects, type ContainedObjects } from './objects.js';
import type { CallOptions, DirectoryConnection } from './connection.js';
import { references, type References } from './references.js';
import { send } from './request.js';
import type {
  Application,
  ApplicationDraft,
  FederatedIdentityCredential,
  KeyCredential,
  PasswordCredential,
  ServicePrincipal,
  AppRoleAssignment,
  ClaimsMappingPolicy,
  ServicePrincipalDraft,
} from './types/application.js';

/** Application registrations. */
export interface Applications extends Objects<Application, ApplicationDraft>, Passwords {
  readonly owners: References;
  readonly federatedIdentityCredentials: FederatedIdentityCredentials;
  /** Creates an application and its service principal from a template of the gallery. */
  instantiate(
    templateId: string,
    displayName: string,
    call?: CallOptions,
  ): Promise<{ readonly application: Application; readonly servicePrincipal: ServicePrincipal }>;
}

/** The federated identities of one application. */
export interface FederatedIdentityCredentials extends ContainedObjects<
  FederatedIdentityCredential,
  Omit<FederatedIdentityCredential, 'id'>
> {
  update(
    applicationId: string,
    id: string,
    changes: Partial<FederatedIdentityCredential>,
    call?: CallOptions,
  ): Promise<void>;
}

/** The application endpoints. */
export function applications(connection: DirectoryConnection): Applications {
  return {
    ...objects<Application, ApplicationDraft>(connection, 'applications'),
    ...passwords(connection, 'applications'),
    owners: references(connection, 'applications', 'owners'),
    federatedIdentityCredentials: containedObjects(
      connection,
      'applications',
      'federatedIdentityCredentials',
    ),
    instantiate: (templateId, displayName, call) =>
      send(
        connection,
        'POST',
        `applicationTemplates/${segment(templateId)}/instantiate`,
        { displayName },
        call,
      ),
  };
}

/** Service principals. */
export interface ServicePrincipals
  extends Objects<ServicePrincipal, ServicePrincipalDraft>, Passwords {
  readonly owners: References;
  /** The policies that are assigned to it. */
  readonly claimsMappingPolicies: References<ClaimsMappingPolicy>;
  /** The assignments of this application's roles. */
  readonly appRoleAssignedTo: AppRoleAssignments;
  /** The roles of other applications that are assigned to this one. */
  readonly appRoleAssignments: AppRoleAssignments;
  /**
   * Creates a self-signed certificate for the signing of SAML tokens, and adds it.
   *
   * @returns the certificate; `thumbprint` is its SHA-1 hash, hexadecimal.
   */
  addTokenSigningCertificate(
    id: string,
    draft?: {
      /** The subject of the certificate, such as `CN=Contoso`. */
      readonly displayName?: string;
      /** @default three years from now, set by the service */
      readonly endDateTime?: string;
    },
    call?: CallOptions,
  ): Promise<KeyCredential & { readonly thumbprint?: string }>;
}

/** App role assignments, from the side of the resource or of the principal. */
export type AppRoleAssignments = ContainedObjects<
  AppRoleAssignment,
  Pick<AppRoleAssignment, 'appRoleId' | 'principalId' | 'resourceId'>
>;

/** The service principal endpoints. */
export function servicePrincipals(connection: DirectoryConnection): ServicePrincipals {
  return {
    ...objects<ServicePrincipal, ServicePrincipalDraft>(connection, 'servicePrincipals'),
    ...passwords(connection, 'servicePrincipals'),
    owners: references(connection, 'servicePrincipals', 'owners'),
    claimsMappingPolicies: references<ClaimsMappingPolicy>(
      connection,
      'servicePrincipals',
      'claimsMappingPolicies',
    ),
    appRoleAssignedTo: containedObjects(connection, 'servicePrincipals', 'appRoleAssignedTo'),
    appRoleAssignments: containedObjects(connection, 'servicePrincipals', 'appRoleAssignments'),
    addTokenSigningCertificate: (id, draft = {}, call) =>
      send(
        connection,
        'POST',
        `servicePrincipals/${segment(id)}/addTokenSigningCertificate`,
        draft,
        call,
      ),
  };
}

/** The properties of a new client secret; the service generates its text. */
export interface PasswordDraft {
  readonly displayName?: string;
  /** @default now, set by the service */
  readonly startDateTime?: string;
  /** @default two years after the start, set by the service */
  readonly endDateTime?: string;
}

/** The client secrets of applications and of service principals. */
export interface Passwords {
  /** @returns the only answer that contains `secretText`. */
  addPassword(
    id: string,
    draft?: PasswordDraft,
    call?: CallOptions,
  ): Promise<PasswordCredential & { readonly secretText: string }>;
  /** @throws ServiceError 400 for an unknown key id. */
  removePassword(id: string, keyId: string, call?: CallOptions): Promise<void>;
}

/** The secret endpoints of a collection. */
function passwords(
  connection: DirectoryConnection,
  collection: 'applications' | 'servicePrincipals',
): Passwords {
  return {
    addPassword: (id, draft = {}, call) =>
      send(
        connection,
        'POST',
        `${collection}/${segment(id)}/addPassword`,
        { passwordCredential: draft },
        call,
      ),
    removePassword: (id, keyId, call) =>
      send<void>(
        connection,
        'POST',
        `${collection}/${segment(id)}/removePassword`,
        { keyId },
        call,
      ),
  };
}
