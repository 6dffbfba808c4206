/** The providers that the sign-in layer has by name. */
export const builtInProviders = [
  'directory',
  'personal',
  'search',
  'social',
  'codehost',
  'microblog',
  'apple',
] as const;

/** The name of a custom OpenID Connect provider: a segment of the path, after `/.auth/login/`. */
export const providerNamePattern = '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$';
