import { Optional } from '@sinclair/typebox';
import { secretReference } from '../schema/secret.js';
import type { Declared } from '../schema/shapes.js';
import { closed, flag, list, reference, text } from '../schema/shapes.js';

/** The scopes, of either name, of which the token request of the personal account provider must include one. */
export const basicProfileScopes: readonly string[] = ['profile', 'wl.basic'];

/** A claim check compares at most this many groups: tokens of members of more carry a link instead of the list. */
const groupLimits = { maxItems: 200 } as const;

const enabled = Optional(flag('Whether the provider is offered.', { default: true }));
const scopes = Optional(list(text('A scope.', { pattern: '^\\S+$' }), { description: 'Scopes to ask for at sign-in.' }));
const allowedAudiences = Optional(
  list(text('An audience.', { minLength: 1 }), { description: 'Audiences that tokens may carry besides the client id.' }),
);
const clientId = text('The client id that the provider gave.', { minLength: 1 });

/** The directory identity platform (`/.auth/login/<directory provider>`). */
export const directoryProviderSchema = closed(
  {
    enabled,
    registration: Optional(reference(['registrations'], 'The registration of this stack to sign in with. Or give `clientId`.')),
    clientId: Optional(clientId),
    clientSecret: Optional(secretReference),
    clientSecretCertificate: Optional(
      closed(
        {
          thumbprint: Optional(text("The certificate's thumbprint.", { pattern: '^[0-9A-Fa-f]{40}$' })),
          issuer: Optional(text("The certificate's issuer.", { minLength: 1 })),
          subjectAlternativeName: Optional(text("The certificate's subject alternative name.", { minLength: 1 })),
        },
        { description: 'A certificate in place of a client secret.' },
      ),
    ),
    tenantId: Optional(text('The tenant whose people sign in. Default: the tenant of `azure`.', { minLength: 1 })),
    issuer: Optional(text('The OpenID issuer, where it is not that of the tenant.', { pattern: '^https://\\S+$' })),
    allowedAudiences,
    allowedGroups: Optional(
      list(reference(['groups', 'principals'], 'A group: of this stack, a principal, or an object id.'), {
        description: 'Only members of these groups get in: groups of this stack by name, or object ids.',
        minItems: 1,
        ...groupLimits,
      }),
    ),
    allowedPrincipals: Optional(
      list(reference(['principals'], 'A user or service principal: a principal, or an object id.'), {
        description: 'Only these users and service principals get in.',
        minItems: 1,
      }),
    ),
    allowedApplications: Optional(
      list(text('A client id.', { minLength: 1 }), {
        description: 'Only these client applications may call with a token (default policy).',
        minItems: 1,
      }),
    ),
    allowedClientApplications: Optional(
      list(text('A client id.', { minLength: 1 }), {
        description: 'Client applications that tokens may have been issued to (claim check).',
        minItems: 1,
      }),
    ),
    claimGroups: Optional(
      list(reference(['groups', 'principals'], 'A group.'), {
        description: 'Groups of which the `groups` claim of a token must name one (claim check).',
        minItems: 1,
        ...groupLimits,
      }),
    ),
    loginParameters: Optional(
      list(text('A parameter.', { pattern: '^[^=\\s]+=.*$' }), { description: 'Parameters of the sign-in request, each `key=value`.' }),
    ),
    disableWwwAuthenticate: Optional(flag('Whether 401 answers leave out the WWW-Authenticate header.', { default: false })),
  },
  { description: 'The directory identity platform.' },
);

/** A provider with a client id and a client secret: search, code host, personal account. */
export const clientProviderSchema = closed(
  { enabled, clientId, clientSecret: Optional(secretReference), scopes, allowedAudiences },
  { description: 'A provider with a client id and a client secret.' },
);

/** The code-hosting provider. */
export const codehostProviderSchema = closed(
  { enabled, clientId, clientSecret: secretReference, scopes },
  { description: 'The code-hosting provider.' },
);

/** The social network provider. */
export const socialProviderSchema = closed(
  {
    enabled,
    appId: text('The app id that the provider gave.', { minLength: 1 }),
    appSecret: secretReference,
    graphApiVersion: Optional(text("The version of the provider's API, such as v19.0.", { pattern: '^v\\d+\\.\\d+$' })),
    scopes,
  },
  { description: 'The social network provider.' },
);

/** The microblog provider. */
export const microblogProviderSchema = closed(
  {
    enabled,
    consumerKey: text('The consumer key that the provider gave.', { minLength: 1 }),
    consumerSecret: secretReference,
  },
  { description: 'The microblog provider.' },
);

/** Any OpenID Connect provider (`/.auth/login/<providerName>`). */
export const openIdConnectProviderSchema = closed(
  {
    enabled,
    clientId,
    clientSecret: Optional(secretReference),
    wellKnownConfiguration: Optional(
      text('The address of the discovery document; it takes precedence over the single endpoints.', { pattern: '^https://\\S+$' }),
    ),
    issuer: Optional(text('The issuer of the tokens.', { pattern: '^https://\\S+$' })),
    authorizationEndpoint: Optional(text('Where people are sent to sign in.', { pattern: '^https://\\S+$' })),
    tokenEndpoint: Optional(text('Where codes become tokens.', { pattern: '^https://\\S+$' })),
    certificationUri: Optional(text('Where the signing keys are published.', { pattern: '^https://\\S+$' })),
    nameClaimType: Optional(text("The claim that holds the user's name.", { minLength: 1 })),
    scopes,
  },
  { description: 'An OpenID Connect provider.' },
);

/** The directory identity platform as a provider of an app. */
export type DirectoryProviderProps = Declared<typeof directoryProviderSchema>;
/** An OpenID Connect provider of an app. */
export type OpenIdConnectProviderProps = Declared<typeof openIdConnectProviderSchema>;
