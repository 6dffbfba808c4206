import { type StartedItems, startItems, workspacePath } from './support/start-items.js';

describe.each(['eventhouses', 'eventstreams', 'items'])('updating by /%s', (collection) => {
  let service: StartedItems;
  let path: string;
  beforeAll(async () => {
    service = await startItems();
    const type = collection === 'eventhouses' ? 'Eventhouse' : 'Eventstream';
    const { body } = await service.call('POST', `${workspacePath}/items`, {
      body: { type, displayName: 'first', description: 'D' },
    });
    await service.call('POST', `${workspacePath}/items`, { body: { type, displayName: 'second' } });
    path = `${workspacePath}/${collection}/${body.id as string}`;
  });
  afterAll(() => service.stop());
  const patch = async (
    body: unknown,
  ): Promise<[number, string | undefined, string | undefined, string | undefined]> => {
    const { status, body: answer } = await service.call('PATCH', path, { body });
    return [
      status,
      answer.errorCode as string | undefined,
      answer.displayName as string | undefined,
      answer.description as string | undefined,
    ];
  };

  /**
   * @claim item-update: PATCH of an item changes what the body has.
   * @source https://learn.microsoft.com/rest/api/fabric/core/items/update-item
   * @seen fabric
   */
  it('changes the given properties and keeps the rest', async () => {
    expect(await patch({})).toEqual([200, undefined, 'first', 'D']);
    expect(await patch({ description: 'E' })).toEqual([200, undefined, 'first', 'E']);
    expect(await patch({ displayName: 'renamed' })).toEqual([200, undefined, 'renamed', 'E']);
    expect(await patch({ displayName: 'RENAMED', description: '' })).toEqual([
      200,
      undefined,
      'RENAMED',
      '',
    ]);
    expect((await service.call('GET', path)).body).toMatchObject({
      displayName: 'RENAMED',
      description: '',
    });
  });

  it.each([
    [{ displayName: 'a b' }, 400, 'InvalidRequest'],
    [{ displayName: '' }, 400, 'InvalidRequest'],
    [{ displayName: null }, 400, 'InvalidRequest'],
    [{ displayName: 5 }, 400, 'InvalidRequest'],
    [{ description: 'x'.repeat(257) }, 400, 'InvalidRequest'],
    [{ displayName: 'second' }, 409, 'ItemDisplayNameAlreadyInUse'],
  ])('refuses %j', async (body, status, code) =>
    expect((await patch(body)).slice(0, 2)).toEqual([status, code]),
  );

  /**
   * @claim item-delete: DELETE of an item answers 200 without a body, and 404 the next time.
   * @source https://learn.microsoft.com/rest/api/fabric/core/items/delete-item
   * @seen fabric
   */
  it('answers 200 with nothing to a deletion, and 404 to the next', async () => {
    expect(await service.call('DELETE', `${path}?hardDelete=maybe`)).toMatchObject({ status: 400 });
    expect(await service.call('DELETE', path)).toMatchObject({ status: 200, body: undefined });
    expect((await service.call('DELETE', path)).body).toMatchObject({
      errorCode: 'ItemNotFound',
      relatedResource: { resourceType: expect.any(String) as string },
    });
    expect(
      (
        await service.call('POST', `${workspacePath}/eventstreams`, {
          body: { displayName: 'renamed', folderId: null },
        })
      ).status,
    ).toBe(201);
  });
});
