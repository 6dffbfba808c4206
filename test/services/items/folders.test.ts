import { setImmediate as nextTurn } from 'node:timers/promises';
import { openDatabaseWithTurns } from '../../support/database-with-turns.js';
import { ids, startItems, type StartedItems, workspacePath } from './support/start-items.js';

describe('folders of a workspace', () => {
  let service: StartedItems;
  const foldersPath = `${workspacePath}/folders`;
  let counter = 0;
  const createFolder = async (parentFolderId?: string): Promise<string> =>
    (
      await service.items.folders.create(ids.workspace, {
        displayName: `folder ${counter++}`,
        ...(parentFolderId !== undefined && { parentFolderId }),
      })
    ).id;
  /** Creates folders inside each other. @returns their ids, the outermost first. */
  const createNested = async (count: number, parent?: string): Promise<string[]> => {
    const created: string[] = [];
    for (let level = 0; level < count; level++)
      created.push(await createFolder(created.at(-1) ?? parent));
    return created;
  };
  beforeEach(async () => {
    service = await startItems({ database: await openDatabaseWithTurns() });
  });
  afterEach(() => service.stop());

  /**
   * @claim folder-names: The name of a folder has none of some characters, is not reserved, and
   *   begins and ends with no blank.
   * @source https://learn.microsoft.com/fabric/fundamentals/workspaces-folders
   */
  it.each([
    'a.b',
    'a/b',
    '{a}',
    'a&b',
    ' a',
    'a ',
    'Recycled',
    'recycler',
    'a\u0085b',
    'x'.repeat(256),
  ])('cannot be named %j', async (displayName) => {
    const folder = await createFolder();
    for (const [method, path] of [
      ['POST', foldersPath],
      ['PATCH', `${foldersPath}/${folder}`],
    ] as const) {
      const { status, body } = await service.call(method, path, { body: { displayName } });
      expect([status, body.errorCode]).toEqual([400, 'InvalidFolderDisplayName']);
    }
  });

  it('can be named in any language, with blanks inside', async () => {
    const displayName = "Größe (neu) – 'ä' 日本 [1]";
    const { status, body } = await service.call('POST', foldersPath, { body: { displayName } });
    expect([status, body.displayName]).toEqual([201, displayName]);
  });

  /**
   * @claim folder-depth: Folders are nested up to ten levels.
   * @source https://learn.microsoft.com/fabric/fundamentals/workspaces-folders
   */
  it('are nested up to ten levels, created or moved', async () => {
    const tower = await createNested(10);
    const deeper = await service.call('POST', foldersPath, {
      body: { displayName: 'eleventh', parentFolderId: tower[9] },
    });
    expect([deeper.status, deeper.body.errorCode]).toEqual([400, 'FolderDepthOutOfRange']);
    const [pair = ''] = await createNested(2);
    const move = (targetFolderId?: string) =>
      service.call('POST', `${foldersPath}/${pair}/move`, { body: { targetFolderId } });
    expect((await move(tower[8])).body.errorCode).toBe('FolderDepthOutOfRange');
    expect((await move(tower[7])).status).toBe(200);
  });

  it.each([
    [
      'an item is created in it',
      (target: string, name: string) => ['eventstreams', { displayName: name, folderId: target }],
    ],
    [
      'a folder is created in it',
      (target: string, name: string) => ['folders', { displayName: name, parentFolderId: target }],
    ],
    [
      'a folder is moved into it',
      (target: string, _name: string, other: string) => [
        `folders/${other}/move`,
        { targetFolderId: target },
      ],
    ],
  ] as const)('are empty when they are deleted, also while %s', async (_change, request) => {
    for (let turns = 0; turns < 16; turns++) {
      const [target, other] = [await createFolder(), await createFolder()];
      const [path, body] = request(target, `new${turns}`, other);
      const change = service.call('POST', `${workspacePath}/${path as string}`, { body });
      for (let turn = 0; turn < turns; turn++) await nextTurn();
      const deletion = service.call('DELETE', `${foldersPath}/${target}`);
      const [changed, deleted] = [(await change).status, (await deletion).status];
      expect([deleted, changed]).toEqual(changed < 300 ? [400, changed] : [200, 404]);
    }
  });
});
