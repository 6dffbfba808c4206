import type { TProperties, TSchema } from '@sinclair/typebox';
import { metadataOf, pathOf } from '../schema/property-metadata.js';
import { auth } from './auth.js';

/** A JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The schemas of settings by their paths in a body, such as
 * `identityProviders.customOpenIdConnectProviders.*.enabled`, with `*` for names that the author
 * chooses.
 */
type SettingSchemas = Readonly<Record<string, JsonSchema>>;

const text: JsonSchema = { type: 'string' };
/** A property that its object requires: `schemaOf` recognizes this object by identity. */
const requiredText: JsonSchema = { ...text };
const boolean: JsonSchema = { type: 'boolean' };
const textList: JsonSchema = { type: 'array', items: text };

/** The settings of the described properties. */
function settingSchemas(properties: TProperties, parentPath = ''): SettingSchemas {
  const entries = Object.values(properties).flatMap(
    (schema: TSchema): readonly (readonly [string, JsonSchema])[] => {
      // these properties have at most one place each
      const [place] = [metadataOf(schema).body ?? []].flat();
      const { patternProperties = {}, properties: children } = schema as {
        patternProperties?: Record<string, TSchema>;
        properties?: TProperties;
      };
      const path = place === undefined ? parentPath : `${parentPath}${pathOf(place)}`;
      if (children !== undefined)
        return Object.entries(
          settingSchemas(children, place === undefined ? parentPath : `${path}.`),
        );
      if (place === undefined || (typeof place !== 'string' && place.ignoreOtherValues === true))
        return [];
      const [entry] = Object.values(patternProperties);
      if (entry?.['properties'] !== undefined)
        return Object.entries(settingSchemas(entry['properties'] as TProperties, `${path}.*.`));
      const { valueMap, constants = {} } = typeof place === 'string' ? {} : place;
      const constantSettings = Object.entries(constants).map(
        ([name, value]) => [path.replace(/[^.]+$/, name), { const: value }] as const,
      );
      return [[path, valueSchema(schema, valueMap)], ...constantSettings];
    },
  );
  return Object.fromEntries(entries);
}

/** The schema of a value in the body, with the cloud's spelling of enumerated values. */
function valueSchema(
  { type, enum: declaredValues }: TSchema,
  valueMap: Readonly<Record<string, unknown>> | undefined,
): JsonSchema {
  if (type === 'array') return textList;
  if (type === 'object') return { type: 'object', additionalProperties: textList };
  return declaredValues === undefined || valueMap === undefined
    ? { type: String(type) }
    : { type: 'string', enum: Object.values(valueMap) };
}

/** The schema of an object with exactly these settings. */
function schemaOf(settings: SettingSchemas): JsonSchema {
  const children: Record<string, Record<string, JsonSchema>> = {};
  for (const [path, schema] of Object.entries(settings)) {
    const [name = '', ...steps] = path.split('.');
    (children[name] ??= {})[steps.join('.')] = schema;
  }
  const entries = Object.entries(children).map(
    ([name, childSettings]) => [name, childSettings[''] ?? schemaOf(childSettings)] as const,
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

/** The settings that castellan.yaml can declare. */
const declaredSettings = settingSchemas(auth.properties);
const customProviderPath = 'identityProviders.customOpenIdConnectProviders.*';

/**
 * Matches the settings that the cloud's layer lacks and sidecars have, in the sandbox or elsewhere.
 */
const sidecarOnlyPath =
  /\.legacyMicrosoftAccount\.|^globalValidation\.requirements$|\.requiredClaims$|Providers\.\*\.validation\./;

/** All settings of the cloud's resource, also of those that can't be declared. */
const cloudSettings: SettingSchemas = {
  ...Object.fromEntries(
    Object.entries(declaredSettings).filter(([path]) => !sidecarOnlyPath.test(path)),
  ),
  'identityProviders.azureActiveDirectory.isAutoProvisioned': boolean,
  'identityProviders.azureStaticWebApps.enabled': boolean,
  'identityProviders.azureStaticWebApps.registration.clientId': text,
  'login.tokenStore.azureBlobStorage.sasUrlSettingName': requiredText,
  'login.tokenStore.tokenRefreshExtensionHours': { type: 'integer' },
};

const providerPaths = [
  'azureActiveDirectory',
  'legacyMicrosoftAccount',
  'google',
  'facebook',
  'gitHub',
  'twitter',
  'apple',
  'customOpenIdConnectProviders.*',
].map((key) => `identityProviders.${key}`);

/** The validation rules that sidecars have for every provider. */
function validationSettings(provider: string): (readonly [string, JsonSchema])[] {
  return [
    [`${provider}.validation.trustsEmail`, boolean],
    [`${provider}.validation.allowedGroups`, textList],
    [`${provider}.validation.requiredClaims`, { type: 'object', additionalProperties: textList }],
  ];
}

const requirementList: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      path: text,
      acrValues: textList,
      maxAge: {},
      groups: textList,
      claims: { type: 'object', additionalProperties: textList },
      emailDomains: textList,
    },
    required: ['path'],
    additionalProperties: false,
  },
};

/** All settings of sidecars: also those of previews and of the web-app product. */
const sidecarSettings: SettingSchemas = {
  ...cloudSettings,
  ...declaredSettings,
  [`${customProviderPath}.login.loginParameterNames`]: textList,
  [`${customProviderPath}.registration.clientAuthMethod`]: {
    type: 'string',
    enum: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
  },
  'globalValidation.requireAuthentication': boolean,
  'globalValidation.allowedEmailDomains': textList,
  'globalValidation.requirements': requirementList,
  ...Object.fromEntries(providerPaths.flatMap(validationSettings)),
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
  'httpSettings.preflight.allowedPaths': textList,
  'httpSettings.providerTimeout': text,
  'httpSettings.removedRequestHeaders': textList,
  'httpSettings.keptRequestHeaders': textList,
  'httpSettings.forwardedGroups': { type: 'string', enum: ['all', 'named'] },
  'httpSettings.forwardedUser': { type: 'string', enum: ['subject', 'providerAndSubject'] },
  'httpSettings.transport': { type: 'string', enum: ['auto', 'http', 'http2'] },
  'login.bearer.issuers': {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        issuer: text,
        audiences: textList,
        requiredClaims: { type: 'object', additionalProperties: textList },
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

/** The settings whose paths begin with a prefix, with another one in its place. */
function replacePrefix(settings: SettingSchemas, from: string, to: string): SettingSchemas {
  const matches = Object.entries(settings).filter(([path]) => path.startsWith(from));
  return Object.fromEntries(
    matches.map(([path, schema]) => [to + path.slice(from.length), schema]),
  );
}

/**
 * The body of `Microsoft.App/containerApps/authConfigs@2025-07-01` (and 2024-03-01, 2026-01-01,
 * which are the same), without other properties.
 */
export const authConfigsBodySchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:Microsoft.App:containerApps:authConfigs:2025-07-01',
  title: 'Microsoft.App/containerApps/authConfigs@2025-07-01 body',
  ...schemaOf(replacePrefix(cloudSettings, '', 'properties.')),
};

/** {@link authConfigsBodySchema} with the settings that the sandbox has and the cloud does not. */
export const sandboxAuthBodySchema: JsonSchema = schemaOf(
  replacePrefix(
    { ...cloudSettings, ...declaredSettings, 'globalValidation.requirements': requirementList },
    '',
    'properties.',
  ),
);

/**
 * The settings that the sidecar reads: the cloud's `properties`, those of other products and
 * versions, and the other key of custom providers (`openIdConnectProviders`).
 */
export const sidecarAuthSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:castellan:auth-sidecar:configuration',
  title: 'Configuration of the auth sidecar: the properties of authConfigs',
  ...schemaOf({
    ...sidecarSettings,
    ...replacePrefix(
      sidecarSettings,
      `${customProviderPath}.`,
      'identityProviders.openIdConnectProviders.*.',
    ),
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
