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

/** A device. */
export interface Device extends DirectoryObject {
  readonly deviceId?: string;
  readonly accountEnabled?: boolean;
  readonly operatingSystem?: string | null;
  readonly operatingSystemVersion?: string | null;
  readonly trustType?: string | null;
}

/** An organizational contact. */
export interface Contact extends DirectoryObject {
  readonly mail?: string | null;
  readonly mailNickname?: string | null;
}

/** A domain of the tenant; its id is its name. */
export interface Domain {
  readonly id: string;
  readonly authenticationType?: string;
  readonly isAdminManaged?: boolean;
  readonly isDefault?: boolean;
  readonly isInitial?: boolean;
  readonly isRoot?: boolean;
  readonly isVerified?: boolean;
  readonly supportedServices?: readonly string[];
}
