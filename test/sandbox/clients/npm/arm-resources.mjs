import assert from 'node:assert/strict';
import { ResourceManagementClient } from '@azure/arm-resources';
import { cloud, credential } from './arm.mjs';
import { collect, runCalls, sandbox } from './calls.mjs';

const client = new ResourceManagementClient(credential, sandbox.subscriptionId, cloud);
const location = 'westeurope';
const groupName = 'arm-resources';
const identity = `/subscriptions/${sandbox.subscriptionId}/resourceGroups/${groupName}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/one`;
const identityApiVersion = '2023-01-31';

await runCalls('@azure/arm-resources', {
  'resourceGroups.createOrUpdate': async () => {
    const group = await client.resourceGroups.createOrUpdate(groupName, { location });
    assert.equal(group.properties.provisioningState, 'Succeeded');
  },
  'resourceGroups.checkExistence': async () => {
    assert.equal((await client.resourceGroups.checkExistence(groupName)).body, true);
    assert.equal((await client.resourceGroups.checkExistence('none')).body, false);
  },
  'resourceGroups.update': async () => {
    const { tags } = await client.resourceGroups.update(groupName, { tags: { team: 'one' } });
    assert.deepEqual(tags, { team: 'one' });
  },
  'resourceGroups.list': async () => {
    const groups = await collect(client.resourceGroups.list());
    assert.ok(groups.some((group) => group.name === groupName));
  },
  'resources.beginCreateOrUpdateByIdAndWait': async () => {
    const createdIdentity = await client.resources.beginCreateOrUpdateByIdAndWait(
      identity,
      identityApiVersion,
      {
        location,
      },
    );
    assert.equal(createdIdentity.name, 'one');
  },
  'resources.getById': async () => {
    assert.equal((await client.resources.getById(identity, identityApiVersion)).location, location);
  },
  'resources.listByResourceGroup': async () => {
    const resources = await collect(client.resources.listByResourceGroup(groupName));
    assert.deepEqual(
      resources.map((resource) => resource.name),
      ['one'],
    );
  },
  'resources.beginDeleteByIdAndWait': async () => {
    await client.resources.beginDeleteByIdAndWait(identity, identityApiVersion);
    await assert.rejects(client.resources.getById(identity, identityApiVersion), {
      statusCode: 404,
    });
  },
  'providers.get': async () => {
    const { registrationState } = await client.providers.get('Microsoft.App');
    assert.equal(registrationState, 'Registered');
  },
  'tagsOperations.beginCreateOrUpdateAtScopeAndWait, getAtScope': async () => {
    const scope = `/subscriptions/${sandbox.subscriptionId}/resourceGroups/${groupName}`;
    const properties = { tags: { team: 'two' } };
    await client.tagsOperations.beginCreateOrUpdateAtScopeAndWait(scope, { properties });
    assert.deepEqual((await client.tagsOperations.getAtScope(scope)).properties.tags, {
      team: 'two',
    });
  },
  'resourceGroups.beginDeleteAndWait': async () => {
    await client.resourceGroups.beginDeleteAndWait(groupName);
    await assert.rejects(client.resourceGroups.get(groupName), { code: 'ResourceGroupNotFound' });
  },
});
