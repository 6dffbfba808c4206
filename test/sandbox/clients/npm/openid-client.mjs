import assert from 'node:assert/strict';
import * as oidc from 'openid-client';
import { runCalls, sandbox, signIn } from './calls.mjs';

const { origin, tenantId, app, person } = sandbox;
const issuer = `${origin}/${tenantId}/v2.0`;
let config;
let tokens;

await runCalls('openid-client', {
  discovery: async () => {
    config = await oidc.discovery(new URL(issuer), app.appId, app.secret);
    assert.equal(config.serverMetadata().issuer, issuer);
  },
  'buildAuthorizationUrl, authorizationCodeGrant': async () => {
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()];
    const address = oidc.buildAuthorizationUrl(config, {
      redirect_uri: app.redirectUri,
      scope: 'openid profile email offline_access',
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
    });
    const callbackUrl = await signIn(address);
    tokens = await oidc.authorizationCodeGrant(config, callbackUrl, {
      pkceCodeVerifier,
      expectedState,
      expectedNonce,
    });
    assert.equal(tokens.claims().preferred_username, person.userPrincipalName);
  },
  refreshTokenGrant: async () => {
    const { sub } = tokens.claims();
    const newTokens = await oidc.refreshTokenGrant(config, tokens.refresh_token);
    assert.equal(newTokens.claims().sub, sub);
  },
  fetchUserInfo: async () => {
    const { sub } = tokens.claims();
    assert.equal((await oidc.fetchUserInfo(config, tokens.access_token, sub)).sub, sub);
  },
  clientCredentialsGrant: async () => {
    const answer = await oidc.clientCredentialsGrant(config, { scope: `${origin}/.default` });
    assert.ok(answer.expiresIn() > 3000);
  },
  initiateDeviceAuthorization: async () => {
    const { user_code } = await oidc.initiateDeviceAuthorization(config, { scope: 'openid' });
    assert.equal(user_code.length, 9);
  },
  buildEndSessionUrl: async () => {
    const address = oidc.buildEndSessionUrl(config, { id_token_hint: tokens.id_token });
    assert.equal((await fetch(address)).status, 200);
  },
});
