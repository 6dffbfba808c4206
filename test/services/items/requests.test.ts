import { deepBodies } from '../common/support/deep-bodies.js';
import { ids, part, startItems, workspacePath } from './support/start-items.js';
import type { StartedItems } from './support/start-items.js';

describe('requests of any shape', () => {
  let service: StartedItems;
  beforeAll(async () => (service = await startItems()));
  afterAll(() => service.stop());

  it('gives the address of what a POST made', async () => {
    const workspace = await service.call('POST', '/v1/workspaces', { body: { displayName: 'with an address' } });
    expect([workspace.status, workspace.headers.get('location')]).toEqual([201, `${service.origin}/v1/workspaces/${workspace.body.id}`]);
    const principal = { id: ids.stranger, type: 'User' };
    for (const [word, body] of [
      ['folders', { displayName: 'f' }],
      ['roleAssignments', { principal, role: 'Viewer' }],
    ] as const) {
      const { status, headers, body: made } = await service.call('POST', `/v1/workspaces/${workspace.body.id}/${word}`, { body });
      expect([status, headers.get('location')]).toEqual([201, `${service.origin}/v1/workspaces/${workspace.body.id}/${word}/${made.id}`]);
      const path = (headers.get('location') ?? '').slice(service.origin.length);
      expect((await service.call('GET', path)).status).toBe(200);
    }
  });

  it.each(deepBodies)('answers %s with 400, also inside a definition', async (_name, text) => {
    for (const path of ['/v1/workspaces', `${workspacePath}/eventstreams`, `${workspacePath}/items`])
      expect([path, (await service.call('POST', path, { raw: text })).status]).toEqual([path, 400]);
    const definition = { parts: [part('eventstream.json', text)] };
    const { status, body } = await service.call('POST', `${workspacePath}/eventstreams`, { body: { displayName: 'deep', definition } });
    expect([status, body.errorCode]).toEqual([400, 'CorruptedPayload']);
  });
});
