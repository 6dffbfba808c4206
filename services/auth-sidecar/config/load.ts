import { readFileSync } from 'node:fs';
import { domainToASCII } from 'node:url';
import { load } from 'js-yaml';
import type { Dialect } from '../../../core/dialect/dialect.js';
import type { CastellanError } from '../../../core/errors/castellan-error.js';
import { nearest } from '../../../core/text/nearest.js';
import { headerName, ownPath } from '../../../kinds/auth/auth.js';
import { sidecarAuthSchema } from '../../../kinds/auth/auth-configs.js';
import { excludedPathMistake, excludedPrefix } from '../../../kinds/auth/excluded-path.js';
import { secondsOf } from '../../../kinds/auth/time-span.js';
import { readBody } from './body.js';
import { checkEndpoints } from './endpoints.js';
import { naming, withEnvironment } from './environment.js';
import { isObject } from '../../../core/values/is-object.js';
import { configError, type ConfigProblem } from './problems.js';
import { providerSettings } from './provider-settings.js';
import { ConfigReader } from './reader.js';
import { checkAgainst } from './schema-check.js';
import type { SecretSources } from './secrets.js';
import type {
  AllowedRedirect,
  BlobSettings,
  ForwardingSettings,
  Plain,
  ProviderSettings,
  SidecarSettings,
  UnauthenticatedAction,
} from './settings.js';

/** Where the configuration comes from. */
export interface ConfigSource {
  /** The `authConfigs` file, JSON or YAML. @default none: the environment says everything */
  readonly file?: string;
  /** Provider addresses (`--endpoints`). */
  readonly endpointsFile?: string;
  readonly dialect: Dialect;
  readonly secrets: SecretSources;
}

/**
 * Reads, validates and resolves the configuration: the file, and over it the variables `CASTELLAN_AUTH__…` of the environment.
 *
 * @throws CAS6001 with every problem by its property.
 */
export function loadConfig(source: ConfigSource): SidecarSettings {
  const { file } = source;
  const given = file === undefined ? { body: {}, problems: [] } : readBody(file, readText(file));
  const where = file ?? 'the environment';
  if (given.body === undefined) throw configError(where, given.problems);
  const { body, problems, variables } = withEnvironment(given.body, source.secrets.env, sidecarAuthSchema);
  const refused = (found: readonly ConfigProblem[]): CastellanError =>
    configError(
      where,
      found.map((problem) => naming(problem, variables)),
    );
  const read = new ConfigReader(body, source.secrets);
  const misfits = checkAgainst(sidecarAuthSchema, body);
  read.problems.push(...given.problems, ...problems, ...misfits);
  if (misfits.some(({ message }) => !message.startsWith('is not a known property'))) throw refused(read.problems);
  const settings = interpret(read, source);
  if (read.problems.length > 0) throw refused(read.problems);
  return settings;
}

/**
 * Settings of a body whose secrets aren't at hand, for what doesn't depend on them: who gets in. What is wrong with the body isn't said.
 */
export function settingsWithoutSecrets(body: Plain, dialect: Dialect): SidecarSettings {
  return interpret(new ConfigReader(body, { env: {} }), { dialect });
}

function interpret(read: ConfigReader, source: Pick<ConfigSource, 'dialect' | 'endpointsFile'>): SidecarSettings {
  const { endpoints, problems } = readEndpoints(source, read);
  read.problems.push(...problems);
  const providers = providerSettings({ read, dialect: source.dialect, endpoints });
  const action = unauthenticatedAction(read);
  const redirectTo = chosenProvider(read, providers, source.dialect);
  const logoutPath = pathSetting(read, 'login.routes.logoutEndpoint');
  const prefix = pathSetting(read, 'httpSettings.routes.apiPrefix') ?? '/.auth';
  const requireHttps = read.flag('httpSettings.requireHttps');
  const blob = blobSettings(read);
  const hours = read.at('login.tokenStore.tokenRefreshExtensionHours');
  const enabled = read.flag('platform.enabled') !== false;
  if (enabled && providers.length === 0 && action !== 'anonymous')
    read.warnings.push('no identity provider is enabled: no one can sign in');
  warnOfWithoutEffect(read);
  const convention = read.text('login.cookieExpiration.convention');
  return {
    dialect: source.dialect,
    enabled,
    unauthenticated: enabled ? action : 'anonymous',
    ...(redirectTo === undefined ? {} : { redirectTo }),
    excludedPaths: excludedPaths(read),
    emailDomains: emailDomains(read),
    requireHttps: requireHttps === true ? 'always' : requireHttps === false ? 'never' : 'known',
    forwarding: forwarding(read),
    prefix,
    ...(logoutPath === undefined ? {} : { logoutPath }),
    allowedRedirects: allowedRedirects(read),
    session: {
      providerDerived: convention === 'IdentityProviderDerived' || convention === 'IdentityDerived',
      seconds: timeSpan(read, 'login.cookieExpiration.timeToExpiration') ?? 8 * 3600,
    },
    nonce: {
      validate: read.flag('login.nonce.validateNonce') !== false,
      seconds: timeSpan(read, 'login.nonce.nonceExpirationInterval') ?? 300,
    },
    preserveFragments: read.flag('login.preserveUrlFragmentsForLogins') === true,
    tokens: {
      enabled: read.flag('login.tokenStore.enabled') === true,
      graceSeconds: (typeof hours === 'number' ? hours : 72) * 3600,
      ...(blob === undefined ? {} : { blob }),
    },
    silent401: read.flag('identityProviders.azureActiveDirectory.login.disableWWWAuthenticate') === true,
    providers,
    keys: {
      encryption: keyLines(read, 'encryptionSettings.containerAppAuthEncryptionSecretName'),
      signing: keyLines(read, 'encryptionSettings.containerAppAuthSigningSecretName'),
    },
    warnings: read.warnings,
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw configError(file, [{ property: file, message: `can't be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}` }]);
  }
}

function readEndpoints(source: Pick<ConfigSource, 'endpointsFile'>, read: ConfigReader): ReturnType<typeof checkEndpoints> {
  if (source.endpointsFile === undefined) return { endpoints: {}, problems: [] };
  const names = ['customOpenIdConnectProviders', 'openIdConnectProviders'].flatMap((group) => {
    const custom = read.at(`identityProviders.${group}`);
    return isObject(custom) ? Object.keys(custom) : [];
  });
  try {
    return checkEndpoints(load(readText(source.endpointsFile), { json: true }), names);
  } catch (error) {
    const problems: ConfigProblem[] = [
      { property: source.endpointsFile, message: `can't be parsed: ${(error as Error).message.split('\n')[0] ?? ''}` },
    ];
    return { endpoints: {}, problems };
  }
}

function unauthenticatedAction(read: ConfigReader): UnauthenticatedAction {
  if (read.flag('globalValidation.requireAuthentication') === false) return 'anonymous';
  switch (read.text('globalValidation.unauthenticatedClientAction')) {
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

/** `redirectToProvider` by configuration key, custom name or path word of either dialect's; the only provider when there is one. */
function chosenProvider(read: ConfigReader, providers: readonly ProviderSettings[], dialect: Dialect): string | undefined {
  const given = read.text('globalValidation.redirectToProvider');
  if (given === undefined) return providers.length === 1 ? providers[0]?.key : undefined;
  const wanted = given.toLowerCase();
  const found =
    providers.find(({ key, words }) => key === given || words.includes(given)) ??
    providers.find(({ key, words }) => key.toLowerCase() === wanted || words.some((word) => word.toLowerCase() === wanted));
  if (found !== undefined) return found.key;
  const names = providers.flatMap(({ key, words }) => [key, ...words]);
  const suggestion = nearest(given, names);
  const hint = suggestion === undefined ? `enabled are ${names.join(', ') || 'none'}` : `did you mean "${suggestion}"?`;
  read.problem('globalValidation.redirectToProvider', `"${given}" is not an enabled provider (${dialect} words): ${hint}`);
  return undefined;
}

function pathSetting(read: ConfigReader, at: string): string | undefined {
  const given = read.text(at);
  if (given === undefined) return undefined;
  const path = given.replace(/\/+$/, '');
  if (new RegExp(ownPath.pattern).test(path)) return path;
  read.problem(at, `must have ${ownPath.form}`);
  return undefined;
}

function excludedPaths(read: ConfigReader): string[] {
  return read.list('globalValidation.excludedPaths').map((given, index) => {
    const path = given.startsWith('/') ? given : `/${given}`; // the cloud takes paths without the slash
    const mistake = excludedPathMistake(path);
    if (mistake !== undefined) read.problem(`globalValidation.excludedPaths.${index}`, mistake.words);
    return excludedPrefix(path);
  });
}

function emailDomains(read: ConfigReader): string[] {
  return read.list('globalValidation.allowedEmailDomains').flatMap((given, index) => {
    const below = given.startsWith('*.') ? '*.' : '';
    const bare = given.slice(below.length);
    const domain = domainToASCII(bare);
    if (/^[\p{L}\p{M}\p{N}.-]+$/u.test(bare) && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)) return [`${below}${domain}`];
    const message = `"${given}" is not a domain such as contoso.example, or *.contoso.example for the domains below it`;
    read.problem(`globalValidation.allowedEmailDomains.${index}`, message);
    return [];
  });
}

function forwarding(read: ConfigReader): ForwardingSettings {
  const convention = (read.text('httpSettings.forwardProxy.convention') ?? 'NoProxy') as ForwardingSettings['convention'];
  const header = (name: string): string | undefined => {
    const at = `httpSettings.forwardProxy.${name}`;
    const value = read.text(at);
    if (value !== undefined && !new RegExp(headerName.pattern).test(value)) read.problem(at, `must have ${headerName.form}`);
    return convention === 'Custom' ? value?.toLowerCase() : undefined;
  };
  const [hostHeader, protoHeader] = [header('customHostHeaderName'), header('customProtoHeaderName')];
  return {
    convention,
    ...(hostHeader === undefined ? {} : { hostHeader }),
    ...(protoHeader === undefined ? {} : { protoHeader }),
  };
}

function allowedRedirects(read: ConfigReader): AllowedRedirect[] {
  return read.list('login.allowedExternalRedirectUrls').flatMap((given, index) => {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    if (
      url === undefined ||
      url.username !== '' ||
      url.password !== '' ||
      /^(javascript|data|vbscript|file|blob|about):$/.test(url.protocol)
    ) {
      read.problem(`login.allowedExternalRedirectUrls.${index}`, 'must be an absolute URL such as https://portal.example/welcome');
      return [];
    }
    return [{ base: `${url.protocol}//${url.host}`, path: url.pathname === '' ? '/' : url.pathname }];
  });
}

function timeSpan(read: ConfigReader, at: string): number | undefined {
  const given = read.text(at);
  if (given === undefined) return undefined;
  const seconds = secondsOf(given);
  if (seconds === undefined || seconds === 0) read.problem(at, `"${given}" is not a time: hh:mm:ss or d.hh:mm:ss, longer than nothing`);
  return seconds;
}

/** Keys of a secret, one a line. */
function keyLines(read: ConfigReader, at: string): string[] {
  const lines = (read.secret(at) ?? '').split(/\r?\n/).map((line) => line.trim());
  const keys = lines.filter((line) => line !== '');
  if (keys.some((key) => key.length < 16)) read.problem(at, 'a key has at least 16 characters; 64 hexadecimal digits are usual');
  return keys;
}

function blobSettings(read: ConfigReader): BlobSettings | undefined {
  const at = 'login.tokenStore.azureBlobStorage';
  if (!isObject(read.at(at))) return undefined;
  if (read.flag('login.tokenStore.enabled') !== true) return undefined;
  const sasUrl = read.secret(`${at}.sasUrlSettingName`);
  const containerUri = read.text(`${at}.blobContainerUri`);
  const clientId = read.text(`${at}.clientId`);
  const managedIdentityResourceId = read.text(`${at}.managedIdentityResourceId`);
  if (read.text(`${at}.sasUrlSettingName`) !== undefined && containerUri !== undefined)
    read.problem(`${at}.blobContainerUri`, "can't stand beside sasUrlSettingName");
  if (clientId !== undefined && managedIdentityResourceId !== undefined)
    read.problem(`${at}.clientId`, "can't stand beside managedIdentityResourceId");
  if (read.text(`${at}.sasUrlSettingName`) === undefined && containerUri === undefined)
    read.problem(at, 'needs sasUrlSettingName or blobContainerUri');
  return {
    ...(sasUrl === undefined ? {} : { sasUrl }),
    ...(containerUri === undefined ? {} : { containerUri }),
    ...(clientId === undefined ? {} : { clientId }),
    ...(managedIdentityResourceId === undefined ? {} : { managedIdentityResourceId }),
  };
}

/** Properties of the cloud's that mean nothing outside of it, and why. */
const reasons: Readonly<Record<string, string>> = {
  'platform.runtimeVersion': 'this program is its own version',
  'platform.configFilePath': 'the configuration is this file',
  'identityProviders.azureActiveDirectory.isAutoProvisioned': 'registrations are not made here',
  'identityProviders.azureStaticWebApps': 'this provider exists in its own product only',
  'login.tokenStore.fileSystem.directory': '--token-store says where entries are kept',
};

/** Warns of every property that is set and changes nothing. */
export function warnOfWithoutEffect(read: ConfigReader): void {
  for (const [path, reason] of Object.entries(reasons))
    if (read.at(path) !== undefined && read.flag(`${path}.enabled`) !== false) read.warnings.push(`${path} has no effect: ${reason}`);
  if (read.text('httpSettings.forwardProxy.convention') === 'Custom') return;
  for (const name of ['customHostHeaderName', 'customProtoHeaderName'])
    if (read.text(`httpSettings.forwardProxy.${name}`) !== undefined)
      read.warnings.push(`httpSettings.forwardProxy.${name} has no effect: the convention is not Custom`);
}
