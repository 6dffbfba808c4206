import type { DirectoryObject } from './directory-object.js';
import type { AssignedLicense } from './group.js';

/** A person's account. By default the service returns eleven properties; the rest come by `select`. */
export interface User extends DirectoryObject {
  readonly userPrincipalName: string;
  readonly displayName: string;
  readonly businessPhones?: readonly string[];
  readonly givenName?: string | null;
  readonly surname?: string | null;
  readonly jobTitle?: string | null;
  readonly mail?: string | null;
  readonly mobilePhone?: string | null;
  readonly officeLocation?: string | null;
  readonly preferredLanguage?: string | null;
  readonly accountEnabled?: boolean;
  readonly ageGroup?: string | null;
  readonly city?: string | null;
  readonly companyName?: string | null;
  readonly consentProvidedForMinor?: string | null;
  readonly country?: string | null;
  readonly department?: string | null;
  readonly employeeHireDate?: string | null;
  readonly employeeId?: string | null;
  readonly employeeOrgData?: { readonly costCenter?: string | null; readonly division?: string | null } | null;
  readonly employeeType?: string | null;
  readonly faxNumber?: string | null;
  readonly mailNickname?: string | null;
  readonly onPremisesImmutableId?: string | null;
  readonly otherMails?: readonly string[];
  readonly passwordPolicies?: string | null;
  readonly postalCode?: string | null;
  readonly proxyAddresses?: readonly string[];
  readonly showInAddressList?: boolean | null;
  readonly state?: string | null;
  readonly streetAddress?: string | null;
  readonly usageLocation?: string | null;
  readonly userType?: string | null;
  readonly assignedLicenses?: readonly AssignedLicense[];
}

/** What creating a user takes. */
export type UserDraft = Partial<User> &
  Pick<User, 'displayName' | 'userPrincipalName'> & {
    readonly passwordProfile?: { readonly password: string; readonly forceChangePasswordNextSignIn?: boolean };
  };

/** A way for a person to sign in; the subtype's fields depend on `@odata.type`. */
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
