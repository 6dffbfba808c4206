import assert from 'node:assert/strict';
import { ManagedServiceIdentityClient } from '@azure/arm-msi';
import { ResourceManagementClient } from '@azure/arm-resources';
import { cloud, credential } from './arm.mjs';
import { collect, runCalls, sandbox } from './calls.mjs';

const client = new ManagedServiceIdentityClient(credential, sandbox.subscriptionId, cloud);
const group = 'arm-msi';
const location = 'westeurope';
const resources = new ResourceManagementClient(credential, sandbox.subscriptionId, cloud);
await resources.resourceGroups.createOrUpdate(group, { location });

await runCalls('@azure/arm-msi', {
  'userAssignedIdentities.createOrUpdate': async () => {
    const { principalId } = await client.userAssignedIdentities.createOrUpdate(group, 'one', {
      location,
    });
    assert.match(principalId, /^[\da-f-]{36}$/);
  },
  'userAssignedIdentities.listByResourceGroup': async () => {
    const found = await collect(client.userAssignedIdentities.listByResourceGroup(group));
    assert.deepEqual(
      found.map(({ name }) => name),
      ['one'],
    );
  },
  'federatedIdentityCredentials.createOrUpdate, list': async () => {
    await client.federatedIdentityCredentials.createOrUpdate(group, 'one', 'ci', {
      issuer: 'https://token.actions.githubusercontent.com',
      subject: 'repo:contoso/shop:ref:refs/heads/main',
      audiences: ['api://AzureADTokenExchange'],
    });
    const found = await collect(client.federatedIdentityCredentials.list(group, 'one'));
    assert.deepEqual(
      found.map(({ name }) => name),
      ['ci'],
    );
  },
  'userAssignedIdentities.delete': async () => {
    await client.userAssignedIdentities.delete(group, 'one');
    await assert.rejects(client.userAssignedIdentities.get(group, 'one'), { statusCode: 404 });
  },
});
