import { TestDirectory, unifiedGroup } from '../support/directory.js';

describe('the drive of a unified group', () => {
  let directory: TestDirectory;
  let drive: string;
  beforeAll(async () => {
    directory = await TestDirectory.start({ dialect: 'azure' });
    drive = `/groups/${(await directory.post('/groups', unifiedGroup())).body.id}/drive`;
  });
  afterAll(() => directory.stop());
  const plainText = { headers: { 'content-type': 'text/plain' } };
  const put = (path: string, content: string): ReturnType<TestDirectory['ask']> =>
    directory.ask('PUT', `${drive}/${path}`, Buffer.from(content), plainText);
  const names = async (path: string): Promise<string[]> =>
    (await directory.get(`${drive}/${path}`)).body.value.map((each: { name: string }) => each.name);

  it('stores files by path, creates the folders, and returns their content', async () => {
    const created = await put('root:/reports/2026/june.txt:/content', 'all well');
    expect([created.status, created.body]).toMatchObject([
      201,
      {
        name: 'june.txt',
        size: 8,
        file: {
          mimeType: 'text/plain',
          hashes: { sha256Hash: expect.stringMatching(/^[0-9A-F]{64}$/) },
        },
      },
    ]);
    const read = await directory.get(`${drive}/items/${created.body.id}/content`);
    expect([read.status, read.headers['content-type'], read.text]).toEqual([
      200,
      'text/plain',
      'all well',
    ]);
    expect((await directory.get(`${drive}/root:/Reports/2026/June.txt`)).body.id).toBe(
      created.body.id,
    );
    expect(await names('root/children')).toEqual(['reports']);
    expect(await names('root:/reports:/children')).toEqual(['2026']);
    expect((await directory.get(`${drive}/root:/reports`)).body.folder).toEqual({ childCount: 1 });
    for (const path of ['root:/reports/2026/june.txt/x', 'root:/june.txt/x'])
      expect((await directory.get(`${drive}/${path}`)).status).toBe(404);
    const overwritten = await put('root:/reports/2026/june.txt:/content', 'not so well');
    expect([overwritten.status, overwritten.body.id, overwritten.body.size]).toEqual([
      200,
      created.body.id,
      11,
    ]);
    expect(overwritten.body.cTag).not.toBe(created.body.cTag);
    expect((await put(`items/${created.body.id}/content`, 'x')).body.size).toBe(1);
  });

  it('stores files in a folder by its id, including names with spaces', async () => {
    const folder = (await directory.post(`${drive}/root/children`, { name: 'Plans', folder: {} }))
      .body.id as string;
    const created = await put(`items/${folder}:/next%20year.txt:/content`, 'grow');
    expect([created.status, created.body.name]).toEqual([201, 'next year.txt']);
    expect(await names(`items/${folder}/children`)).toEqual(['next year.txt']);
  });

  it('renames and deletes entries, with everything in them', async () => {
    const created = await put('root:/old/a.txt:/content', 'a');
    const renamed = await directory.patch(`${drive}/items/${created.body.id}`, { name: 'b.txt' });
    expect([renamed.status, renamed.body.name]).toEqual([200, 'b.txt']);
    await put('root:/old/c.txt:/content', 'c');
    expect(
      (await directory.patch(`${drive}/items/${created.body.id}`, { name: 'C.txt' })).status,
    ).toBe(409);
    expect((await directory.patch(`${drive}/items/${created.body.id}`, { size: 5 })).status).toBe(
      400,
    );
    expect((await directory.delete(`${drive}/root:/old`)).status).toBe(204);
    for (const path of [
      'root:/old',
      'root:/old/b.txt',
      `items/${created.body.id}`,
      `items/${created.body.id}/content`,
    ])
      expect([path, (await directory.get(`${drive}/${path}`)).status]).toEqual([path, 404]);
    expect((await directory.delete(`${drive}/root`)).status).toBe(400);
    expect((await directory.patch(`${drive}/root`, { name: 'top' })).status).toBe(400);
    expect((await directory.get(`${drive}/root`)).body.name).toBe('root');
  });

  it.each([
    ['a file inside a file', 'root:/file.txt/inner.txt:/content', 400],
    ['a name with a star', 'root:/a*b.txt:/content', 400],
    ['an unknown folder', 'items/NOTHING:/a.txt:/content', 404],
    ['content of a folder', 'root/content', 400],
  ])('refuses %s', async (_what, path, status) => {
    await put('root:/file.txt:/content', 'x');
    expect((await put(path, 'x')).status).toBe(status);
  });

  it('refuses files of more than 4 MB', async () => {
    const answer = await directory.ask(
      'PUT',
      `${drive}/root:/big:/content`,
      Buffer.alloc(4 * 1024 * 1024 + 1),
      plainText,
    );
    expect(answer.status).toBe(413);
  });
});
