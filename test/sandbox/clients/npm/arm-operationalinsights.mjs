import assert from 'node:assert/strict';
import { OperationalInsightsManagementClient } from '@azure/arm-operationalinsights';
import { ResourceManagementClient } from '@azure/arm-resources';
import { cloud, credential } from './arm.mjs';
import { collect, runCalls, sandbox } from './calls.mjs';

const client = new OperationalInsightsManagementClient(credential, sandbox.subscriptionId, cloud);
const group = 'arm-operationalinsights';
const location = 'westeurope';
const resources = new ResourceManagementClient(credential, sandbox.subscriptionId, cloud);
await resources.resourceGroups.createOrUpdate(group, { location });

await runCalls('@azure/arm-operationalinsights', {
  'workspaces.beginCreateOrUpdateAndWait': async () => {
    const workspace = await client.workspaces.beginCreateOrUpdateAndWait(group, 'logs', {
      location,
      sku: { name: 'PerGB2018' },
    });
    assert.equal(workspace.provisioningState, 'Succeeded');
  },
  'workspaces.update': async () => {
    const { retentionInDays } = await client.workspaces.update(group, 'logs', {
      retentionInDays: 60,
    });
    assert.equal(retentionInDays, 60);
  },
  'workspaces.listByResourceGroup': async () => {
    assert.equal((await collect(client.workspaces.listByResourceGroup(group))).length, 1);
  },
  'sharedKeysOperations.getSharedKeys': async () => {
    const { primarySharedKey } = await client.sharedKeysOperations.getSharedKeys(group, 'logs');
    assert.ok(primarySharedKey.length > 20);
  },
  'workspaces.beginDeleteAndWait': async () => {
    await client.workspaces.beginDeleteAndWait(group, 'logs');
    await assert.rejects(client.workspaces.get(group, 'logs'), { statusCode: 404 });
  },
});
