/** The limits of an application registration (what the directory and the official provider accept): the only place that states them. */
export const registrationLimits = {
  displayName: { minLength: 1, maxLength: 120 },
  redirectUri: { maxLength: 256, maxItems: 256 },
  logoutUrl: { maxLength: 255 },
  owners: { maxItems: 100 },
  /** A secret may live two years at most, one of them a leap year; longer ones are cut off by many tenants' policies. */
  secretLifetimeInDays: { maximum: 731, warnBefore: 30 },
  signInAudiences: ['AzureADMyOrg', 'AzureADMultipleOrgs', 'AzureADandPersonalMicrosoftAccount', 'PersonalMicrosoftAccount'],
} as const;
