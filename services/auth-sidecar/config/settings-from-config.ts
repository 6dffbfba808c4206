import { defaultApiPrefix } from '../../../kinds/auth/path-pattern.js';
import type { Dialect } from '../../../core/dialect/dialect.js';
import { nearest } from '../../../core/text/nearest.js';
import { isObject } from '../../../core/values/is-object.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { bearerIssuers, warnAboutSignInAudiences } from './bearer-issuers.js';
import { emailDomains } from './email-domains.js';
import { type Endpoints, isSafeAddress } from './endpoints.js';
import {
  allowedRedirects,
  forwarding,
  headerNames,
  pathSetting,
  publicPaths,
} from './http-settings.js';
import { limits, timeSpanSeconds } from './limits.js';
import { providerSettings } from './provider-settings.js';
import { ConfigReader } from './config-reader.js';
import { requirementSettings } from './requirements.js';
import type {
  AuditTarget,
  BlobSettings,
  JsonObject,
  ProviderSettings,
  SidecarSettings,
  UnauthenticatedAction,
} from './settings.js';
import { warnAboutIneffectiveSettings } from './ineffective-settings.js';

/**
 * The settings in a configuration without its secrets, for decisions that do not need them, such as
 * who gets in. Mistakes are not reported.
 */
export function settingsWithoutSecrets(body: JsonObject, dialect: Dialect): SidecarSettings {
  return settingsFromConfig(new ConfigReader(body, { env: {} }), { dialect, endpoints: {} });
}

/** The settings in a configuration whose schema was checked; the reader collects other mistakes. */
export function settingsFromConfig(
  reader: ConfigReader,
  { dialect, endpoints }: { readonly dialect: Dialect; readonly endpoints: Endpoints },
): SidecarSettings {
  const requirements = requirementSettings(reader);
  const domains = emailDomains(reader, 'globalValidation.allowedEmailDomains');
  const providers = providerSettings({ reader, dialect, endpoints }, requirements, domains);
  const issuers = bearerIssuers(reader, requirements, domains);
  warnAboutSignInAudiences(reader, issuers, providers);
  const action = unauthenticatedAction(reader);
  const audit = auditTarget(reader);
  const redirectToProvider = redirectProvider(reader, providers, dialect);
  const logoutPath = pathSetting(reader, 'login.routes.logoutEndpoint');
  const apiPrefix = pathSetting(reader, 'httpSettings.routes.apiPrefix') ?? defaultApiPrefix;
  const requireHttps = reader.boolean('httpSettings.requireHttps');
  const blob = blobSettings(reader);
  const refreshExtensionHours = reader.value('login.tokenStore.tokenRefreshExtensionHours');
  const enabled = reader.boolean('platform.enabled') !== false;
  if (enabled && providers.length === 0 && action !== 'anonymous')
    reader.warnings.push('no identity provider is enabled: no one can sign in');
  warnAboutIneffectiveSettings(reader);
  const expirationConvention = reader.text('login.cookieExpiration.convention');
  const reevaluateAfter = timeSpanSeconds(reader, 'login.sessions.reevaluateAfter');
  if (reevaluateAfter !== undefined && reader.boolean('login.tokenStore.enabled') !== true)
    reader.addProblem(
      'login.sessions.reevaluateAfter',
      'needs login.tokenStore.enabled: the provider is asked with the tokens that it keeps',
    );
  return {
    dialect,
    enabled,
    unauthenticated: enabled ? action : 'anonymous',
    ...omitUndefined({ redirectToProvider }),
    excludedPaths: publicPaths(reader, 'globalValidation.excludedPaths'),
    preflightPaths: publicPaths(reader, 'httpSettings.preflight.allowedPaths'),
    limits: limits(reader),
    emailDomains: domains,
    requirements,
    requireHttps: requireHttps === true ? 'always' : requireHttps === false ? 'never' : 'known',
    forwarding: forwarding(reader),
    transport: reader.text('httpSettings.transport') === 'http2' ? 'http2' : 'http',
    headerExceptions: {
      removed: headerNames(reader, 'httpSettings.removedRequestHeaders'),
      kept: headerNames(reader, 'httpSettings.keptRequestHeaders'),
    },
    forwardedUser:
      reader.text('httpSettings.forwardedUser') === 'providerAndSubject'
        ? 'providerAndSubject'
        : 'subject',
    forwardedGroups: reader.text('httpSettings.forwardedGroups') === 'named' ? 'named' : 'all',
    apiPrefix,
    ...omitUndefined({ logoutPath }),
    allowedRedirects: allowedRedirects(reader),
    session: {
      providerDerived:
        expirationConvention === 'IdentityProviderDerived' ||
        expirationConvention === 'IdentityDerived',
      lifetimeSeconds:
        timeSpanSeconds(reader, 'login.cookieExpiration.timeToExpiration') ?? 8 * 3600,
      keptBy: reader.text('login.sessions.keptBy') === 'store' ? 'store' : 'cookie',
      ...omitUndefined({ reevaluateAfter }),
    },
    ...omitUndefined({ audit }),
    nonce: {
      validate: reader.boolean('login.nonce.validateNonce') !== false,
      lifetimeSeconds: timeSpanSeconds(reader, 'login.nonce.nonceExpirationInterval') ?? 300,
    },
    preserveFragments: reader.boolean('login.preserveUrlFragmentsForLogins') === true,
    tokens: {
      enabled: reader.boolean('login.tokenStore.enabled') === true,
      graceSeconds: Math.round(
        (typeof refreshExtensionHours === 'number' ? refreshExtensionHours : 72) * 3600,
      ),
      ...omitUndefined({ blob }),
    },
    omitsChallenge:
      reader.boolean('identityProviders.azureActiveDirectory.login.disableWWWAuthenticate') ===
      true,
    providers,
    bearerIssuers: issuers,
    keys: {
      encryption: keyLines(reader, 'encryptionSettings.containerAppAuthEncryptionSecretName'),
      signing: keyLines(reader, 'encryptionSettings.containerAppAuthSigningSecretName'),
    },
    warnings: reader.warnings,
  };
}

function unauthenticatedAction(reader: ConfigReader): UnauthenticatedAction {
  if (reader.boolean('globalValidation.requireAuthentication') === false) return 'anonymous';
  switch (reader.text('globalValidation.unauthenticatedClientAction')) {
    case 'AllowAnonymous':
      return 'anonymous';
    case 'Return401':
      return 'return401';
    case 'Return403':
      return 'return403';
    default:
      return 'redirect';
  }
}

/**
 * The key of the provider that `redirectToProvider` names, by its key, custom name or path name in
 * any letter case; by default the only provider.
 */
function redirectProvider(
  reader: ConfigReader,
  providers: readonly ProviderSettings[],
  dialect: Dialect,
): string | undefined {
  const name = reader.text('globalValidation.redirectToProvider');
  if (name === undefined) return providers.length === 1 ? providers[0]?.key : undefined;
  const lowerCase = name.toLowerCase();
  const match =
    providers.find(({ key, pathNames }) => key === name || pathNames.includes(name)) ??
    providers.find(
      ({ key, pathNames }) =>
        key.toLowerCase() === lowerCase ||
        pathNames.some((pathName) => pathName.toLowerCase() === lowerCase),
    );
  if (match !== undefined) return match.key;
  const names = [...new Set(providers.flatMap(({ key, pathNames }) => [key, ...pathNames]))];
  const suggestion = nearest(name, names);
  const hint =
    suggestion === undefined
      ? `enabled are ${names.join(', ') || 'none'}`
      : `did you mean "${suggestion}"?`;
  reader.addProblem(
    'globalValidation.redirectToProvider',
    `"${name}" is not an enabled provider (${dialect} words): ${hint}`,
  );
  return undefined;
}

function auditTarget(reader: ConfigReader): AuditTarget | undefined {
  if (!isObject(reader.value('login.audit'))) return undefined;
  const [file, stream] = [reader.text('login.audit.file'), reader.text('login.audit.stream')];
  if (file === undefined && stream === undefined)
    reader.addProblem('login.audit', 'needs file or stream');
  if (file !== undefined && stream !== undefined)
    reader.addProblem('login.audit.stream', "can't be set together with file");
  return file === undefined ? { stream: stream as 'stdout' | 'stderr' } : { file };
}

const minKeyCharacters = 16;

/** The keys in a secret, one per line. */
function keyLines(reader: ConfigReader, property: string): string[] {
  const secret = reader.secret(property);
  if (secret === undefined) return [];
  const keys = secret
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (keys.length === 0) reader.addProblem(property, 'its secret holds no key');
  if (keys.some((key) => key.length < minKeyCharacters))
    reader.addProblem(
      property,
      `a key has at least ${minKeyCharacters} characters; 64 hexadecimal digits are usual`,
    );
  return keys;
}

function blobSettings(reader: ConfigReader): BlobSettings | undefined {
  const property = 'login.tokenStore.azureBlobStorage';
  if (!isObject(reader.value(property))) return undefined;
  if (reader.boolean('login.tokenStore.enabled') !== true) return undefined;
  const sasUrl = reader.secret(`${property}.sasUrlSettingName`);
  const containerUri = reader.text(`${property}.blobContainerUri`);
  if (sasUrl !== undefined && !(/^https?:\/\//i.test(sasUrl) && URL.canParse(sasUrl)))
    reader.addProblem(
      `${property}.sasUrlSettingName`,
      'its secret must be the URL of a container, with a shared access signature',
    );
  if (containerUri !== undefined && !isSafeAddress(containerUri))
    reader.addProblem(
      `${property}.blobContainerUri`,
      'must be an https URL (http on loopback only)',
    );
  const clientId = reader.text(`${property}.clientId`);
  const managedIdentityResourceId = reader.text(`${property}.managedIdentityResourceId`);
  if (reader.text(`${property}.sasUrlSettingName`) !== undefined && containerUri !== undefined)
    reader.addProblem(
      `${property}.blobContainerUri`,
      "can't be set together with sasUrlSettingName",
    );
  if (clientId !== undefined && managedIdentityResourceId !== undefined)
    reader.addProblem(
      `${property}.clientId`,
      "can't be set together with managedIdentityResourceId",
    );
  if (reader.text(`${property}.sasUrlSettingName`) === undefined && containerUri === undefined)
    reader.addProblem(property, 'needs sasUrlSettingName or blobContainerUri');
  return {
    ...omitUndefined({ sasUrl, containerUri, clientId, managedIdentityResourceId }),
  };
}
