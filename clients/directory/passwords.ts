import { segment } from '../common/url.js';
import type { CallOptions, DirectoryConnection } from './options.js';
import { send } from './request.js';
import type { PasswordCredential } from './types/application.js';

/** What a new client secret may say of itself; the service picks the secret. */
export interface PasswordDraft {
  readonly displayName?: string;
  readonly startDateTime?: string;
  /** @default two years after the start, by the service */
  readonly endDateTime?: string;
}

/** The client secrets of applications and of service principals. */
export interface Passwords {
  /** @returns the only answer that ever carries `secretText`. */
  addPassword(id: string, draft?: PasswordDraft, call?: CallOptions): Promise<PasswordCredential & { readonly secretText: string }>;
  /** @throws ServiceError 400 for an unknown key id. */
  removePassword(id: string, keyId: string, call?: CallOptions): Promise<void>;
}

/** The secret endpoints of a collection. */
export function credentials(connection: DirectoryConnection, collection: 'applications' | 'servicePrincipals'): Passwords {
  return {
    addPassword: (id, draft = {}, call) =>
      send(connection, 'POST', `${collection}/${segment(id)}/addPassword`, { passwordCredential: draft }, call),
    removePassword: (id, keyId, call) => send<void>(connection, 'POST', `${collection}/${segment(id)}/removePassword`, { keyId }, call),
  };
}
