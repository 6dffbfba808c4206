/**
 * The two spellings of one interface: the specifications' neutral words, and the cloud's names that
 * real clients need.
 */
export type Dialect = 'neutral' | 'azure';

/** One word in both dialects. */
export type DialectWord = Readonly<Record<Dialect, string>>;

/** The words that differ between the dialects, without those of identity providers. */
export const dialectWords = {
  clientPrincipalName: {
    neutral: 'X-SVC-CLIENT-PRINCIPAL-NAME',
    azure: 'X-MS-CLIENT-PRINCIPAL-NAME',
  },
  clientPrincipalId: { neutral: 'X-SVC-CLIENT-PRINCIPAL-ID', azure: 'X-MS-CLIENT-PRINCIPAL-ID' },
  clientPrincipalIdp: { neutral: 'X-SVC-CLIENT-PRINCIPAL-IDP', azure: 'X-MS-CLIENT-PRINCIPAL-IDP' },
  /** Names the claims that the principal omits because the header would be too long. */
  clientPrincipalOmitted: {
    neutral: 'X-SVC-CLIENT-PRINCIPAL-OMITTED',
    azure: 'X-MS-CLIENT-PRINCIPAL-OMITTED',
  },
  clientPrincipal: { neutral: 'X-SVC-CLIENT-PRINCIPAL', azure: 'X-MS-CLIENT-PRINCIPAL' },
  tokenHeaderPrefix: { neutral: 'X-SVC-TOKEN-', azure: 'X-MS-TOKEN-' },
  sessionHeader: { neutral: 'X-SVC-AUTH', azure: 'X-ZUMO-AUTH' },
  operationIdHeader: { neutral: 'x-svc-operation-id', azure: 'x-ms-operation-id' },
  requestIdHeader: { neutral: 'x-svc-request-id', azure: 'x-ms-request-id' },
  billingNamespace: { neutral: 'Svc.Billing', azure: 'Microsoft.Billing' },
  directoryNamespace: { neutral: 'svc.directory', azure: 'microsoft.graph' },
  /** A property of a billing transaction, as is `plan`. */
  creditApplied: { neutral: 'cloudCreditApplied', azure: 'azureCreditApplied' },
  plan: { neutral: 'cloudPlan', azure: 'azurePlan' },
  /** A credit type of a billing transaction, as is `creditOffer`. */
  freeCredit: { neutral: 'CloudFreeCredit', azure: 'AzureFreeCredit' },
  creditOffer: { neutral: 'CloudCreditOffer', azure: 'AzureCreditOffer' },
  /** The property with the application id in the details of a service principal. */
  principalAppId: { neutral: 'directoryAppId', azure: 'aadAppId' },
  /** The host suffix for queries of eventhouses, after the id of the eventhouse. */
  queryHostSuffix: { neutral: 'z0.kusto.localhost', azure: 'z0.kusto.fabric.microsoft.com' },
  /** The property of a phone as authentication method. */
  phoneType: { neutral: 'authenticationPhoneType', azure: 'phoneType' },
  /** The property with the creation time of an authentication method. */
  methodCreated: { neutral: 'creationDateTime', azure: 'createdDateTime' },
} as const satisfies Record<string, DialectWord>;

/**
 * The path words of identity providers in both dialects, the usual one first, by the provider's key
 * in `authConfigs`.
 */
export const identityProviders = {
  azureActiveDirectory: { neutral: ['directory'], azure: ['aad'] },
  legacyMicrosoftAccount: { neutral: ['personal'], azure: ['microsoftaccount'] },
  google: { neutral: ['search'], azure: ['google'] },
  facebook: { neutral: ['social'], azure: ['facebook'] },
  gitHub: { neutral: ['codehost'], azure: ['github'] },
  twitter: { neutral: ['microblog', 'micropost'], azure: ['twitter', 'x'] },
  apple: { neutral: ['apple'], azure: ['apple'] },
} as const satisfies Record<string, Readonly<Record<Dialect, readonly string[]>>>;

/**
 * The neutral word of a built-in provider, from any of its names: a path word of either dialect, or
 * its key in `authConfigs`.
 */
export function neutralProvider(name: string): string | undefined {
  const word = name.toLowerCase();
  const match = Object.entries(identityProviders).find(([key, { neutral, azure }]) =>
    [key.toLowerCase(), ...neutral, ...azure].includes(word),
  );
  return match?.[1].neutral[0];
}

/** A built-in provider's key in `authConfigs`. */
export type IdentityProviderKey = keyof typeof identityProviders;

/** The word of a dialect. */
export function inDialect(word: DialectWord, dialect: Dialect): string {
  return word[dialect];
}
