import { providerNamePattern } from './provider-names.js';
import type { PropertyMetadata } from '../schema/property-metadata.js';
import { secret } from '../schema/secret.js';
import { requiredClaims } from './requirements.js';
import {
  closedObject,
  type DeclarationOf,
  boolean,
  list,
  recordOf,
  reference,
  text,
} from '../schema/schema-builders.js';

/**
 * The names of the basic profile scope: the token request of the personal account provider must
 * include one of them.
 */
export const basicProfileScopes: readonly string[] = ['profile', 'wl.basic'];

const httpsAddress = {
  patternDescription: 'the format of an https address',
  alsoAcceptedByApi: {
    pattern: '^http://(localhost|127\\.0\\.0\\.1|\\[::1\\])[:/]',
    because: 'a provider on the same machine is called without TLS',
  },
} as const;

/**
 * The most groups in a claim check: tokens of members of more groups contain a link instead of the
 * list.
 */
const groupLimits = { maxItems: 200 } as const;

const enabled = () =>
  boolean('Whether the provider is offered.', {
    default: true,
    writeDefault: true,
    body: 'enabled',
  });
const scopes = () =>
  list(text('A scope.', { pattern: '^\\S+$' }), {
    description: 'Scopes to request at sign-in.',
    body: 'login.scopes',
  });
const allowedAudiences = (metadata: PropertyMetadata = {}) =>
  list(text('An audience.', { minLength: 1 }), {
    description: 'Allowed audiences of tokens besides the client id.',
    body: 'validation.allowedAudiences',
    ...metadata,
  });
const clientId = () =>
  text('The client id at the provider.', { minLength: 1, body: 'registration.clientId' });
const clientSecret = () => secret({ body: 'registration.clientSecretSettingName' });

const clientSecretCertificate = () =>
  closedObject(
    {
      thumbprint: text("The certificate's thumbprint.", {
        pattern: '^[0-9A-Fa-f]{40}$',
        patternDescription: '40 hexadecimal digits',
        body: 'registration.clientSecretCertificateThumbprint',
      }),
      issuer: text("The certificate's issuer.", {
        minLength: 1,
        body: 'registration.clientSecretCertificateIssuer',
      }),
      subjectAlternativeName: text("The certificate's subject alternative name.", {
        minLength: 1,
        body: 'registration.clientSecretCertificateSubjectAlternativeName',
      }),
    },
    { description: 'A certificate instead of a client secret.' },
  );

/** The directory identity platform (`/.auth/login/<directory provider>`). */
const directory = () =>
  closedObject(
    {
      enabled: enabled(),
      registration: reference(
        ['registrations'],
        'The registration of this stack to sign in with. Or give `clientId`.',
      ),
      clientId: clientId(),
      clientSecret: clientSecret(),
      clientSecretCertificate: clientSecretCertificate(),
      tenantId: text('The tenant whose users sign in. Default: the tenant of `azure`.', {
        minLength: 1,
      }),
      issuer: text('The OpenID issuer, if it differs from that of the tenant.', {
        pattern: '^https://\\S+$',
        ...httpsAddress,
        body: 'registration.openIdIssuer',
      }),
      allowedAudiences: allowedAudiences(),
      allowedGroups: list(
        reference(
          ['groups', 'principals'],
          'A group: of this stack, a principal, or an object id.',
        ),
        {
          description:
            'Only members of these groups get in: groups of this stack by name, or object ids.',
          minItems: 1,
          ...groupLimits,
          body: 'validation.defaultAuthorizationPolicy.allowedPrincipals.groups',
        },
      ),
      allowedPrincipals: list(
        reference(['principals'], 'A user or service principal: a principal, or an object id.'),
        {
          description: 'Only these users and service principals get in.',
          minItems: 1,
          body: 'validation.defaultAuthorizationPolicy.allowedPrincipals.identities',
        },
      ),
      allowedApplications: list(text('A client id.', { minLength: 1 }), {
        description: 'Only these client applications may call with a token (default policy).',
        minItems: 1,
        body: 'validation.defaultAuthorizationPolicy.allowedApplications',
      }),
      allowedClientApplications: list(text('A client id.', { minLength: 1 }), {
        description: 'Client applications to which tokens may be issued (claim check).',
        minItems: 1,
        body: 'validation.jwtClaimChecks.allowedClientApplications',
      }),
      claimGroups: list(reference(['groups', 'principals'], 'A group.'), {
        description: 'Groups, one of which must be in the `groups` claim of a token (claim check).',
        minItems: 1,
        ...groupLimits,
        body: 'validation.jwtClaimChecks.allowedGroups',
      }),
      requiredClaims: requiredClaims({
        omitByDefault: true,
        body: 'validation.requiredClaims',
      }),
      loginParameters: list(
        text('A parameter.', {
          pattern: '^[^=\\s]+=.*$',
          patternDescription: 'the form key=value',
        }),
        {
          description: 'Parameters of the sign-in request, each `key=value`.',
          body: 'login.loginParameters',
        },
      ),
      disableWwwAuthenticate: boolean('Whether 401 answers omit the WWW-Authenticate header.', {
        default: false,
        body: 'login.disableWWWAuthenticate',
      }),
    },
    {
      description: 'The directory identity platform.',
      body: 'identityProviders.azureActiveDirectory',
    },
  );

const clientProperties = () => ({
  enabled: enabled(),
  clientId: clientId(),
  clientSecret: clientSecret(),
  scopes: scopes(),
});
const clientMetadata = {
  description: 'A provider with a client id and a client secret.',
  required: ['clientId'],
} as const;

/**
 * A provider with a client id, a client secret and allowed audiences.
 *
 * @param key the key of the provider in `identityProviders`.
 */
const clientProvider = (key: string, metadata: PropertyMetadata = {}) =>
  closedObject(
    { ...clientProperties(), allowedAudiences: allowedAudiences({ omitByDefault: true }) },
    {
      ...clientMetadata,
      body: `identityProviders.${key}`,
      'x-name': 'ClientProviderDeclaration',
      ...metadata,
    },
  );

const codehost = () =>
  closedObject(clientProperties(), {
    description: 'The code-hosting provider.',
    required: ['clientId', 'clientSecret'],
    body: 'identityProviders.gitHub',
  });

const social = () =>
  closedObject(
    {
      enabled: enabled(),
      appId: text('The app id at the provider.', { minLength: 1, body: 'registration.appId' }),
      appSecret: secret({ body: 'registration.appSecretSettingName' }),
      graphApiVersion: text("The version of the provider's API, such as v19.0.", {
        pattern: '^v\\d+\\.\\d+$',
        patternDescription: 'the form of a version such as v19.0',
        body: 'graphApiVersion',
      }),
      scopes: scopes(),
    },
    {
      description: 'The social network provider.',
      required: ['appId', 'appSecret'],
      body: 'identityProviders.facebook',
    },
  );

const microblog = () =>
  closedObject(
    {
      enabled: enabled(),
      consumerKey: text('The consumer key at the provider.', {
        minLength: 1,
        body: 'registration.consumerKey',
      }),
      consumerSecret: secret({ body: 'registration.consumerSecretSettingName' }),
    },
    {
      description: 'The microblog provider.',
      required: ['consumerKey', 'consumerSecret'],
      body: 'identityProviders.twitter',
    },
  );

const endpoint = (description: string, name: string) =>
  text(description, {
    pattern: '^https://\\S+$',
    ...httpsAddress,
    body: `registration.openIdConnectConfiguration.${name}`,
  });

/** Any OpenID Connect provider (`/.auth/login/<providerName>`). */
const openIdConnect = () =>
  closedObject(
    {
      enabled: enabled(),
      clientId: clientId(),
      clientSecret: secret({
        body: {
          at: 'registration.clientCredential.clientSecretSettingName',
          constants: { method: 'ClientSecretPost' },
        },
      }),
      wellKnownConfiguration: endpoint(
        'The address of the discovery document; it takes precedence over the single endpoints.',
        'wellKnownOpenIdConfiguration',
      ),
      issuer: endpoint('The issuer of the tokens.', 'issuer'),
      authorizationEndpoint: endpoint(
        'The address to which users are sent to sign in.',
        'authorizationEndpoint',
      ),
      tokenEndpoint: endpoint('The address where codes are exchanged for tokens.', 'tokenEndpoint'),
      certificationUri: endpoint('The address of the signing keys.', 'certificationUri'),
      nameClaimType: text("The claim with the user's name.", {
        minLength: 1,
        body: 'login.nameClaimType',
      }),
      scopes: scopes(),
      allowedGroups: list(text('The name or id of a group at the provider.', { minLength: 1 }), {
        description:
          'Only members of these groups of the provider get in (its groups claim). Not in the cloud.',
        minItems: 1,
        omitByDefault: true,
        body: 'validation.allowedGroups',
      }),
      requiredClaims: requiredClaims({
        omitByDefault: true,
        body: 'validation.requiredClaims',
      }),
    },
    { description: 'An OpenID Connect provider.', required: ['clientId'] },
  );

/** The identity providers of an app, by their names in castellan.yaml. */
export const providers = () =>
  closedObject(
    {
      directory: directory(),
      personal: clientProvider('legacyMicrosoftAccount', { omitByDefault: true }),
      search: clientProvider('google'),
      social: social(),
      codehost: codehost(),
      microblog: microblog(),
      apple: closedObject(clientProperties(), {
        ...clientMetadata,
        body: 'identityProviders.apple',
      }),
      openIdConnect: recordOf(openIdConnect(), {
        namePattern: providerNamePattern,
        patternDescription:
          'only letters, digits, - and _, a letter or digit at its beginning, and at most 64 characters',
        description:
          'OpenID Connect providers by their name, which is the path segment after `/.auth/login/`.',
        body: 'identityProviders.customOpenIdConnectProviders',
      }),
    },
    { description: 'The identity providers for sign-in.', minProperties: 1 },
  );

/** The directory identity platform as a provider of an app. */
export type DirectoryProviderProps = DeclarationOf<ReturnType<typeof directory>>;
/** An OpenID Connect provider of an app. */
export type OpenIdConnectProviderProps = DeclarationOf<ReturnType<typeof openIdConnect>>;
