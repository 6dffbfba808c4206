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
/** A property that its object requires: `schemaOf` recognizes this object by identity. */
const requiredText: JsonSchema = { ...text };
const boolean: JsonSchema = { type: 'boolean' };
const textList: JsonSchema = { type: 'array', items: text };

/** The places of the described properties, with their schemas. */
function placesOf(properties: TProperties, parentPath = ''): Places {
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
        return Object.entries(placesOf(children, place === undefined ? parentPath : `${path}.`));
      if (place === undefined || (typeof place !== 'string' && place.ignoreOtherValues === true))
        return [];
      const [entry] = Object.values(patternProperties);
      if (entry?.['properties'] !== undefined)
        return Object.entries(placesOf(entry['properties'] as TProperties, `${path}.*.`));
      const { valueMap, constants = {} } = typeof place === 'string' ? {} : place;
      const constantPlaces = Object.entries(constants).map(
        ([name, value]) => [path.replace(/[^.]+$/, name), { const: value }] as const,
      );
      return [[path, writtenSchema(schema, valueMap)], ...constantPlaces];
    },
  );
  return Object.fromEntries(entries);
}

/** The schema of a value in the body, with the cloud's spelling of enumerated values. */
function writtenSchema(
  { type, enum: declaredValues }: TSchema,
  valueMap: Readonly<Record<string, unknown>> | undefined,
): JsonSchema {
  if (type === 'array') return textList;
  if (type === 'object') return { type: 'object', additionalProperties: textList };
  return declaredValues === undefined || valueMap === undefined
    ? { type: String(type) }
    : { type: 'string', enum: Object.values(valueMap) };
}

/** The schema of an object with exactly these places. */
function schemaOf(places: Places): JsonSchema {
  const children: Record<string, Record<string, JsonSchema>> = {};
  for (const [path, schema] of Object.entries(places)) {
    const [name = '', ...steps] = path.split('.');
    (children[name] ??= {})[steps.join('.')] = schema;
  }
  const entries = Object.entries(children).map(
    ([name, childPlaces]) => [name, childPlaces[''] ?? schemaOf(childPlaces)] as const,
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

/** The places of the settings that castellan.yaml can declare. */
const declaredPlaces = placesOf(auth.properties);
const customProvider = 'identityProviders.customOpenIdConnectProviders.*';

/**
 * Matches the settings that the cloud's layer lacks and sidecars have, in the sandbox or elsewhere.
 */
const sidecarOnlyPath =
  /\.legacyMicrosoftAccount\.|^globalValidation\.requirements$|\.requiredClaims$|Providers\.\*\.validation\./;

/** The places of all settings of the cloud's resource, also of those that can't be declared. */
const cloudPlaces: Places = {
  ...Object.fromEntries(
    Object.entries(declaredPlaces).filter(([path]) => !sidecarOnlyPath.test(path)),
  ),
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

/** The places of the validation rules that sidecars have for every provider. */
function validationPlaces(provider: string): (readonly [string, JsonSchema])[] {
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

/** The places of all settings of sidecars: also those of previews and of the web-app product. */
const sidecarPlaces: Places = {
  ...cloudPlaces,
  ...declaredPlaces,
  [`${customProvider}.login.loginParameterNames`]: textList,
  [`${customProvider}.registration.clientAuthMethod`]: {
    type: 'string',
    enum: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
  },
  'globalValidation.requireAuthentication': boolean,
  'globalValidation.allowedEmailDomains': textList,
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

/** The places with one prefix, moved below another. */
function renamePlaces(places: Places, from: string, to: string): Places {
  const matches = Object.entries(places).filter(([path]) => path.startsWith(from));
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
  ...schemaOf(renamePlaces(cloudPlaces, '', 'properties.')),
};

/** {@link authConfigsBodySchema} with the settings that the sandbox has and the cloud does not. */
export const sandboxAuthBodySchema: JsonSchema = schemaOf(
  renamePlaces(
    { ...cloudPlaces, ...declaredPlaces, 'globalValidation.requirements': requirementList },
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
    ...sidecarPlaces,
    ...renamePlaces(
      sidecarPlaces,
      `${customProvider}.`,
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
