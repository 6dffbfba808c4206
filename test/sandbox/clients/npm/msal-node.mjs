import assert from 'node:assert/strict';
import {
  ConfidentialClientApplication,
  ManagedIdentityApplication,
  PublicClientApplication,
} from '@azure/msal-node';
import { runCalls, sandbox, signIn } from './calls.mjs';

const { origin, tenantId, app, person } = sandbox;
const authority = `${origin}/${tenantId}`;
const knownAuthorities = [new URL(origin).host];
const auth = { clientId: app.appId, authority, knownAuthorities };
const client = new ConfidentialClientApplication({ auth: { ...auth, clientSecret: app.secret } });
const publicClient = new PublicClientApplication({ auth });
const scopes = ['openid', 'profile', 'offline_access'];
let account;

await runCalls('@azure/msal-node', {
  'ConfidentialClientApplication.acquireTokenByClientCredential': async () => {
    const request = { scopes: [`${origin}/.default`] };
    const { accessToken, fromCache } = await client.acquireTokenByClientCredential(request);
    assert.equal(fromCache, false);
    const answer = await fetch(`${origin}/v1.0/groups?$top=1`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    assert.notEqual(answer.status, 401);
    assert.equal((await client.acquireTokenByClientCredential(request)).fromCache, true);
  },
  'ConfidentialClientApplication.getAuthCodeUrl, acquireTokenByCode': async () => {
    const { redirectUri } = app;
    const address = await client.getAuthCodeUrl({ scopes, redirectUri, state: 's', nonce: 'n' });
    const { searchParams } = await signIn(address);
    assert.equal(searchParams.get('state'), 's');
    const code = searchParams.get('code');
    const result = await client.acquireTokenByCode({ scopes, redirectUri, code, nonce: 'n' });
    assert.equal(result.account.username, person.userPrincipalName);
    assert.equal(result.account.tenantId, tenantId);
    account = result.account;
  },
  'ConfidentialClientApplication.acquireTokenSilent': async () => {
    assert.equal((await client.acquireTokenSilent({ scopes, account })).fromCache, true);
    const fresh = await client.acquireTokenSilent({ scopes, account, forceRefresh: true });
    assert.equal(fresh.fromCache, false);
    assert.equal(fresh.account.homeAccountId, account.homeAccountId);
  },
  'PublicClientApplication.acquireTokenByUsernamePassword': async () => {
    const { account: signedIn } = await publicClient.acquireTokenByUsernamePassword({
      scopes,
      username: person.userPrincipalName,
      password: 'any',
    });
    assert.equal(signedIn.username, person.userPrincipalName);
  },
  'ManagedIdentityApplication.acquireToken': async () => {
    const { accessToken } = await new ManagedIdentityApplication().acquireToken({
      resource: origin,
    });
    assert.equal(JSON.parse(atob(accessToken.split('.')[1])).aud, origin);
  },
});
