import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import type { Dialect } from '../../../core/dialect/dialect.js';
import type { CastellanError } from '../../../core/errors/castellan-error.js';
import { nearest } from '../../../core/text/nearest.js';
import { headerName, ownPath } from '../../../kinds/auth/auth.js';
import { sidecarAuthSchema } from '../../../kinds/auth/auth-configs.js';
import { excludedPathMistake, excludedPrefix } from '../../../kinds/auth/excluded-path.js';
import { readBody } from './body.js';
import { bearerIssuers } from './bearer-issuers.js';
import { emailDomains } from './email-domains.js';
import { limits, timeSpan } from './limits.js';
import { requirements } from './requirements.js';
import { checkEndpoints } from './endpoints.js';
import { naming, withEnvironment } from './environment.js';
import { isObject } from '../../../core/values/is-object.js';
import { withPlaces } from './places.js';
import { configError, type ConfigProblem } from './problems.js';
import { providerSettings } from './provider-settings.js';
import { ConfigReader } from './reader.js';
import { checkAgainst } from './schema-check.js';
import type { SecretSources } from './secrets.js';
import type {
  AllowedRedirect,
  AuditTarget,
  BlobSettings,
  ForwardingSettings,
  Plain,
  ProviderSettings,
  SidecarSettings,
  UnauthenticatedAction,
} from './settings.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** The sources of the configuration. */
export interface ConfigSource {
  /** The `authConfigs` file, JSON or YAML. @default none: the environment sets everything */
  readonly file?: string;
  /** Provider addresses (`--endpoints`). */
  readonly endpointsFile?: string;
  readonly dialect: Dialect;
  readonly secrets: SecretSources;
}

/**
 * Reads, checks and resolves the configuration: the file, overridden by the environment's variables
 * `CASTELLAN_AUTH__…`.
 *
 * @throws CAS6001 listing every problem by its property.
 */
export function loadConfig(source: ConfigSource): SidecarSettings {
  const { file } = source;
  const text = file === undefined ? '{}' : readText(file);
  const document = readBody(file ?? '', text);
  const where = file ?? 'the environment';
  if (document.body === undefined) throw configError(where, document.problems);
  const { body, problems, variables } = withEnvironment(
    document.body,
    source.secrets.env,
    sidecarAuthSchema,
  );
  const toError = (problems: readonly ConfigProblem[]): CastellanError =>
    configError(
      where,
      (file === undefined ? problems : withPlaces(file, text, problems)).map((problem) =>
        naming(problem, variables),
      ),
    );
  const reader = new ConfigReader(body, source.secrets);
  const misfits = checkAgainst(sidecarAuthSchema, body);
  reader.problems.push(...document.problems, ...problems, ...misfits);
  if (misfits.some(({ message }) => !message.startsWith('is not a known property')))
    throw toError(reader.problems);
  const settings = interpret(reader, source);
  if (reader.problems.length > 0) throw toError(reader.problems);
  return settings;
}

/**
 * Settings of a body without its secrets, for decisions that do not need them, such as who gets in.
 * Mistakes are not reported.
 */
export function settingsWithoutSecrets(body: Plain, dialect: Dialect): SidecarSettings {
  return interpret(new ConfigReader(body, { env: {} }), { dialect });
}

function interpret(
  reader: ConfigReader,
  source: Pick<ConfigSource, 'dialect' | 'endpointsFile'>,
): SidecarSettings {
  const { endpoints, problems } = readEndpoints(source, reader);
  reader.problems.push(...problems);
  const required = requirements(reader);
  const domains = emailDomains(reader, 'globalValidation.allowedEmailDomains');
  const providers = providerSettings(
    { reader, dialect: source.dialect, endpoints },
    required,
    domains,
  );
  const action = unauthenticatedAction(reader);
  const audit = auditTarget(reader);
  const redirectTo = chosenProvider(reader, providers, source.dialect);
  const logoutPath = pathSetting(reader, 'login.routes.logoutEndpoint');
  const prefix = pathSetting(reader, 'httpSettings.routes.apiPrefix') ?? '/.auth';
  const requireHttps = reader.flag('httpSettings.requireHttps');
  const blob = blobSettings(reader);
  const hours = reader.at('login.tokenStore.tokenRefreshExtensionHours');
  const enabled = reader.flag('platform.enabled') !== false;
  if (enabled && providers.length === 0 && action !== 'anonymous')
    reader.warnings.push('no identity provider is enabled: no one can sign in');
  warnOfWithoutEffect(reader);
  const convention = reader.text('login.cookieExpiration.convention');
  const reevaluateAfter = timeSpan(reader, 'login.sessions.reevaluateAfter');
  if (reevaluateAfter !== undefined && reader.flag('login.tokenStore.enabled') !== true)
    reader.problem(
      'login.sessions.reevaluateAfter',
      'needs login.tokenStore.enabled: the provider is asked with the tokens that it keeps',
    );
  return {
    dialect: source.dialect,
    enabled,
    unauthenticated: enabled ? action : 'anonymous',
    ...omitUndefined({ redirectTo }),
    excludedPaths: publicPaths(reader, 'globalValidation.excludedPaths'),
    preflightPaths: publicPaths(reader, 'httpSettings.preflight.allowedPaths'),
    limits: limits(reader),
    emailDomains: domains,
    requirements: required,
    requireHttps: requireHttps === true ? 'always' : requireHttps === false ? 'never' : 'known',
    forwarding: forwarding(reader),
    transport: reader.text('httpSettings.transport') === 'http2' ? 'http2' : 'http',
    headerExceptions: {
      removed: reader.list('httpSettings.removedRequestHeaders'),
      kept: reader.list('httpSettings.keptRequestHeaders'),
    },
    forwardedUser:
      reader.text('httpSettings.forwardedUser') === 'providerAndSubject'
        ? 'providerAndSubject'
        : 'subject',
    forwardedGroups: reader.text('httpSettings.forwardedGroups') === 'named' ? 'named' : 'all',
    prefix,
    ...omitUndefined({ logoutPath }),
    allowedRedirects: allowedRedirects(reader),
    session: {
      providerDerived: convention === 'IdentityProviderDerived' || convention === 'IdentityDerived',
      seconds: timeSpan(reader, 'login.cookieExpiration.timeToExpiration') ?? 8 * 3600,
      keptBy: reader.text('login.sessions.keptBy') === 'store' ? 'store' : 'cookie',
      ...omitUndefined({ reevaluateAfter }),
    },
    ...omitUndefined({ audit }),
    nonce: {
      validate: reader.flag('login.nonce.validateNonce') !== false,
      seconds: timeSpan(reader, 'login.nonce.nonceExpirationInterval') ?? 300,
    },
    preserveFragments: reader.flag('login.preserveUrlFragmentsForLogins') === true,
    tokens: {
      enabled: reader.flag('login.tokenStore.enabled') === true,
      graceSeconds: (typeof hours === 'number' ? hours : 72) * 3600,
      ...omitUndefined({ blob }),
    },
    silent401:
      reader.flag('identityProviders.azureActiveDirectory.login.disableWWWAuthenticate') === true,
    providers,
    bearerIssuers: bearerIssuers(reader, required, domains),
    keys: {
      encryption: keyLines(reader, 'encryptionSettings.containerAppAuthEncryptionSecretName'),
      signing: keyLines(reader, 'encryptionSettings.containerAppAuthSigningSecretName'),
    },
    warnings: reader.warnings,
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw configError(file, [
      {
        property: file,
        message: `can't be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}`,
      },
    ]);
  }
}

function readEndpoints(
  source: Pick<ConfigSource, 'endpointsFile'>,
  reader: ConfigReader,
): ReturnType<typeof checkEndpoints> {
  if (source.endpointsFile === undefined) return { endpoints: {}, problems: [] };
  const names = ['customOpenIdConnectProviders', 'openIdConnectProviders'].flatMap((group) => {
    const custom = reader.at(`identityProviders.${group}`);
    return isObject(custom) ? Object.keys(custom) : [];
  });
  try {
    return checkEndpoints(load(readText(source.endpointsFile), { json: true }), names);
  } catch (error) {
    const problems: ConfigProblem[] = [
      {
        property: source.endpointsFile,
        message: `can't be parsed: ${(error as Error).message.split('\n')[0] ?? ''}`,
      },
    ];
    return { endpoints: {}, problems };
  }
}

function unauthenticatedAction(reader: ConfigReader): UnauthenticatedAction {
  if (reader.flag('globalValidation.requireAuthentication') === false) return 'anonymous';
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
 * Finds `redirectToProvider` by configuration key, custom name or path word of either dialect; by
 * default the only provider.
 */
function chosenProvider(
  reader: ConfigReader,
  providers: readonly ProviderSettings[],
  dialect: Dialect,
): string | undefined {
  const name = reader.text('globalValidation.redirectToProvider');
  if (name === undefined) return providers.length === 1 ? providers[0]?.key : undefined;
  const lowerCase = name.toLowerCase();
  const match =
    providers.find(({ key, words }) => key === name || words.includes(name)) ??
    providers.find(
      ({ key, words }) =>
        key.toLowerCase() === lowerCase || words.some((word) => word.toLowerCase() === lowerCase),
    );
  if (match !== undefined) return match.key;
  const names = providers.flatMap(({ key, words }) => [key, ...words]);
  const suggestion = nearest(name, names);
  const hint =
    suggestion === undefined
      ? `enabled are ${names.join(', ') || 'none'}`
      : `did you mean "${suggestion}"?`;
  reader.problem(
    'globalValidation.redirectToProvider',
    `"${name}" is not an enabled provider (${dialect} words): ${hint}`,
  );
  return undefined;
}

function pathSetting(reader: ConfigReader, at: string): string | undefined {
  const text = reader.text(at);
  if (text === undefined) return undefined;
  const path = text.replace(/\/+$/, '');
  if (new RegExp(ownPath.pattern).test(path)) return path;
  reader.problem(at, `must have ${ownPath.patternDescription}`);
  return undefined;
}

/** Paths without a sign-in, in lower case. */
function publicPaths(reader: ConfigReader, at: string): string[] {
  return reader.list(at).map((text, index) => {
    const path = text.startsWith('/') ? text : `/${text}`; // the cloud accepts paths without the slash
    const mistake = excludedPathMistake(path);
    if (mistake !== undefined) reader.problem(`${at}.${index}`, mistake.message);
    return excludedPrefix(path);
  });
}

function forwarding(reader: ConfigReader): ForwardingSettings {
  const convention = (reader.text('httpSettings.forwardProxy.convention') ??
    'NoProxy') as ForwardingSettings['convention'];
  const header = (name: string): string | undefined => {
    const at = `httpSettings.forwardProxy.${name}`;
    const value = reader.text(at);
    if (value !== undefined && !new RegExp(headerName.pattern).test(value))
      reader.problem(at, `must have ${headerName.patternDescription}`);
    return convention === 'Custom' ? value?.toLowerCase() : undefined;
  };
  const [hostHeader, protoHeader] = [
    header('customHostHeaderName'),
    header('customProtoHeaderName'),
  ];
  return {
    convention,
    ...omitUndefined({ hostHeader, protoHeader }),
  };
}

function allowedRedirects(reader: ConfigReader): AllowedRedirect[] {
  return reader.list('login.allowedExternalRedirectUrls').flatMap((text, index) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (
      url === undefined ||
      url.username !== '' ||
      url.password !== '' ||
      /^(javascript|data|vbscript|file|blob|about):$/.test(url.protocol)
    ) {
      reader.problem(
        `login.allowedExternalRedirectUrls.${index}`,
        'must be an absolute URL such as https://portal.example/welcome',
      );
      return [];
    }
    return [
      { base: `${url.protocol}//${url.host}`, path: url.pathname === '' ? '/' : url.pathname },
    ];
  });
}

function auditTarget(reader: ConfigReader): AuditTarget | undefined {
  if (!isObject(reader.at('login.audit'))) return undefined;
  const [file, stream] = [reader.text('login.audit.file'), reader.text('login.audit.stream')];
  if (file === undefined && stream === undefined)
    reader.problem('login.audit', 'needs file or stream');
  if (file !== undefined && stream !== undefined)
    reader.problem('login.audit.stream', "can't be set together with file");
  return file === undefined ? { stream: stream as 'stdout' | 'stderr' } : { file };
}

/** The keys in a secret, one per line. */
function keyLines(reader: ConfigReader, at: string): string[] {
  const lines = (reader.secret(at) ?? '').split(/\r?\n/).map((line) => line.trim());
  const keys = lines.filter((line) => line !== '');
  if (keys.some((key) => key.length < 16))
    reader.problem(at, 'a key has at least 16 characters; 64 hexadecimal digits are usual');
  return keys;
}

function blobSettings(reader: ConfigReader): BlobSettings | undefined {
  const at = 'login.tokenStore.azureBlobStorage';
  if (!isObject(reader.at(at))) return undefined;
  if (reader.flag('login.tokenStore.enabled') !== true) return undefined;
  const sasUrl = reader.secret(`${at}.sasUrlSettingName`);
  const containerUri = reader.text(`${at}.blobContainerUri`);
  const clientId = reader.text(`${at}.clientId`);
  const managedIdentityResourceId = reader.text(`${at}.managedIdentityResourceId`);
  if (reader.text(`${at}.sasUrlSettingName`) !== undefined && containerUri !== undefined)
    reader.problem(`${at}.blobContainerUri`, "can't be set together with sasUrlSettingName");
  if (clientId !== undefined && managedIdentityResourceId !== undefined)
    reader.problem(`${at}.clientId`, "can't be set together with managedIdentityResourceId");
  if (reader.text(`${at}.sasUrlSettingName`) === undefined && containerUri === undefined)
    reader.problem(at, 'needs sasUrlSettingName or blobContainerUri');
  return {
    ...omitUndefined({ sasUrl, containerUri, clientId, managedIdentityResourceId }),
  };
}

/** Properties that have a meaning only in the cloud, and why. */
const reasons: Readonly<Record<string, string>> = {
  'platform.runtimeVersion': 'this program is its own version',
  'platform.configFilePath': 'the configuration is this file',
  'identityProviders.azureActiveDirectory.isAutoProvisioned': 'registrations are not made here',
  'identityProviders.azureStaticWebApps': 'this provider exists in its own product only',
  'login.tokenStore.fileSystem.directory': '--token-store says where entries are kept',
};

/** Warns about every property that is set and has no effect. */
export function warnOfWithoutEffect(reader: ConfigReader): void {
  for (const [path, reason] of Object.entries(reasons))
    if (reader.at(path) !== undefined && reader.flag(`${path}.enabled`) !== false)
      reader.warnings.push(`${path} has no effect: ${reason}`);
  if (reader.text('httpSettings.forwardProxy.convention') === 'Custom') return;
  for (const name of ['customHostHeaderName', 'customProtoHeaderName'])
    if (reader.text(`httpSettings.forwardProxy.${name}`) !== undefined)
      reader.warnings.push(
        `httpSettings.forwardProxy.${name} has no effect: the convention is not Custom`,
      );
}
