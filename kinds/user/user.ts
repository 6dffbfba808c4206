import { withSharedMetadata } from '../schema/property-metadata.js';
import { kind } from '../schema/kind.js';
import {
  anyObject,
  boolean,
  dateTime,
  enumOf,
  list,
  objectList,
  text,
  textList,
} from '../schema/schema-builders.js';

/**
 * A user's password, of which this schema has the length. That it has three of lower-case letters,
 * capital letters, digits and symbols is checked in `services/directory/users/passwords.ts`.
 */
export const passwordSchema = text('The password of a user.', { minLength: 8, maxLength: 256 });

const upTo = (maxLength: number) => ({ maxLength }) as const;

/** A user account. Stacks refer to users, they do not declare them. */
export const user = kind(() => ({
  meaning: 'An account of a person.',
  terraform: { resourceTypes: ['azuread_user'] },
  properties: {
    businessPhones: textList('Phone numbers at work.'),
    displayName: text('The name of the person.', {
      minLength: 1,
      maxLength: 256,
      nonNullable: true,
    }),
    givenName: text('The first name.', upTo(64)),
    jobTitle: text('The job title.', upTo(128)),
    mail: text('The mail address.'),
    mobilePhone: text('The mobile phone number.'),
    officeLocation: text('The location of the office.', upTo(128)),
    preferredLanguage: text('The language of the person.'),
    surname: text('The last name.', upTo(64)),
    userPrincipalName: text(
      'The name to sign in with, in a verified domain; unique in the tenant.',
      {
        pattern: '^[^\\s@"()<>\\[\\]:;,\\\\]{1,64}@[^\\s@]{1,255}$',
        patternDescription: 'the form of a name such as ada@contoso.com',
        nonNullable: true,
      },
    ),
    ...withSharedMetadata(
      { returned: 'select' },
      {
        aboutMe: text("The person's self-description."),
        accountEnabled: boolean('Whether the person can sign in.', { nonNullable: true }),
        ageGroup: enumOf(['Minor', 'NotAdult', 'Adult'], {
          description: 'Whether the person is a minor.',
        }),
        birthday: dateTime('The birthday.'),
        city: text('The city.', upTo(128)),
        companyName: text('The company.', upTo(64)),
        consentProvidedForMinor: enumOf(['Granted', 'Denied', 'NotRequired'], {
          description: 'Whether consent was obtained for a minor.',
        }),
        country: text('The country.', upTo(128)),
        department: text('The department.', upTo(64)),
        employeeHireDate: dateTime('The hire date, past or future.'),
        employeeId: text('The employee id.', upTo(16)),
        employeeLeaveDateTime: dateTime('The leave date, past or future.'),
        employeeOrgData: anyObject('Division and cost centre.'),
        employeeType: text('Such as Employee, Contractor or Vendor.'),
        faxNumber: text('The fax number.'),
        hireDate: dateTime('When the person was hired, as the profile says.'),
        identities: objectList('The identities with which the person signs in.'),
        interests: textList('Interests of the person.'),
        isResourceAccount: boolean('Whether the account belongs to a resource, such as a room.'),
        mailNickname: text('The mail alias.', upTo(64)),
        mySite: text("The address of the person's site."),
        onPremisesExtensionAttributes: anyObject('The extension attributes 1 to 15.'),
        onPremisesImmutableId: text(
          'The immutable id that links the account with one in an on-premises directory.',
        ),
        otherMails: textList('Further mail addresses.'),
        passwordPolicies: list(
          enumOf(['None', 'DisableStrongPassword', 'DisablePasswordExpiration']),
          {
            description: 'Password policies that do not apply.',
            separator: ',',
          },
        ),
        passwordProfile: anyObject('The password, and whether it must be changed.'),
        pastProjects: textList('Past projects of the person.'),
        postalCode: text('The postal code.', upTo(40)),
        preferredDataLocation: text("The preferred location of the person's data."),
        preferredName: text('The preferred name.'),
        responsibilities: textList('Responsibilities of the person.'),
        schools: textList('Schools that the person attended.'),
        showInAddressList: boolean('Whether address lists show the person.'),
        skills: textList('Skills of the person.'),
        state: text('The state or province.', upTo(128)),
        streetAddress: text('The street.', upTo(1024)),
        usageLocation: text(
          'The country in which services are used: two letters. Licences need it.',
          {
            pattern: '^[A-Za-z]{2}$',
            patternDescription: 'the two letters of a country code',
          },
        ),
        userType: enumOf(['Member', 'Guest'], {
          description: 'Whether the person belongs to the organization or is a guest.',
        }),
      },
    ),
  },
  setByService: {
    id: 'The object id.',
    ...withSharedMetadata(
      { returned: 'select' },
      {
        assignedLicenses: objectList('The licences of the person.'),
        assignedPlans: objectList('The service plans of the licences.'),
        createdDateTime: dateTime('When the account was created.'),
        creationType: text('How the account was created.'),
        deletedDateTime: dateTime('When the account was deleted.'),
        externalUserState: text('Whether a guest has accepted the invitation.'),
        externalUserStateChangeDateTime: dateTime('When externalUserState changed last.'),
        imAddresses: textList('Addresses for instant messages.'),
        isManagementRestricted: boolean(
          'Whether a restricted administrative unit holds the account.',
        ),
        lastPasswordChangeDateTime: dateTime('When the password was changed last.'),
        legalAgeGroupClassification: text(
          'The legal age group, from ageGroup and consentProvidedForMinor.',
        ),
        licenseAssignmentStates: objectList(
          'How each licence is assigned: directly or by a group.',
        ),
        onPremisesDistinguishedName: text(
          'Distinguished name in the on-premises directory, for a synchronized account.',
        ),
        onPremisesDomainName: text('DNS domain name in the on-premises directory.'),
        onPremisesLastSyncDateTime: dateTime(
          'When the account was last synchronized with the on-premises directory.',
        ),
        onPremisesProvisioningErrors: objectList(
          'Provisioning errors of the last synchronization.',
        ),
        onPremisesSamAccountName: text('SAM account name in the on-premises directory.'),
        onPremisesSecurityIdentifier: text(
          'Security identifier (SID) in the on-premises directory.',
        ),
        onPremisesSyncEnabled: boolean(
          'Whether the account is synchronized from an on-premises directory.',
        ),
        onPremisesUserPrincipalName: text('User principal name in the on-premises directory.'),
        provisionedPlans: objectList('The service plans that are provisioned.'),
        proxyAddresses: textList('All mail addresses.'),
        securityIdentifier: text('The security identifier.'),
        signInSessionsValidFromDateTime: dateTime(
          'Refresh tokens and sessions issued before this time are not valid.',
        ),
      },
    ),
  },
}));
