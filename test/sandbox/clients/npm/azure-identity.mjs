import assert from 'node:assert/strict';
import {
  AuthorizationCodeCredential,
  ClientSecretCredential,
  ManagedIdentityCredential,
  UsernamePasswordCredential,
} from '@azure/identity';
import { runCalls, sandbox, signIn } from './calls.mjs';

const { origin, tenantId, app, person } = sandbox;
const options = { authorityHost: origin, disableInstanceDiscovery: true };
const scope = `${origin}/.default`;
const claimsOf = ({ token }) =>
  JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());

await runCalls('@azure/identity', {
  'ClientSecretCredential.getToken': async () => {
    const credential = new ClientSecretCredential(tenantId, app.appId, app.secret, options);
    assert.equal(claimsOf(await credential.getToken(scope)).appid, app.appId);
    const credentialWithWrongSecret = new ClientSecretCredential(
      tenantId,
      app.appId,
      'wrong',
      options,
    );
    await assert.rejects(credentialWithWrongSecret.getToken(scope), /7000215/);
  },
  'UsernamePasswordCredential.getToken': async () => {
    const { userPrincipalName: name } = person;
    const credential = new UsernamePasswordCredential(tenantId, app.appId, name, 'any', options);
    assert.equal(claimsOf(await credential.getToken(scope)).oid, person.id);
  },
  'AuthorizationCodeCredential.getToken': async () => {
    const address = new URL(`${origin}/${tenantId}/oauth2/v2.0/authorize`);
    address.search = new URLSearchParams({
      client_id: app.appId,
      redirect_uri: app.redirectUri,
      response_type: 'code',
      scope: `openid offline_access ${scope}`,
    });
    const code = (await signIn(address)).searchParams.get('code');
    const credential = new AuthorizationCodeCredential(
      tenantId,
      app.appId,
      app.secret,
      code,
      app.redirectUri,
      options,
    );
    assert.equal(claimsOf(await credential.getToken(scope)).oid, person.id);
  },
  'ManagedIdentityCredential.getToken': async () => {
    assert.equal(claimsOf(await new ManagedIdentityCredential().getToken(scope)).aud, origin);
  },
});
