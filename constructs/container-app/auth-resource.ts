import { authProperties } from '../../kinds/auth/auth-body.js';
import type { ResolvedAuth } from '../../kinds/auth/resolved-auth.js';
import { Registration } from '../identity/registration.js';
import type { CastellanConstruct } from '../internal/castellan-construct.js';
import type { Construct } from '../internal/cdktf.js';
import { cloudSettings } from '../internal/cloud-settings.js';
import { escapeInterpolationIn } from '../internal/interpolation.js';
import type { AppSecrets } from './app-secrets.js';
import { type AuthSettings, callbackPath } from './auth-settings.js';

/** The body of the resource `authConfigs`; secrets that it names become secrets of the app. */
export function authBody(
  auth: ResolvedAuth,
  secrets: AppSecrets,
): Readonly<Record<string, unknown>> {
  return {
    properties: authProperties(auth, {
      escapeValue: escapeInterpolationIn,
      addSecret: (name, reference) => secrets.add(name, reference),
    }),
  };
}

/**
 * Whether the settings use a property that the published schema of `authConfigs` lacks: personal
 * accounts, and in the sandbox requirements. For the cloud, which has no requirements, the schema
 * must refuse them.
 */
export function needsUnpublishedSchema(
  scope: Construct,
  { providers, requirements }: AuthSettings,
): boolean {
  if (providers.personal !== undefined) return true;
  if (cloudSettings(scope).sandbox === undefined) return false;
  return (
    requirements !== undefined ||
    providers.directory?.requiredClaims !== undefined ||
    Object.values(providers.openIdConnect ?? {}).some(
      ({ allowedGroups, requiredClaims }) =>
        allowedGroups !== undefined || requiredClaims !== undefined,
    )
  );
}

/** Adds the redirect URIs with which people sign in at an address of an app to its registration. */
export function addRedirectUris(
  app: CastellanConstruct,
  auth: AuthSettings | undefined,
  address: string,
): void {
  const { routes, providers } = auth ?? {};
  const { registration } = providers?.directory ?? {};
  if (!(registration instanceof Registration)) return;
  const path = callbackPath('directory', routes?.apiPrefix);
  registration.addAppRedirectUri(`${address}${path}`, app);
  // in the neutral dialect, the sandbox's sign-in layer has another callback path
  if (cloudSettings(app).sandbox?.dialect === 'neutral') {
    const neutralPath = callbackPath('directory', routes?.apiPrefix, 'neutral');
    registration.addAppRedirectUri(`${address}${neutralPath}`, app);
  }
}

/** Lets tokens of the registration contain the groups that sign-in settings name. */
export function addGroupClaims({ providers, requirements = [] }: AuthSettings): void {
  const { registration, allowedGroups = [], claimGroups = [] } = providers.directory ?? {};
  const requiredGroups = requirements.flatMap(({ groups = [] }) => groups);
  if (registration instanceof Registration)
    registration.addGroupClaims([...allowedGroups, ...claimGroups, ...requiredGroups]);
}
