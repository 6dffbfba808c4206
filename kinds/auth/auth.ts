import { pathPatternMistake } from './path-pattern.js';
import { providers } from './providers.js';
import { requirements } from './requirements.js';
import { timeSpanFormat } from './time-span.js';
import { kind } from '../schema/kind.js';
import { secret } from '../schema/secret.js';
import {
  closedObject,
  type DeclarationOf,
  boolean,
  list,
  number,
  text,
  enumOf,
} from '../schema/schema-builders.js';

const tokenStore = () =>
  closedObject(
    {
      enabled: boolean("Whether the providers' tokens are stored and sent to the app in headers.", {
        default: false,
        writeDefault: true,
        body: 'enabled',
      }),
      refreshExtensionHours: number(
        'How many hours after its end a session token may be refreshed.',
        {
          minimum: 0,
          default: 72,
          validate: (hours: unknown) =>
            Number.isInteger(hours) ? undefined : 'it must be an integer',
          body: 'tokenRefreshExtensionHours',
        },
      ),
      blobStorage: closedObject(
        { sasUrl: secret({ secretName: 'token-store-sas', body: 'sasUrlSettingName' }) },
        {
          description:
            'A blob container shared by all replicas, by a signed URL stored as a secret.',
          required: ['sasUrl'],
          body: 'azureBlobStorage',
        },
      ),
    },
    {
      description: "The store of the providers' tokens.",
      writeDefault: true,
      body: 'login.tokenStore',
    },
  );

const cookieExpiration = () =>
  closedObject(
    {
      convention: enumOf(['fixedTime', 'identityProviderDerived'], {
        description: 'What determines the end of a session.',
        default: 'fixedTime',
        body: {
          at: 'convention',
          valueMap: { fixedTime: 'FixedTime', identityProviderDerived: 'IdentityProviderDerived' },
        },
      }),
      timeToExpiration: text('How long a session lasts: hh:mm:ss.', {
        ...timeSpanFormat,
        body: 'timeToExpiration',
      }),
    },
    { description: 'The lifetime of a session cookie.', body: 'login.cookieExpiration' },
  );

const nonce = () =>
  closedObject(
    {
      validate: boolean('Whether the nonce of a sign-in is checked.', {
        default: true,
        body: 'validateNonce',
      }),
      expirationInterval: text('How long a sign-in may take: hh:mm:ss.', {
        ...timeSpanFormat,
        body: 'nonceExpirationInterval',
      }),
    },
    { description: 'The nonce of a browser sign-in.', body: 'login.nonce' },
  );

/** The limits of a custom path of the layer. */
export const authPathFormat = {
  pattern: '^(/(?!\\.{1,2}(/|$))[A-Za-z0-9._~-]+)+$',
  patternDescription: 'the form of a path such as /.auth: segments of letters, digits and . _ ~ -',
} as const;

/** The form of a header name. */
export const headerNameFormat = {
  pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
  patternDescription: 'the form of the name of a header',
} as const;

const routes = () =>
  closedObject(
    {
      apiPrefix: text('The prefix of the built-in endpoints.', {
        ...authPathFormat,
        body: 'httpSettings.routes.apiPrefix',
      }),
      logoutEndpoint: text('The path that signs out.', {
        ...authPathFormat,
        body: 'login.routes.logoutEndpoint',
      }),
    },
    { description: 'The paths of the built-in endpoints.' },
  );

const forwardProxy = () =>
  closedObject(
    {
      convention: enumOf(['noProxy', 'standard', 'custom'], {
        description: 'Which headers of a proxy are trusted.',
        default: 'noProxy',
        body: {
          at: 'convention',
          valueMap: { noProxy: 'NoProxy', standard: 'Standard', custom: 'Custom' },
        },
      }),
      customHostHeaderName: text('The header that carries the host.', {
        ...headerNameFormat,
        body: 'customHostHeaderName',
      }),
      customProtoHeaderName: text('The header that carries the scheme.', {
        ...headerNameFormat,
        body: 'customProtoHeaderName',
      }),
    },
    { description: 'A proxy in front of the app.', body: 'httpSettings.forwardProxy' },
  );

/**
 * The built-in sign-in layer of a container app (Sign-in rules): every setting of the cloud's
 * authConfigs under readable names.
 */
export const auth = kind(() => ({
  meaning: 'The built-in sign-in layer of the app.',
  terraform: { resourceTypes: [], azapi: 'Microsoft.App/containerApps/authConfigs' },
  required: ['providers'],
  properties: {
    enabled: boolean('Whether the layer runs.', {
      default: true,
      writeDefault: true,
      body: 'platform.enabled',
    }),
    runtimeVersion: text("The layer's version, such as ~1.", {
      minLength: 1,
      body: 'platform.runtimeVersion',
    }),
    restrictAccess: enumOf(['requireAuthentication', 'allowUnauthenticated'], {
      description: 'Whether unauthenticated requests are rejected or forwarded to the app.',
      default: 'requireAuthentication',
      body: {
        at: 'globalValidation.unauthenticatedClientAction',
        valueMap: { allowUnauthenticated: 'AllowAnonymous' },
        ignoreOtherValues: true,
      },
    }),
    unauthenticatedAction: enumOf(['redirectToLogin', 'return401', 'return403', 'allowAnonymous'], {
      description: 'The answer to an unauthenticated request when access is restricted.',
      body: {
        at: 'globalValidation.unauthenticatedClientAction',
        valueMap: {
          redirectToLogin: 'RedirectToLoginPage',
          allowAnonymous: 'AllowAnonymous',
          return401: 'Return401',
          return403: 'Return403',
        },
      },
    }),
    redirectTo: text('The provider to send unauthenticated browsers to.', {
      minLength: 1,
      body: {
        at: 'globalValidation.redirectToProvider',
        valueMap: {
          directory: 'azureactivedirectory',
          personal: 'legacymicrosoftaccount',
          search: 'google',
          social: 'facebook',
          codehost: 'github',
          microblog: 'twitter',
        },
        ignoreCase: true,
      },
    }),
    excludedPaths: list(
      text('A path; a trailing /* covers what is below.', {
        pattern: '^/',
        patternDescription: 'a slash at its beginning',
        validate: pathPatternMistake,
      }),
      { description: 'Paths that need no sign-in.', body: 'globalValidation.excludedPaths' },
    ),
    requirements: requirements(),
    requireHttps: boolean('Whether plain HTTP is refused.', {
      default: true,
      writeDefault: true,
      body: 'httpSettings.requireHttps',
    }),
    providers: providers(),
    tokenStore: tokenStore(),
    cookieExpiration: cookieExpiration(),
    nonce: nonce(),
    routes: routes(),
    forwardProxy: forwardProxy(),
    allowedExternalRedirectUrls: list(
      text('A URL.', { pattern: '^[A-Za-z][A-Za-z0-9+.-]*://\\S+$' }),
      {
        description: 'URLs outside the app that sign-in and sign-out may lead to.',
        body: 'login.allowedExternalRedirectUrls',
      },
    ),
    preserveUrlFragments: boolean('Whether the fragment of the address survives the sign-in.', {
      default: false,
      body: 'login.preserveUrlFragmentsForLogins',
    }),
    keys: closedObject(
      {
        encryption: secret({
          secretName: 'auth-encryption-key',
          body: 'containerAppAuthEncryptionSecretName',
        }),
        signing: secret({
          secretName: 'auth-signing-key',
          body: 'containerAppAuthSigningSecretName',
        }),
      },
      {
        description: "The app's own keys for cookies and tokens, instead of generated ones.",
        required: ['encryption', 'signing'],
        body: 'encryptionSettings',
      },
    ),
  },
}));

/** The built-in sign-in layer of a container app. */
export type AuthProps = DeclarationOf<typeof auth.schema>;
