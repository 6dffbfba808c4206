import { segment } from '../common/url.js';
import { objects } from './objects.js';
import type { Objects } from './objects.js';
import type { CallOptions, DirectoryConnection, ListOptions } from './options.js';
import { credentials } from './passwords.js';
import type { Passwords } from './passwords.js';
import { references } from './references.js';
import type { References } from './references.js';
import { list, send } from './request.js';
import type { KeyCredential } from './types/application.js';
import type { AppRoleAssignment, ClaimsMappingPolicy, ServicePrincipal, ServicePrincipalDraft } from './types/service-principal.js';

/** Service principals. */
export interface ServicePrincipals extends Objects<ServicePrincipal, ServicePrincipalDraft>, Passwords {
  readonly owners: References;
  readonly claimsMappingPolicies: References<ClaimsMappingPolicy>;
  /** Who was given a role of this application. */
  readonly appRoleAssignedTo: AppRoleAssignments;
  /** Which roles of other applications this one was given. */
  readonly appRoleAssignments: AppRoleAssignments;
  addTokenSigningCertificate(
    id: string,
    draft?: { readonly displayName?: string; readonly endDateTime?: string },
    call?: CallOptions,
  ): Promise<KeyCredential & { readonly thumbprint?: string }>;
}

/** App role assignments, from the side of the resource or of the principal. */
export interface AppRoleAssignments {
  list(id: string, options?: ListOptions): AsyncIterable<AppRoleAssignment>;
  get(id: string, assignmentId: string, call?: CallOptions): Promise<AppRoleAssignment>;
  create(
    id: string,
    draft: Pick<AppRoleAssignment, 'appRoleId' | 'principalId' | 'resourceId'>,
    call?: CallOptions,
  ): Promise<AppRoleAssignment>;
  delete(id: string, assignmentId: string, call?: CallOptions): Promise<void>;
}

/** The service principal endpoints. */
export function servicePrincipals(connection: DirectoryConnection): ServicePrincipals {
  return {
    ...objects<ServicePrincipal, ServicePrincipalDraft>(connection, 'servicePrincipals'),
    ...credentials(connection, 'servicePrincipals'),
    owners: references(connection, 'servicePrincipals', 'owners'),
    claimsMappingPolicies: references<ClaimsMappingPolicy>(connection, 'servicePrincipals', 'claimsMappingPolicies'),
    appRoleAssignedTo: appRoleAssignments(connection, 'servicePrincipals', 'appRoleAssignedTo'),
    appRoleAssignments: appRoleAssignments(connection, 'servicePrincipals', 'appRoleAssignments'),
    addTokenSigningCertificate: (id, draft = {}, call) =>
      send(connection, 'POST', `servicePrincipals/${segment(id)}/addTokenSigningCertificate`, draft, call),
  };
}

/** The app role endpoints of a collection. */
export function appRoleAssignments(connection: DirectoryConnection, collection: string, name: string): AppRoleAssignments {
  const path = (id: string, assignmentId?: string): string =>
    `${collection}/${segment(id)}/${name}${assignmentId === undefined ? '' : `/${segment(assignmentId)}`}`;
  return {
    list: (id, options) => list(connection, path(id), options),
    get: (id, assignmentId, call) => send(connection, 'GET', path(id, assignmentId), undefined, call),
    create: (id, draft, call) => send(connection, 'POST', path(id), draft, call),
    delete: (id, assignmentId, call) => send<void>(connection, 'DELETE', path(id, assignmentId), undefined, call),
  };
}
