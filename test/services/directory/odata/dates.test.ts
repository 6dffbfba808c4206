import { onEveryEngine } from '../support/engines.js';
import { TestDirectory, id, user } from '../support/directory.js';

onEveryEngine('dates of objects', (openDatabase) => {
  let directory: TestDirectory;
  beforeAll(async () => {
    const seed = { users: [user(id(1)), user(id(2))] };
    directory = await TestDirectory.start({ database: await openDatabase(), seed });
  });
  afterAll(async () => {
    await directory.stop();
    await directory.database.close();
  });

  const hire = async (date: string): Promise<number> =>
    (await directory.patch(`/users/${id(1)}`, { employeeHireDate: date })).status;
  const hiredBy = async (filter: string): Promise<unknown> => {
    const path = `/users?$count=true&$select=id&$filter=${encodeURIComponent(filter)}`;
    const { status, body } = await directory.advanced(path);
    return status === 200 ? body.value.map((each: { id: string }) => each.id) : status;
  };

  it.each([
    '2026-02-30T00:00:00Z',
    '2026-02-29',
    '0000-01-01T00:00:00Z',
    '2026-01-01T10:00:00+23:00',
    '2026-01-01 10:00',
  ])('cannot be %s, in bodies and in filters', async (date) => {
    expect(await hire(date)).toBe(400);
    expect(await hiredBy(`employeeHireDate ge ${date.replace(' ', 'T')}`)).toBe(400);
  });

  it.each([
    ['2026-01-30T10:00:00+02:00', '2026-01-30T08:00:00Z'],
    ['2026-01-30T10:00:00+0200', '2026-01-30T08:00:00Z'],
    ['2026-01-30t10:00z', '2026-01-30T10:00:00Z'],
    ['2026-01-30T10:00:00', '2026-01-30T10:00:00Z'],
    ['2026-01-30', '2026-01-30T00:00:00Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
  ])('of %s are found as %s', async (date, instant) => {
    expect(await hire(date)).toBe(204);
    expect(await hiredBy(`employeeHireDate eq ${instant}`)).toEqual([id(1)]);
    expect(await hiredBy(`employeeHireDate ge 0001-01-01T00:00:00Z`)).toEqual([id(1)]);
  });
});
