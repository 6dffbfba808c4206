import type {
  Account,
  Adapter,
  ClientMetadata,
  Configuration,
  default as Provider,
  interactionPolicy,
  KoaContextWithOIDC,
} from 'oidc-provider';
import type * as OidcProviderModule from 'oidc-provider';
import { contentSecurityPolicy } from '../html.js';
import { backChannelUri, tellApps } from './back-channel.js';
import { personClaims } from '../../access/token-claims.js';
import { deviceGrant, deviceSeconds } from './discovery.js';
import {
  confirmCodePage,
  devicePage,
  enterCodePage,
  errorPage,
  signOutPage,
  signedOutPage,
} from './pages.js';
import {
  type Application,
  redirectUrisOf,
  unassignedMessage,
  resourceApplication,
} from './people.js';
import { issuerOf, resourceOf, type TokenContext, tokenSeconds } from './token-endpoint.js';

/** The default audience of a person's access token, as in the cloud. */
const directoryAudience = 'https://graph.microsoft.com';

/** Claims by the scope that requests them. */
const claims = {
  openid: ['sub', 'oid', 'tid', 'ver', 'acct', 'groups', 'wids', '_claim_names', '_claim_sources'],
  profile: ['name', 'preferred_username', 'given_name', 'family_name', 'upn'],
  email: ['email'],
};

/**
 * Loads oidc-provider without its warning about Node 20: the sandbox's tests run on 20, 22 and 24.
 */
async function loadOidcProvider(): Promise<typeof OidcProviderModule> {
  const { warn } = console;
  console.warn = (...parts: unknown[]) => {
    if (!String(parts[0]).includes('Unsupported runtime')) warn(...parts);
  };
  try {
    return await import('oidc-provider');
  } finally {
    console.warn = warn;
  }
}

/** The identity provider for users: oidc-provider with the directory's users and applications. */
export async function createOidcProvider(
  context: TokenContext,
  adapterOf: (model: string) => Adapter,
  onFailure: (error: Error) => void,
): Promise<Provider> {
  const { default: OidcProvider, interactionPolicy, errors } = await loadOidcProvider();
  const { directory } = context;
  const provider = new OidcProvider(issuerOf(context), {
    ...fixedSettings(context, onFailure),
    adapter: ((model) =>
      model === 'Client'
        ? {
            ...nothing,
            find: (id) =>
              directory.application(id).then((application) => application && clientOf(application)),
          }
        : adapterOf(model)) as Configuration['adapter'],
    // Consent is always granted: the sandbox never asks for it.
    interactions: {
      policy: withChoice(interactionPolicy),
      url: (_ctx, interaction) => `/${context.settings.tenantId}/sign-in/${interaction.uid}`,
    },
    findAccount: (ctx, id) => findAccount(context, id, ctx.oidc.client?.clientId ?? ''),
    loadExistingGrant: (ctx) => grantOf(context, ctx, errors),
    extraTokenClaims: (_ctx, token) => accessClaims(context, token),
  });
  provider.on('authorization.success', ({ oidc }: KoaContextWithOIDC) => {
    const { client, session } = oidc;
    if (client !== undefined && session?.accountId !== undefined)
      context.onSignIn?.(session.accountId, client.clientId, stateOf(oidc));
  });
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.oidc?.route === 'device_authorization' && ctx.status === 200)
      ctx.body = deviceAnswer(context.origin, ctx.body as DeviceAnswer);
  });
  provider.on('server_error', (_ctx, error) => onFailure(error));
  provider.on('backchannel.error', (_ctx, error) => onFailure(error));
  Object.assign(provider.Client.prototype, {
    // Only the directory knows secrets, as hashes that cannot be compared here.
    compareClientSecret(this: { clientId: string }, uri: string) {
      return context.checkSecret(this.clientId, uri);
    },
    // As in the cloud: any address of the application.
    postLogoutRedirectUriAllowed(this: { redirectUris?: string[] }, address: string) {
      const origin = originOf(address);
      return (
        origin !== undefined && (this.redirectUris ?? []).some((uri) => originOf(uri) === origin)
      );
    },
  });
  return provider;
}

/**
 * The configuration that is the same for all clients: keys, addresses, lifetimes, scopes, features.
 */
function fixedSettings(
  { settings, key, sendToApp }: TokenContext,
  onFailure: (error: Error) => void,
): Configuration {
  return {
    jwks: { keys: [key.privateJwk as never] },
    cookies: {
      keys: [settings.cookieKey],
      names: {
        session: 'castellan_session',
        interaction: 'castellan_sign_in',
        resume: 'castellan_resume',
      },
    },
    claims,
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    // The cloud's ID tokens contain the claims themselves.
    conformIdTokenClaims: false,
    responseTypes: ['code', 'id_token', 'code id_token'],
    pkce: { required: () => false },
    routes: {
      authorization: '/oauth2/v2.0/authorize',
      token: '/oauth2/v2.0/token',
      device_authorization: '/oauth2/v2.0/devicecode',
      code_verification: '/oauth2/deviceauth',
      jwks: '/discovery/v2.0/keys',
      end_session: '/oauth2/v2.0/logout',
    },
    ttl: {
      AccessToken: tokenSeconds,
      IdToken: tokenSeconds,
      AuthorizationCode: 300,
      Interaction: 3600,
      DeviceCode: 900,
      Session: 86_400,
      Grant: 1_209_600,
      RefreshToken: 1_209_600,
    },
    ...(sendToApp === undefined ? {} : { fetch: sendToApp as typeof fetch }),
    features: {
      backchannelLogout: { enabled: sendToApp !== undefined },
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      deviceFlow: {
        enabled: true,
        mask: '*********',
        userCodeInputSource: (ctx, form, _out, error) =>
          show(ctx, enterCodePage(form, error !== undefined && error.name !== 'AbortedError')),
        userCodeConfirmSource: (ctx, form, client, _device, code) =>
          show(ctx, confirmCodePage(form, client.clientName ?? client.clientId, code)),
        successSource: (ctx) => show(ctx, devicePage()),
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => signOut(ctx, form, onFailure),
        postLogoutSuccessSource: (ctx: KoaContextWithOIDC) => show(ctx, signedOutPage()),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (ctx, client, oneOf) =>
          oneOf?.[0] ?? resourceOf(apiScopes(ctx), client.clientId) ?? directoryAudience,
        useGrantedResource: () => true,
        getResourceServerInfo: (ctx, resource) => ({
          scope: apiScopes(ctx),
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: tokenSeconds,
        }),
      },
    },
    renderError: (ctx, out) =>
      show(ctx, errorPage(out.error, out.error_description ?? 'The request can not be answered.')),
  };
}

/** A person in oidc-provider's form, with the claims for an application. */
async function findAccount(
  { directory, settings }: TokenContext,
  id: string,
  clientId: string,
): Promise<Account | undefined> {
  const person = await directory.person(id);
  if (person === undefined) return undefined;
  return {
    accountId: person.id,
    claims: async () => {
      const memberships = await directory.membershipsOf(person.id);
      return {
        sub: person.id,
        ...personClaims(
          person,
          memberships,
          await directory.application(clientId),
          settings.tenantId,
        ),
      };
    },
  };
}

function stateOf({ params }: KoaContextWithOIDC['oidc']): string | undefined {
  return typeof params?.['state'] === 'string' ? params['state'] : undefined;
}

/**
 * The grants of a person for an application: everything. @throws AccessDenied for a person without
 * a required assignment
 */
async function grantOf(
  context: TokenContext,
  { oidc }: KoaContextWithOIDC,
  errors: (typeof OidcProviderModule)['errors'],
): Promise<InstanceType<Provider['Grant']>> {
  const { directory } = context;
  const clientId = oidc.client?.clientId ?? '';
  const accountId = oidc.session?.accountId ?? '';
  const person = await directory.person(accountId);
  if (person !== undefined && (await directory.refuseToken(person, clientId)) === 'unassigned') {
    context.onSignIn?.(accountId, clientId, stateOf(oidc));
    throw new errors.AccessDenied(unassignedMessage(person, clientId));
  }
  const grant = new oidc.provider.Grant({ clientId, accountId });
  grant.addOIDCScope('openid profile email offline_access');
  for (const [resource, server] of Object.entries(oidc.resourceServers ?? {}))
    grant.addResourceScope(resource, server.scope ?? '');
  await grant.save();
  return grant;
}

/** The claims of a person's access token, including those of the resource's own application. */
async function accessClaims(
  { directory, settings }: TokenContext,
  token: Parameters<NonNullable<Configuration['extraTokenClaims']>>[1],
): Promise<Record<string, unknown> | undefined> {
  const person = 'accountId' in token ? await directory.person(token.accountId) : undefined;
  if (person === undefined) return undefined;
  const scopes = [...(token.scopes ?? [])]
    .map((scope) => scope.slice(scope.lastIndexOf('/') + 1))
    .filter((scope) => scope !== '.default');
  const granted =
    token.aud === directoryAudience
      ? ['openid', 'profile', 'email', 'User.Read', ...scopes]
      : scopes;
  const application =
    (await resourceApplication(directory, String([token.aud].flat()[0]))) ??
    (await directory.application(token.clientId ?? ''));
  const all = personClaims(
    person,
    await directory.membershipsOf(person.id),
    application,
    settings.tenantId,
  );
  return {
    ...all,
    azp: token.clientId,
    appid: token.clientId,
    scp: [...new Set(granted)].join(' ') || 'user_impersonation',
  };
}

/** A registered application in oidc-provider's form. */
export function clientOf(application: Application): ClientMetadata {
  const secret = (application.passwordCredentials ?? []).length > 0;
  const redirectUris = redirectUrisOf(application);
  const backChannel = backChannelUri(redirectUris);
  const idTokens = application.web?.implicitGrantSettings?.enableIdTokenIssuance === true;
  return {
    client_id: application.appId,
    client_name: application.displayName ?? application.appId,
    // Native clients may use loopback addresses, and request refresh tokens without a consent page.
    application_type: 'native',
    redirect_uris: redirectUris,
    // An application without addresses is one on devices.
    response_types:
      redirectUris.length === 0 ? [] : idTokens ? ['code', 'id_token', 'code id_token'] : ['code'],
    grant_types: [
      'refresh_token',
      deviceGrant,
      ...(redirectUris.length === 0
        ? []
        : ['authorization_code', ...(idTokens ? ['implicit'] : [])]),
    ],
    token_endpoint_auth_method: secret ? 'client_secret_post' : 'none',
    ...(secret ? { client_secret: 'known to the directory only' } : {}),
    ...(backChannel === undefined
      ? {}
      : { backchannel_logout_uri: backChannel, backchannel_logout_session_required: true }),
  };
}

type DeviceAnswer = Readonly<Record<'user_code' | 'device_code' | 'expires_in', unknown>>;

/** The text on a device, in the cloud's words. */
function deviceAnswer(
  origin: string,
  { user_code, device_code, expires_in }: DeviceAnswer,
): Readonly<Record<string, unknown>> {
  const verification_uri = `${origin}/devicelogin`;
  const message = `To sign in, use a web browser to open the page ${verification_uri} and enter the code ${String(user_code)} to authenticate.`;
  return { user_code, device_code, verification_uri, expires_in, interval: deviceSeconds, message };
}

/** The scopes of a request that belong to a resource, not to signing in. */
function apiScopes(ctx: KoaContextWithOIDC): string {
  const scopes = String(ctx.oidc.params?.['scope'] ?? '');
  return scopes
    .split(' ')
    .filter((scope) => /[./]/.test(scope))
    .join(' ');
}

/**
 * No one is asked for consent; `prompt=select_account`, which the cloud's clients send, shows the
 * list of people.
 */
function withChoice({ base, Prompt }: typeof interactionPolicy): interactionPolicy.DefaultPolicy {
  const policy = base();
  policy.remove('consent');
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 0);
  return policy;
}

function show(ctx: KoaContextWithOIDC, content: string): void {
  ctx.type = 'html';
  ctx.set('content-security-policy', contentSecurityPolicy);
  ctx.body = content;
}

/**
 * Signs out at once if the application sends the ID token of the signed-in person, as in the cloud;
 * a bare link, which any page could contain, asks first.
 */
async function signOut(
  ctx: KoaContextWithOIDC,
  form: string,
  onFailure: (error: Error) => void,
): Promise<void> {
  const { session, entities, provider } = ctx.oidc;
  const subject = (entities['IdTokenHint'] as { payload?: { sub?: string } } | undefined)?.payload
    ?.sub;
  if (session === undefined || subject === undefined || subject !== session.accountId)
    return show(ctx, signOutPage(form));
  const { postLogoutRedirectUri, state } = (session.state ?? {}) as {
    postLogoutRedirectUri?: string;
    state?: string;
  };
  await tellApps(provider, session, onFailure);
  await session.destroy();
  ctx.cookies.set(provider.cookieName('session'), null, {
    httpOnly: true,
    overwrite: true,
    sameSite: 'lax',
    signed: true,
  });
  const next = postLogoutRedirectUri === undefined ? undefined : new URL(postLogoutRedirectUri);
  if (state !== undefined) next?.searchParams.set('state', state);
  if (next === undefined) return show(ctx, signedOutPage());
  ctx.status = 303;
  ctx.redirect(next.href);
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

const nothing: Adapter = {
  upsert: () => Promise.resolve(),
  find: () => Promise.resolve(undefined),
  findByUid: () => Promise.resolve(undefined),
  findByUserCode: () => Promise.resolve(undefined),
  consume: () => Promise.resolve(),
  destroy: () => Promise.resolve(),
  revokeByGrantId: () => Promise.resolve(),
};
