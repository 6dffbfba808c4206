/** The limits of an app's sign-in layer (spec 000 and the cloud's authConfigs): the only place that states them. */
export const authLimits = {
  restrictAccess: ['requireAuthentication', 'allowUnauthenticated'],
  unauthenticatedAction: ['redirectToLogin', 'return401', 'return403', 'allowAnonymous'],
  forwardProxyConvention: ['noProxy', 'standard', 'custom'],
  cookieExpirationConvention: ['fixedTime', 'identityProviderDerived'],
  /** Hours, minutes and seconds, with days before them where needed: `08:00:00`, `1.00:00:00`. */
  timeSpan: '^(\\d+\\.)?([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d$',
  tokenRefreshExtensionHours: { minimum: 0, default: 72 },
  /** The name of a custom OpenID Connect provider is a path segment after `/.auth/login/`. */
  providerName: '^[A-Za-z][A-Za-z0-9_-]{0,63}$',
  /** The scopes, of either name, that the token request of the personal account provider must include one of. */
  basicProfileScopes: ['profile', 'wl.basic'],
  /** A claim check compares at most this many groups: tokens of members of more carry a link instead of the list. */
  allowedGroups: { maxItems: 200 },
} as const;
