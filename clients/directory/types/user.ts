import type { UserProperties } from '../../generated/objects.js';
import type { DirectoryObject } from './directory-object.js';
import type { AssignedLicense } from './group.js';

/**
 * A user account. The service returns eleven properties by default; the others come with `select`.
 */
export interface User extends DirectoryObject, UserProperties {
  readonly displayName: string;
  readonly employeeOrgData?: {
    readonly costCenter?: string | null;
    readonly division?: string | null;
  } | null;
  readonly assignedLicenses?: readonly AssignedLicense[];
  readonly passwordProfile?: {
    /** Only in requests, never in answers. */
    readonly password?: string;
    readonly forceChangePasswordNextSignIn?: boolean;
  } | null;
}

/** The properties of a new user. */
export type UserDraft = Partial<User> & Pick<User, 'displayName' | 'userPrincipalName'>;

/** An authentication method; the subtype's fields depend on `@odata.type`. */
export interface AuthenticationMethod {
  readonly '@odata.type': string;
  readonly id: string;
  readonly [field: string]: unknown;
}
