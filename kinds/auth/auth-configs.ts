import type { TProperties, TSchema } from '@sinclair/typebox';
import { metadataOf, pathOf } from '../schema/property-metadata.js';
import { auth } from './auth.js';

/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The places in a body: `identityProviders.customOpenIdConnectProviders.*.enabled`, with `*` for
 * names that the author chooses.
 */
type Places = Readonly<Record<string, JsonSchema>>;

const text: JsonSchema = { type: 'string' };
/** A property without which its object is refused. */
const requiredText: JsonSchema = { ...text };
const boolean: JsonSchema = { type: 'boolean' };
const texts: JsonSchema = { type: 'array', items: text };

/** The places of the described properties, with their schemas. */
function placesOf(properties: TProperties, above = ''): Places {
  const entries = Object.values(properties).flatMap(
    (schema: TSchema): readonly (readonly [string, JsonSchema])[] => {
      const [place] = [metadataOf(schema).body ?? []].flat();
      const { patternProperties = {}, properties: inside } = schema as {
        patternProperties?: Record<string, TSchema>;
        properties?: TProperties;
      };
      const path = place === undefined ? above : `${above}${pathOf(place)}`;
      if (inside !== undefined)
        return Object.entries(placesOf(inside, place === undefined ? above : `${path}.`));
      if (place === undefined || (typeof place !== 'string' && place.ignoreOtherValues === true))
        return [];
      const [entry] = Object.values(patternProperties);
      if (entry?.['properties'] !== undefined)
        return Object.entries(placesOf(entry['properties'] as TProperties, `${path}.*.`));
      const { valueMap, constants = {} } = typeof place === 'string' ? {} : place;
      const fixed = Object.entries(constants).map(
        ([name, value]) => [path.replace(/[^.]+$/, name), { const: value }] as const,
      );
      return [[path, writtenSchema(schema, valueMap)], ...fixed];
    },
  );
  return Object.fromEntries(entries);
}

/** The schema of a written value: words in the cloud's spelling. */
function writtenSchema(
  { type, enum: words }: TSchema,
  theirs: Readonly<Record<string, unknown>> | undefined,
): JsonSchema {
  if (type === 'array') return texts;
  if (type === 'object') return { type: 'object', additionalProperties: texts };
  return words === undefined || theirs === undefined
    ? { type: String(type) }
    : { type: 'string', enum: Object.values(theirs) };
}

/** The schema of an object with exactly these places. */
function schemaOf(places: Places): JsonSchema {
  const inside: Record<string, Record<string, JsonSchema>> = {};
  for (const [path, schema] of Object.entries(places)) {
    const [name = '', ...steps] = path.split('.');
    (inside[name] ??= {})[steps.join('.')] = schema;
  }
  const entries = Object.entries(inside).map(
    ([name, below]) => [name, below[''] ?? schemaOf(below)] as const,
  );
  const { '*': others, ...properties } = Object.fromEntries(entries);
  if (others !== undefined) return { type: 'object', additionalProperties: others };
  const required = entries.flatMap(([name, schema]) => (schema === requiredText ? [name] : []));
  return {
    type: 'object',
    properties,
    ...(required.length !== 0 && { required }),
    additionalProperties: false,
  };
}

const described = placesOf(auth.properties);
const custom = 'identityProviders.customOpenIdConnectProviders.*';

/** Settings that the cloud's layer lacks: those of sidecars, and of the sandbox. */
const notInCloud =
  /\.legacyMicrosoftAccount\.|^globalValidation\.requirements$|\.requiredClaims$|Providers\.\*\.validation\./;

/** Settings of the cloud's resource, also those that no declaration has. */
const inCloud: Places = {
  ...Object.fromEntries(Object.entries(described).filter(([path]) => !notInCloud.test(path))),
  'identityProviders.azureActiveDirectory.isAutoProvisioned': boolean,
  'identityProviders.azureStaticWebApps.enabled': boolean,
  'identityProviders.azureStaticWebApps.registration.clientId': text,
  'login.tokenStore.azureBlobStorage.sasUrlSettingName': requiredText,
  'login.tokenStore.tokenRefreshExtensionHours': { type: 'integer' },
};

const providerPlaces = [
  'azureActiveDirectory',
  'legacyMicrosoftAccount',
  'google',
  'facebook',
  'gitHub',
  'twitter',
  'apple',
  'customOpenIdConnectProviders.*',
].map((key) => `identityProviders.${key}`);

/** The rules that every provider of a sidecar can have. */
function validationPlaces(provider: string): (readonly [string, JsonSchema])[] {
  return [
    [`${provider}.validation.trustsEmail`, boolean],
    [`${provider}.validation.allowedGroups`, texts],
    [`${provider}.validation.requiredClaims`, { type: 'object', additionalProperties: texts }],
  ];
}

const requirementList: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      path: text,
      acrValues: texts,
      maxAge: {},
      groups: texts,
      claims: { type: 'object', additionalProperties: texts },
      emailDomains: texts,
    },
    required: ['path'],
    additionalProperties: false,
  },
};

/** Settings that only the previews have, only the sister web-app product, or only the sidecar. */
const inSidecar: Places = {
  ...inCloud,
  ...described,
  [`${custom}.login.loginParameterNames`]: texts,
  [`${custom}.registration.clientAuthMethod`]: {
    type: 'string',
    enum: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
  },
  'globalValidation.requireAuthentication': boolean,
  'globalValidation.allowedEmailDomains': texts,
  'globalValidation.requirements': requirementList,
  ...Object.fromEntries(providerPlaces.flatMap(validationPlaces)),
  'login.cookieExpiration.convention': {
    type: 'string',
    enum: ['FixedTime', 'IdentityProviderDerived', 'IdentityDerived'],
  },
  'login.tokenStore.azureBlobStorage.blobContainerUri': text,
  'login.tokenStore.azureBlobStorage.clientId': text,
  'login.tokenStore.azureBlobStorage.managedIdentityResourceId': text,
  'httpSettings.appTimeout': text,
  'httpSettings.clockTolerance': text,
  'httpSettings.maximumHeaderSize': { type: 'integer' },
  'httpSettings.preflight.allowedPaths': texts,
  'httpSettings.providerTimeout': text,
  'httpSettings.removedRequestHeaders': texts,
  'httpSettings.keptRequestHeaders': texts,
  'httpSettings.forwardedGroups': { type: 'string', enum: ['all', 'named'] },
  'httpSettings.forwardedUser': { type: 'string', enum: ['subject', 'providerAndSubject'] },
  'httpSettings.transport': { type: 'string', enum: ['auto', 'http', 'http2'] },
  'login.bearer.issuers': {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        issuer: text,
        audiences: texts,
        requiredClaims: { type: 'object', additionalProperties: texts },
      },
      required: ['issuer', 'audiences'],
      additionalProperties: false,
    },
  },
  'login.sessions.reevaluateAfter': text,
  'login.sessions.keptBy': { type: 'string', enum: ['cookie', 'store'] },
  'login.audit.file': text,
  'login.audit.stream': { type: 'string', enum: ['stdout', 'stderr'] },
  'login.tokenStore.fileSystem.directory': text,
  'login.tokenStore.tokenRefreshExtensionHours': { type: 'number', minimum: 0 },
  'platform.configFilePath': text,
};

/** The places with one prefix, moved below another. */
function renamePlaces(places: Places, from: string, to: string): Places {
  const matches = Object.entries(places).filter(([path]) => path.startsWith(from));
  return Object.fromEntries(
    matches.map(([path, schema]) => [to + path.slice(from.length), schema]),
  );
}

/**
 * The body of `Microsoft.App/containerApps/authConfigs@2025-07-01` (and 2024-03-01, 2026-01-01,
 * which are the same), strictly.
 */
export const authConfigsBodySchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:Microsoft.App:containerApps:authConfigs:2025-07-01',
  title: 'Microsoft.App/containerApps/authConfigs@2025-07-01 body',
  ...schemaOf(renamePlaces(inCloud, '', 'properties.')),
};

/** The same with what the sandbox's layer can do beyond the cloud's. */
export const sandboxAuthBodySchema: JsonSchema = schemaOf(
  renamePlaces(
    { ...inCloud, ...described, 'globalValidation.requirements': requirementList },
    '',
    'properties.',
  ),
);

/**
 * What the sidecar reads: the cloud's `properties`, what other products and versions have, and the
 * other spelling of custom providers.
 */
export const sidecarAuthSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:castellan:auth-sidecar:configuration',
  title: 'Configuration of the auth sidecar: the properties of authConfigs',
  ...schemaOf({
    ...inSidecar,
    ...renamePlaces(inSidecar, `${custom}.`, 'identityProviders.openIdConnectProviders.*.'),
  }),
};

/** Properties beside `properties` when the whole resource is given, as the cloud exports it. */
export const authConfigsEnvelope = [
  'properties',
  'id',
  'name',
  'type',
  'kind',
  'location',
  'apiVersion',
  'systemData',
  'tags',
] as const;
