import { onEveryEngine } from '../support/engines.js';
import { TestDirectory } from '../support/directory.js';

const device = (properties: object): object => ({
  operatingSystem: 'Linux',
  operatingSystemVersion: '1',
  ...properties,
});

onEveryEngine('deleted items', (openDatabase) => {
  let directory: TestDirectory;
  beforeAll(async () => {
    directory = await TestDirectory.start({ database: await openDatabase() });
  });
  afterAll(async () => {
    await directory.stop();
    await directory.database.close();
  });

  const create = async (collection: string, body: object): Promise<string> => {
    const answer = await directory.post(`/${collection}`, body);
    expect(answer.status).toBe(201);
    return String(answer.body.id);
  };
  const restore = async (id: string): Promise<number> =>
    (await directory.post(`/directory/deletedItems/${id}/restore`)).status;

  it.each([
    ['device', 'devices', (name: string) => device({ displayName: name, deviceId: name })],
    ['application', 'applications', (name: string) => ({ displayName: name })],
    ['administrativeUnit', 'administrativeUnits', (name: string) => ({ displayName: name })],
  ])('of the type %s are found and sorted by when they were deleted', async (type, path, body) => {
    for (const name of ['first', 'second']) {
      await directory.delete(`/${path}/${await create(path, body(name))}`);
      directory.passTime({ seconds: 60 });
    }
    const deleted = `/directory/deletedItems/svc.directory.${type}?$select=displayName`;
    const list = async (query: string): Promise<unknown> =>
      (await directory.advanced(`${deleted}&$count=true&${query}`)).body.value;
    expect(await list('$orderby=deletedDateTime desc')).toEqual([
      { displayName: 'second' },
      { displayName: 'first' },
    ]);
    const minuteAgo = new Date(directory.clock.now - 61_000).toISOString();
    expect(await list(`$filter=deletedDateTime ge ${minuteAgo}`)).toEqual([
      { displayName: 'second' },
    ]);
  });

  it.each(['users', 'groups', 'devices'])('are not among %s, to be sorted there', async (path) => {
    const answer = await directory.advanced(`/${path}?$count=true&$orderby=deletedDateTime`);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'Request_UnsupportedQuery']);
  });

  it('are not restored while another object has their alternate key', async () => {
    const laptop = device({ displayName: 'Laptop', deviceId: 'serial-1' });
    const first = await create('devices', laptop);
    await directory.delete(`/devices/${first}`);
    const second = await create('devices', laptop);
    expect(await restore(first)).toBe(400);
    expect((await directory.get("/devices(deviceId='serial-1')")).body.id).toBe(second);
    await directory.delete(`/devices/${second}`);
    expect(await restore(first)).toBe(200);
  });
});
