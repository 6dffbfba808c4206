import { Number as NumberSchema, Optional } from '@sinclair/typebox';
import { excludedPathMistake } from './excluded-path.js';
import {
  clientProviderSchema,
  codehostProviderSchema,
  directoryProviderSchema,
  microblogProviderSchema,
  openIdConnectProviderSchema,
  socialProviderSchema,
} from './providers.js';
import { providerNamePattern } from './provider-names.js';
import { timeSpan } from './time-span.js';
import { secretReference } from '../schema/secret.js';
import type { Declared } from '../schema/shapes.js';
import { closed, flag, list, named, text, words } from '../schema/shapes.js';

/** The identity providers of an app, by the specs' words. */
export const providersSchema = closed(
  {
    directory: Optional(directoryProviderSchema),
    personal: Optional(clientProviderSchema),
    search: Optional(clientProviderSchema),
    social: Optional(socialProviderSchema),
    codehost: Optional(codehostProviderSchema),
    microblog: Optional(microblogProviderSchema),
    apple: Optional(clientProviderSchema),
    openIdConnect: Optional(
      named(openIdConnectProviderSchema, {
        names: providerNamePattern,
        description: 'OpenID Connect providers by their name, which is the path segment after `/.auth/login/`.',
      }),
    ),
  },
  { description: 'The identity providers that people may sign in with.', minProperties: 1 },
);

const tokenStoreSchema = closed(
  {
    enabled: Optional(flag("Whether the providers' tokens are kept and handed to the app in headers.", { default: false })),
    refreshExtensionHours: Optional(
      NumberSchema({
        minimum: 0,
        default: 72,
        description: 'For how many hours after its end a session token may be refreshed.',
      }),
    ),
    blobStorage: Optional(
      closed({ sasUrl: secretReference }, { description: 'A blob container that all replicas share, by a signed URL kept as a secret.' }),
    ),
  },
  { description: "The store of the providers' tokens." },
);

/** The built-in sign-in layer of a container app (spec 000): every setting of the cloud's authConfigs under readable names. */
export const authSchema = closed(
  {
    enabled: Optional(flag('Whether the layer runs.', { default: true })),
    runtimeVersion: Optional(text("The layer's version, such as ~1.", { minLength: 1 })),
    restrictAccess: Optional(
      words(['requireAuthentication', 'allowUnauthenticated'], {
        description: 'Whether unauthenticated requests are rejected or passed to the app.',
        default: 'requireAuthentication',
      }),
    ),
    unauthenticatedAction: Optional(
      words(['redirectToLogin', 'return401', 'return403', 'allowAnonymous'], {
        description: 'What an unauthenticated request gets when access is restricted.',
      }),
    ),
    redirectTo: Optional(text('The provider to send unauthenticated browsers to.', { minLength: 1 })),
    excludedPaths: Optional(
      list(
        text('A path; a trailing /* covers what is below.', {
          pattern: '^/',
          form: 'a slash at its beginning',
          refuses: excludedPathMistake,
        }),
        { description: 'Paths that need no sign-in.' },
      ),
    ),
    requireHttps: Optional(flag('Whether plain HTTP is turned away.', { default: true })),
    providers: providersSchema,
    tokenStore: Optional(tokenStoreSchema),
    cookieExpiration: Optional(
      closed(
        {
          convention: Optional(
            words(['fixedTime', 'identityProviderDerived'], { description: 'What ends a session.', default: 'fixedTime' }),
          ),
          timeToExpiration: Optional(text('How long a session lasts: hh:mm:ss.', timeSpan)),
        },
        { description: 'How long a session cookie is good.' },
      ),
    ),
    nonce: Optional(
      closed(
        {
          validate: Optional(flag('Whether the nonce of a sign-in is checked.', { default: true })),
          expirationInterval: Optional(text('How long a sign-in may take: hh:mm:ss.', timeSpan)),
        },
        { description: 'The nonce of a browser sign-in.' },
      ),
    ),
    routes: Optional(
      closed(
        {
          apiPrefix: Optional(text('The prefix of the built-in endpoints.', { pattern: '^/[^\\s?#]*[^\\s?#/]$' })),
          logoutEndpoint: Optional(text('The path that signs out.', { pattern: '^/\\S+$' })),
        },
        { description: 'The paths of the built-in endpoints.' },
      ),
    ),
    forwardProxy: Optional(
      closed(
        {
          convention: Optional(
            words(['noProxy', 'standard', 'custom'], { description: 'Which headers of a proxy are trusted.', default: 'noProxy' }),
          ),
          customHostHeaderName: Optional(text('The header that carries the host.', { pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" })),
          customProtoHeaderName: Optional(text('The header that carries the scheme.', { pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" })),
        },
        { description: 'A proxy in front of the app.' },
      ),
    ),
    allowedExternalRedirectUrls: Optional(
      list(text('A URL.', { pattern: '^[A-Za-z][A-Za-z0-9+.-]*://\\S+$' }), {
        description: 'URLs outside the app that sign-in and sign-out may lead to.',
      }),
    ),
    preserveUrlFragments: Optional(flag('Whether the fragment of the address survives the sign-in.', { default: false })),
    keys: Optional(
      closed(
        { encryption: secretReference, signing: secretReference },
        { description: "The app's own keys for cookies and tokens, in place of those the layer makes." },
      ),
    ),
  },
  { description: 'The built-in sign-in layer of the app.' },
);

/** The built-in sign-in layer of a container app. */
export type AuthProps = Declared<typeof authSchema>;
