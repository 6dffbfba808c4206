import type {
  Adapter,
  Client,
  Configuration,
  default as Provider,
  interactionPolicy,
  KoaContextWithOIDC,
} from 'oidc-provider';
import type * as OidcProviderModule from 'oidc-provider';
import {
  accessTokenClaims,
  checkRedemption,
  findAccount,
  grantAllScopes,
  stateParameterOf,
} from './accounts.js';
import { acceptLocalRedirectUris, clientAdapter } from './clients.js';
import { devicePollSeconds } from './discovery.js';
import {
  confirmCodePage,
  deviceSignedInPage,
  enterCodePage,
  errorPage,
  signedOutPage,
} from './pages.js';
import {
  apiScopesOf,
  resourceOf,
  directoryAudience,
  refreshScopeParameter,
  toResourceUri,
} from './scopes.js';
import { sendHtml, signOut } from './sign-out.js';
import { issuerOf, type IdentityProviderContext } from './context.js';
import { oauthError, tokenLifetimeSeconds } from './oauth-response.js';

/** Claims by the scope that requests them. */
const claims = {
  openid: [
    ...['sub', 'oid', 'tid', 'ver', 'acct', 'roles', 'groups', 'wids'],
    ...['_claim_names', '_claim_sources'],
  ],
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
  context: IdentityProviderContext,
  adapterOf: (model: string) => Adapter,
  onFailure: (error: Error) => void,
): Promise<Provider> {
  const { default: OidcProvider, interactionPolicy, errors } = await loadOidcProvider();
  const provider = new OidcProvider(issuerOf(context), {
    ...fixedSettings(context, onFailure),
    adapter: ((model) =>
      model === 'Client'
        ? clientAdapter(context.directory)
        : adapterOf(model)) as Configuration['adapter'],
    // Consent is always granted: the sandbox never asks for it.
    interactions: {
      policy: policyWithoutConsent(interactionPolicy),
      url: (_ctx, interaction) => `/${context.settings.tenantId}/sign-in/${interaction.uid}`,
    },
    findAccount: async (ctx, id, token) => {
      const clientId = ctx.oidc.client?.clientId ?? '';
      if (token !== undefined) await checkRedemption(context, id, clientId, errors);
      return findAccount(context, id, clientId);
    },
    loadExistingGrant: (ctx) => grantAllScopes(context, ctx, errors),
    extraTokenClaims: (ctx, token) => accessTokenClaims(context, token, requestedApiScopes(ctx)),
  });
  provider.on('authorization.success', ({ oidc }: KoaContextWithOIDC) => {
    const { client, session } = oidc;
    if (client !== undefined && session?.accountId !== undefined)
      context.onSignIn?.(session.accountId, client.clientId, stateParameterOf(oidc));
  });
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.oidc?.route === 'device_authorization' && ctx.status === 200)
      ctx.body = toCloudDeviceResponse(context.origin, ctx.body as DeviceResponse);
    const { error, error_description: description = '' } = (ctx.body ?? {}) as TokenErrorBody;
    if (ctx.oidc?.route === 'token' && error !== undefined && description.startsWith('AADSTS'))
      ctx.body = oauthError(ctx.status, error, description).body;
  });
  provider.on('server_error', (_ctx, error) => onFailure(error));
  provider.on('backchannel.error', (_ctx, error) => onFailure(error));
  acceptLocalRedirectUris(provider);
  Object.assign(provider.Client.prototype, {
    // Only the directory has the hashes of the secrets.
    compareClientSecret(this: { clientId: string }, secret: string) {
      return context.checkSecret(this.clientId, secret);
    },
    // As in the cloud: any address of the application's origins.
    postLogoutRedirectUriAllowed(this: { redirectUris?: string[] }, uri: string) {
      const origin = originOf(uri);
      return (
        origin !== undefined && (this.redirectUris ?? []).some((each) => originOf(each) === origin)
      );
    },
  });
  return provider;
}

/**
 * The configuration that is the same for all clients: keys, addresses, lifetimes, scopes, features.
 */
function fixedSettings(
  { settings, key, appFetch }: IdentityProviderContext,
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
    extraParams: { offline: keepOfflineAccess },
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
    // in seconds, about as in the cloud
    ttl: {
      AccessToken: tokenLifetimeSeconds,
      IdToken: tokenLifetimeSeconds,
      AuthorizationCode: 300,
      Interaction: 3600,
      DeviceCode: 900,
      Session: 86_400,
      Grant: 1_209_600,
      RefreshToken: 1_209_600,
    },
    ...(appFetch !== undefined && { fetch: appFetch as typeof fetch }),
    features: {
      backchannelLogout: { enabled: appFetch !== undefined },
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      deviceFlow: {
        enabled: true,
        mask: '*********',
        userCodeInputSource: (ctx, form, _out, error) =>
          sendHtml(
            ctx,
            enterCodePage(
              form,
              error === undefined || error.name === 'AbortedError' ? undefined : 'invalid-code',
            ),
          ),
        userCodeConfirmSource: (ctx, form, client, _device, code) =>
          sendHtml(ctx, confirmCodePage(form, client.clientName ?? client.clientId, code)),
        successSource: (ctx) => sendHtml(ctx, deviceSignedInPage()),
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => signOut(ctx, form, onFailure),
        postLogoutSuccessSource: (ctx: KoaContextWithOIDC) => sendHtml(ctx, signedOutPage()),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (ctx, client, requested) =>
          requested?.[0] ?? toResourceUri(requestedResource(ctx, client) ?? directoryAudience),
        useGrantedResource: () => true,
        getResourceServerInfo: (ctx, resource, client) => ({
          scope: requestedApiScopes(ctx).join(' '),
          audience: audienceOf(ctx, resource, client),
          accessTokenFormat: 'jwt',
          accessTokenTTL: tokenLifetimeSeconds,
        }),
      },
    },
    renderError: (ctx, out) =>
      sendHtml(
        ctx,
        errorPage(out.error, out.error_description ?? 'The request cannot be answered.'),
      ),
  };
}

/**
 * Keeps the scope `offline_access` of a request, and so its refresh token, as the cloud does:
 * oidc-provider removes it from a request without `prompt=consent`. Called for the extra parameter
 * `offline`, which oidc-provider reads after that.
 */
function keepOfflineAccess(ctx: KoaContextWithOIDC): void {
  const { params = {}, body } = ctx.oidc;
  const { scope: requestedScope } = (ctx.method === 'POST' ? body : ctx.query) ?? {};
  const isRequested = String(requestedScope).split(' ').includes('offline_access');
  const hasCode = String(params['response_type']).split(' ').includes('code');
  const scope = String(params['scope'] ?? '');
  if (isRequested && hasCode && !scope.includes('offline_access'))
    params['scope'] = `${scope} offline_access`;
}

type TokenErrorBody = Readonly<Partial<Record<'error' | 'error_description', string>>>;

type DeviceResponse = Readonly<Record<'user_code' | 'device_code' | 'expires_in', unknown>>;

/** The device authorization response (RFC 8628, section 3.2), with the cloud's text for people. */
function toCloudDeviceResponse(
  origin: string,
  { user_code, device_code, expires_in }: DeviceResponse,
): Readonly<Record<string, unknown>> {
  const verification_uri = `${origin}/devicelogin`;
  const message = `To sign in, use a web browser to open the page ${verification_uri} and enter the code ${String(user_code)} to authenticate.`;
  const interval = devicePollSeconds;
  return { user_code, device_code, verification_uri, expires_in, interval, message };
}

/**
 * The audience of an access token. A refresh token is for every resource, as in the cloud: which one
 * is meant, the scopes of its request say.
 */
function audienceOf(ctx: KoaContextWithOIDC, resource: string, client: Client): string {
  const isRefresh = ctx.oidc.entities.RefreshToken !== undefined;
  if (isRefresh) return requestedResource(ctx, client) ?? resource;
  return resource === toResourceUri(client.clientId) ? client.clientId : resource;
}

function requestedResource(ctx: KoaContextWithOIDC, { clientId }: Client): string | undefined {
  return resourceOf(requestedApiScopes(ctx).join(' '), clientId);
}

/**
 * The scopes that belong to a resource, not to signing in: those of the request, otherwise those of
 * the sign-in whose code or refresh token is redeemed.
 */
function requestedApiScopes({ oidc: { params, entities, body } }: KoaContextWithOIDC): string[] {
  const grant = entities.AuthorizationCode ?? entities.DeviceCode ?? entities.RefreshToken;
  const requests = [body?.[refreshScopeParameter], params?.['scope'], grant?.scope];
  const scopes = requests.map((scope) => apiScopesOf(typeof scope === 'string' ? scope : ''));
  return scopes.find((each) => each.length > 0) ?? [];
}

/**
 * No one is asked for consent; `prompt=select_account`, which the cloud's clients send, shows the
 * list of people.
 */
function policyWithoutConsent({
  base,
  Prompt,
}: typeof interactionPolicy): interactionPolicy.DefaultPolicy {
  const policy = base();
  policy.remove('consent');
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 0);
  return policy;
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
