/** The sign-in layer's decisions and their settings without its server, to compute who gets in. */
export { parseAndValidateConfig } from './config/config-file.js';
export { settingsWithoutSecrets } from './config/settings-from-config.js';
export type {
  AuthorizationPolicy,
  OpenIdSettings,
  ProviderSettings,
  Requirement,
  SidecarSettings,
} from './config/settings.js';
export { Refusal } from './http/refusal.js';
export { parseTarget } from './http/request-target.js';
export { pathOwner } from './path-owner.js';
export { checkPolicy } from './providers/authorization.js';
export type { PolicyCheck } from './providers/authorization.js';
export { publicReasonDespiteRequirements, requirementsOf } from './path-requirements.js';
export { hasOneOf } from './session/claims.js';
export { checkEmailDomain, identityOf } from './session/identity.js';
export { challengeOf } from './unauthenticated-request.js';
