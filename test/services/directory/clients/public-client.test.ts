import {
  BatchRequestContent,
  BatchResponseContent,
  Client,
  type Context,
  type Middleware,
  type PageCollection,
  PageIterator,
} from '@microsoft/microsoft-graph-client';
import { fetchTrusting } from '../../../../clients/common/index.js';
import { id, securityGroup, user } from '../support/directory.js';
import { ServedDirectory } from '../support/served.js';

/** Sends requests as the client's own handler does, trusting the test's authority. */
function middlewareTrusting(ca: string): Middleware {
  const send = fetchTrusting(ca);
  return {
    async execute(context: Context) {
      context.response = await send(String(context.request), context.options as RequestInit);
    },
  };
}

describe("the cloud's public client", () => {
  let served: ServedDirectory;
  let client: Client;
  beforeAll(async () => {
    served = await ServedDirectory.start(
      { dialect: 'azure', seed: { users: [user(id(1)), user(id(2))] } },
      'tls',
    );
    client = Client.initWithMiddleware({
      baseUrl: served.origin,
      customHosts: new Set(['127.0.0.1']),
      middleware: middlewareTrusting(served.ca),
    });
    for (let count = 0; count < 25; count++)
      await client
        .api('/groups')
        .post(securityGroup({ displayName: `Paged ${String(count).padStart(2, '0')}` }));
  });
  afterAll(() => served.stop());

  /**
   * @claim client-pages: PageIterator reads all pages and continues where it stopped.
   * @source https://learn.microsoft.com/graph/sdks/paging
   * @seen graph-client
   */
  it('reads all pages with its PageIterator, and continues where it stopped', async () => {
    const firstPage = (await client
      .api('/groups')
      .top(4)
      .filter("startsWith(displayName,'Paged')")
      .select('displayName')
      .get()) as PageCollection;
    const displayNames: string[] = [];
    const iterator = new PageIterator(client, firstPage, (group: { displayName: string }) => {
      displayNames.push(group.displayName);
      return displayNames.length !== 10;
    });
    await iterator.iterate();
    expect(displayNames).toHaveLength(10);
    await iterator.resume();
    expect(iterator.isComplete()).toBe(true);
    expect(new Set(displayNames).size).toBe(25);
  });

  /**
   * @claim client-advanced: The header of an advanced query is needed on every page.
   * @source https://learn.microsoft.com/graph/aad-advanced-queries
   * @seen graph-client
   */
  it('sends advanced queries, with their header on every page', async () => {
    const headers = { ConsistencyLevel: 'eventual' };
    const firstPage = (await client
      .api('/groups')
      .headers(headers)
      .count(true)
      .top(10)
      .filter("displayName ne 'Paged 00'")
      .orderby('displayName desc')
      .get()) as PageCollection;
    expect(firstPage['@odata.count']).toBe(24);
    const displayNames: string[] = [];
    const iterator = new PageIterator(
      client,
      firstPage,
      (group: { displayName: string }) => displayNames.push(group.displayName) > 0,
      { headers },
    );
    await iterator.iterate();
    expect(displayNames).toEqual([...displayNames].sort().reverse());
    expect(displayNames).toHaveLength(24);
    expect(await client.api('/groups/$count').headers(headers).get()).toBe('25');
  });

  /**
   * @claim client-delta: The client follows a delta from its token.
   * @source https://learn.microsoft.com/graph/delta-query-overview
   * @seen graph-client
   */
  it('follows deltas from their token', async () => {
    let page = (await client.api('/groups/delta').select('displayName').get()) as PageCollection;
    while (page['@odata.nextLink'] !== undefined)
      page = (await client.api(page['@odata.nextLink']).get()) as PageCollection;
    const created = (await client.api('/groups').post(securityGroup({ displayName: 'Late' }))) as {
      id: string;
    };
    const delta = (await client.api(page['@odata.deltaLink'] as string).get()) as PageCollection;
    expect(delta.value).toEqual([expect.objectContaining({ id: created.id, displayName: 'Late' })]);
  });

  /**
   * @claim client-batch: The client batches requests that depend on each other.
   * @source https://learn.microsoft.com/graph/sdks/batch-requests
   * @seen graph-client
   */
  it('batches dependent requests with its own batch content', async () => {
    const content = new BatchRequestContent([
      {
        id: '1',
        request: new Request(`${served.origin}/groups?$top=1&$select=id`, { method: 'GET' }),
      },
      {
        id: '2',
        dependsOn: ['1'],
        request: new Request(`${served.origin}/groups`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(securityGroup({ displayName: 'Batched' })),
        }),
      },
      {
        id: '3',
        dependsOn: ['1'],
        request: new Request(`${served.origin}/users/${id(404)}`, { method: 'GET' }),
      },
    ]);
    const answers = new BatchResponseContent(
      await client.api('/$batch').post(await content.getContent()),
    );
    const statusesAndBodies = await Promise.all(
      ['1', '2', '3'].map(async (each) => [
        answers.getResponseById(each).status,
        await answers.getResponseById(each).json(),
      ]),
    );
    expect(statusesAndBodies).toMatchObject([
      [200, { value: [{ id: expect.any(String) }] }],
      [201, { displayName: 'Batched' }],
      [404, { error: { code: 'Request_ResourceNotFound' } }],
    ]);
  });

  /**
   * @claim client-objects: The client creates and changes users, references and applications,
   *   and reads the code of an error.
   * @source https://learn.microsoft.com/graph/errors
   * @seen graph-client
   */
  it('reads and writes users, references and applications, and sees errors with their code', async () => {
    const application = (await client.api('/applications').post({ displayName: 'Public' })) as {
      id: string;
      appId: string;
    };
    const principal = (await client
      .api('/servicePrincipals')
      .post({ appId: application.appId })) as { id: string };
    expect(
      await client.api(`/servicePrincipals/${principal.id}`).expand('owners').get(),
    ).toMatchObject({ owners: [] });
    await client
      .api(`/applications/${application.id}/owners/$ref`)
      .post({ '@odata.id': `${served.origin}/v1.0/directoryObjects/${id(1)}` });
    const { value } = (await client
      .api(`/applications/${application.id}/owners`)
      .get()) as PageCollection;
    expect(value).toEqual([
      expect.objectContaining({ '@odata.type': '#microsoft.graph.user', id: id(1) }),
    ]);
    await client
      .api(`/users/${id(2)}`)
      .version('beta')
      .update({ department: 'Sales' });
    expect(
      await client
        .api(`/users/${id(2)}`)
        .select(['department'])
        .get(),
    ).toMatchObject({ department: 'Sales' });
    await expect(client.api(`/users/${id(404)}`).get()).rejects.toMatchObject({
      statusCode: 404,
      code: 'Request_ResourceNotFound',
    });
  });
});
