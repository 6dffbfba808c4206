import assert from 'node:assert/strict';
import {
  BatchRequestContent,
  BatchResponseContent,
  Client,
  PageIterator,
} from '@microsoft/microsoft-graph-client';
import { ClientSecretCredential } from '@azure/identity';
import { runCalls, sandbox } from './calls.mjs';

const { origin, tenantId, clientId, clientSecret, person } = sandbox;
const credential = new ClientSecretCredential(tenantId, clientId, clientSecret, {
  authorityHost: origin,
  disableInstanceDiscovery: true,
});
const graph = Client.initWithMiddleware({
  baseUrl: origin,
  customHosts: new Set(['localhost']),
  authProvider: {
    getAccessToken: async () => (await credential.getToken(`${origin}/.default`)).token,
  },
});
const group = (displayName) => ({
  displayName,
  mailNickname: displayName,
  mailEnabled: false,
  securityEnabled: true,
});
let createdGroup;

await runCalls('@microsoft/microsoft-graph-client', {
  "api('/users').get": async () => {
    const { value } = await graph.api('/users').select('id,userPrincipalName').top(5).get();
    assert.ok(value.some(({ id }) => id === person.id));
  },
  "api('/groups').post": async () => {
    createdGroup = await graph.api('/groups').post(group('one'));
    assert.equal(createdGroup.securityEnabled, true);
  },
  'api(group).patch': async () => {
    await graph.api(`/groups/${createdGroup.id}`).patch({ description: 'changed' });
    const { description } = await graph
      .api(`/groups/${createdGroup.id}`)
      .select('description')
      .get();
    assert.equal(description, 'changed');
  },
  "api('members/$ref').post, delete": async () => {
    const members = `/groups/${createdGroup.id}/members`;
    await graph
      .api(`${members}/$ref`)
      .post({ '@odata.id': `${origin}/v1.0/directoryObjects/${person.id}` });
    const { value } = await graph.api(members).get();
    assert.deepEqual(
      value.map(({ id }) => id),
      [person.id],
    );
    await graph.api(`${members}/${person.id}/$ref`).delete();
  },
  "filter, count, header('ConsistencyLevel')": async () => {
    const answer = await graph
      .api('/groups')
      .header('ConsistencyLevel', 'eventual')
      .count(true)
      .filter("displayName ne 'none' and startsWith(displayName,'on')")
      .get();
    assert.equal(answer['@odata.count'], 1);
  },
  PageIterator: async () => {
    for (const name of ['two', 'three', 'four']) await graph.api('/groups').post(group(name));
    const seenIds = [];
    const first = await graph.api('/groups').top(2).get();
    await new PageIterator(graph, first, ({ id }) => seenIds.push(id) > 0).iterate();
    assert.equal(new Set(seenIds).size, 4);
  },
  "api('/groups/delta').get": async () => {
    let answer = await graph.api('/groups/delta').get();
    while (answer['@odata.nextLink']) answer = await graph.api(answer['@odata.nextLink']).get();
    await graph.api('/groups').post(group('five'));
    const { value } = await graph.api(answer['@odata.deltaLink']).get();
    assert.deepEqual(
      value.map(({ displayName }) => displayName),
      ['five'],
    );
  },
  "BatchRequestContent, api('/$batch').post": async () => {
    const address = `${origin}/v1.0/groups/${createdGroup.id}`;
    const batch = new BatchRequestContent([{ id: '1', request: new Request(address) }]);
    const answer = await graph.api('/$batch').post(await batch.getContent());
    const response = new BatchResponseContent(answer).getResponseById('1');
    assert.equal((await response.json()).id, createdGroup.id);
  },
  "api('/applications').post, addPassword": async () => {
    const { id } = await graph.api('/applications').post({ displayName: 'Client' });
    const { secretText } = await graph.api(`/applications/${id}/addPassword`).post({});
    assert.ok(secretText.length > 20);
  },
  'api(group).delete, restore': async () => {
    const { id } = await graph.api('/groups').post({
      ...group('unified'),
      mailEnabled: true,
      groupTypes: ['Unified'],
      securityEnabled: false,
    });
    await graph.api(`/groups/${id}`).delete();
    await assert.rejects(graph.api(`/groups/${id}`).get(), { statusCode: 404 });
    await graph.api(`/directory/deletedItems/${id}/restore`).post({});
    assert.equal((await graph.api(`/groups/${id}`).get()).id, id);
  },
});
