import { segment } from '../common/url.js';
import { objects } from './objects.js';
import type { Objects } from './objects.js';
import type { CallOptions, DirectoryConnection, ListOptions } from './options.js';
import { credentials } from './passwords.js';
import type { Passwords } from './passwords.js';
import { references } from './references.js';
import type { References } from './references.js';
import { list, send } from './request.js';
import type { Application, ApplicationDraft, FederatedIdentityCredential } from './types/application.js';
import type { ServicePrincipal } from './types/service-principal.js';

/** Application registrations. */
export interface Applications extends Objects<Application, ApplicationDraft>, Passwords {
  readonly owners: References;
  readonly federatedIdentityCredentials: FederatedIdentityCredentials;
  /** Makes an application and its service principal from a template of the gallery. */
  instantiate(
    templateId: string,
    displayName: string,
    call?: CallOptions,
  ): Promise<{ readonly application: Application; readonly servicePrincipal: ServicePrincipal }>;
}

/** The federated identities of one application. */
export interface FederatedIdentityCredentials {
  list(applicationId: string, options?: ListOptions): AsyncIterable<FederatedIdentityCredential>;
  get(applicationId: string, id: string, call?: CallOptions): Promise<FederatedIdentityCredential>;
  /** @throws ServiceError 409 when the name is taken. */
  create(applicationId: string, draft: Omit<FederatedIdentityCredential, 'id'>, call?: CallOptions): Promise<FederatedIdentityCredential>;
  update(applicationId: string, id: string, changes: Partial<FederatedIdentityCredential>, call?: CallOptions): Promise<void>;
  delete(applicationId: string, id: string, call?: CallOptions): Promise<void>;
}

/** The application endpoints. */
export function applications(connection: DirectoryConnection): Applications {
  const path = (applicationId: string, id?: string): string =>
    `applications/${segment(applicationId)}/federatedIdentityCredentials${id === undefined ? '' : `/${segment(id)}`}`;
  return {
    ...objects<Application, ApplicationDraft>(connection, 'applications'),
    ...credentials(connection, 'applications'),
    owners: references(connection, 'applications', 'owners'),
    federatedIdentityCredentials: {
      list: (applicationId, options) => list(connection, path(applicationId), options),
      get: (applicationId, id, call) => send(connection, 'GET', path(applicationId, id), undefined, call),
      create: (applicationId, draft, call) => send(connection, 'POST', path(applicationId), draft, call),
      update: (applicationId, id, changes, call) => send(connection, 'PATCH', path(applicationId, id), changes, call),
      delete: (applicationId, id, call) => send(connection, 'DELETE', path(applicationId, id), undefined, call),
    },
    instantiate: (templateId, displayName, call) =>
      send(connection, 'POST', `applicationTemplates/${segment(templateId)}/instantiate`, { displayName }, call),
  };
}
