import { withSharedMetadata } from '../schema/property-metadata.js';
import { kind } from '../schema/kind.js';
import { anyObject, boolean, dateTime, list, text, enumOf } from '../schema/shapes.js';

/**
 * The password of a user: characters of at least three kinds out of small letters, capital letters,
 * digits and symbols.
 */
export const passwordSchema = text('The password of a user.', { minLength: 8, maxLength: 256 });

const texts = (description: string) => list(text('An entry.'), { description });
const objects = (description: string) => list(anyObject('An entry.'), { description });
const upTo = (maxLength: number) => ({ maxLength }) as const;

/**
 * A user account (Directory rules; Terraform creates one with `azuread_user`). Stacks refer to
 * users, they do not declare them.
 */
export const user = kind(() => ({
  meaning: 'An account of a person.',
  terraform: { primary: ['azuread_user'] },
  properties: {
    businessPhones: texts('Phone numbers at work.'),
    displayName: text('The name of the person.', {
      minLength: 1,
      maxLength: 256,
      nonNullable: true,
    }),
    givenName: text('The first name.', upTo(64)),
    jobTitle: text('What the person does.', upTo(128)),
    mail: text('The mail address.'),
    mobilePhone: text('The mobile phone number.'),
    officeLocation: text('Where the office is.', upTo(128)),
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
        ageGroup: text('Whether the person is a minor.'),
        birthday: dateTime('The birthday.'),
        city: text('The city.', upTo(128)),
        companyName: text('The company.', upTo(64)),
        consentProvidedForMinor: text('Whether parents have agreed.'),
        country: text('The country.', upTo(128)),
        department: text('The department.', upTo(64)),
        employeeHireDate: dateTime('When the person was or will be hired.'),
        employeeId: text('The number of the employee.', upTo(16)),
        employeeLeaveDateTime: dateTime('When the person left or will leave.'),
        employeeOrgData: anyObject('Division and cost centre.'),
        employeeType: text('Such as Employee, Contractor or Vendor.'),
        faxNumber: text('The fax number.'),
        hireDate: dateTime('When the person was hired, as the profile says.'),
        identities: objects('How the person signs in.'),
        interests: texts('What the person is interested in.'),
        isResourceAccount: boolean('Whether the account is of a thing, such as a room.'),
        mailNickname: text('The mail alias.', upTo(64)),
        mySite: text("The address of the person's site."),
        onPremisesExtensionAttributes: anyObject('Fifteen attributes of the organization.'),
        onPremisesImmutableId: text('Which account of another directory this one belongs to.'),
        otherMails: texts('Further mail addresses.'),
        passwordPolicies: list(
          enumOf(['None', 'DisableStrongPassword', 'DisablePasswordExpiration']),
          {
            description: 'What the password is exempt from.',
            separator: ',',
          },
        ),
        passwordProfile: anyObject('The password, and whether it must be changed.'),
        pastProjects: texts('What the person worked on.'),
        postalCode: text('The postal code.', upTo(40)),
        preferredDataLocation: text('Where the data of the person is kept.'),
        preferredName: text('What the person likes to be called.'),
        responsibilities: texts('What the person is responsible for.'),
        schools: texts('Where the person studied.'),
        showInAddressList: boolean('Whether address lists show the person.'),
        skills: texts('What the person knows.'),
        state: text('The state or province.', upTo(128)),
        streetAddress: text('The street.', upTo(1024)),
        usageLocation: text(
          'The country in which services are used: two letters. Licences need it.',
          {
            pattern: '^[A-Za-z]{2}$',
            patternDescription: 'the two letters of a country code',
          },
        ),
        userType: text('Member or Guest.'),
      },
    ),
  },
  setByService: {
    id: 'The object id.',
    ...withSharedMetadata(
      { returned: 'select' },
      {
        assignedLicenses: objects('The licences of the person.'),
        assignedPlans: objects('The plans of these licences.'),
        createdDateTime: dateTime('When the account was created.'),
        creationType: text('How the account was created.'),
        deletedDateTime: dateTime('When the account was deleted.'),
        externalUserState: text('Whether a guest has accepted the invitation.'),
        externalUserStateChangeDateTime: dateTime('When that changed.'),
        imAddresses: texts('Addresses for instant messages.'),
        isManagementRestricted: boolean(
          'Whether a restricted administrative unit holds the account.',
        ),
        lastPasswordChangeDateTime: dateTime('When the password was changed last.'),
        legalAgeGroupClassification: text('What ageGroup and consent mean together.'),
        licenseAssignmentStates: objects('Where the licences come from.'),
        onPremisesDistinguishedName: text(
          'Of an account that is synchronized from another directory: its distinguished name.',
        ),
        onPremisesDomainName: text('Its domain.'),
        onPremisesLastSyncDateTime: dateTime('When it was last synchronized.'),
        onPremisesProvisioningErrors: objects('What went wrong then.'),
        onPremisesSamAccountName: text('Its account name.'),
        onPremisesSecurityIdentifier: text('Its security identifier.'),
        onPremisesSyncEnabled: boolean('Whether it is synchronized.'),
        onPremisesUserPrincipalName: text('Its user principal name.'),
        provisionedPlans: objects('The plans that are set up.'),
        proxyAddresses: texts('All mail addresses.'),
        securityIdentifier: text('The security identifier.'),
        signInSessionsValidFromDateTime: dateTime('Since when tokens are valid.'),
      },
    ),
  },
}));
