import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, PageIterator } from '@microsoft/microsoft-graph-client';
import { Agent, fetch } from 'undici';
import { prepareFolder, sandboxPaths } from '../../../sandbox/paths.js';
import { openAuthority } from '../../../sandbox/tls/authority.js';
import { TestDirectory, securityGroup } from './support/directory.js';

/** The public client for the cloud's directory, over HTTP. */
describe('the public client', () => {
  let directory: TestDirectory;
  let client: Client;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-graph-'));
    const paths = sandboxPaths(folder);
    prepareFolder(paths);
    const authority = await openAuthority(paths);
    directory = await TestDirectory.start({ dialect: 'azure', openToAll: true, tls: await authority.issue(['localhost']) });
    await directory.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = directory.app.server.address() as AddressInfo;
    const dispatcher = new Agent({ connect: { ca: authority.certificate } });
    client = Client.initWithMiddleware({
      baseUrl: `https://localhost:${port}/`,
      customHosts: new Set(['localhost']),
      defaultVersion: 'v1.0',
      // The client's own transport can't be told of a private authority.
      middleware: {
        async execute(context) {
          const answer = await fetch(context.request as string, { ...(context.options as object), dispatcher });
          context.response = answer as unknown as Response;
        },
      },
    });
    for (let count = 0; count < 7; count++) await client.api('/groups').post(securityGroup({ displayName: `Page ${count}` }));
  });
  afterAll(async () => {
    await directory.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('iterates over pages', async () => {
    const seen: string[] = [];
    const first = await client.api('/groups').top(2).select(['id', 'displayName']).orderby('displayName').get();
    const pages = new PageIterator(client, first, (group: { displayName: string }) => seen.push(group.displayName) > 0);
    await pages.iterate();
    expect(seen).toEqual(Array.from({ length: 7 }, (_, index) => `Page ${index}`));
    expect(pages.isComplete()).toBe(true);
  });

  it('follows changes by delta', async () => {
    const seen: string[] = [];
    const pages = new PageIterator(client, await client.api('/groups/delta').get(), (group: { id: string }) => seen.push(group.id) > 0);
    await pages.iterate();
    expect(seen).toHaveLength(7);
    const link = pages.getDeltaLink() as string;
    await client.api(`/groups/${seen[0]}`).patch({ description: 'changed' });
    const changed = (await client.api(link).get()) as { value: { id: string; description: string }[] };
    expect(changed.value).toMatchObject([{ id: seen[0], description: 'changed' }]);
  });

  it('asks advanced queries and counts', async () => {
    const found = await client.api('/groups').header('ConsistencyLevel', 'eventual').count(true).search('"displayName:page 3"').get();
    expect([found['@odata.count'], found.value.map((group: { displayName: string }) => group.displayName)]).toEqual([1, ['Page 3']]);
    const filtered = await client
      .api('/groups')
      .header('ConsistencyLevel', 'eventual')
      .count(true)
      .filter("not startsWith(displayName, 'Page')")
      .get();
    expect(filtered['@odata.count']).toBe(0);
  });

  it('reads errors', async () => {
    await expect(client.api('/groups/00000000-0000-0000-0000-000000000000').get()).rejects.toMatchObject({
      statusCode: 404,
      code: 'Request_ResourceNotFound',
      message: expect.stringContaining('does not exist or one of its queried reference-property objects are not present'),
    });
  });
});
