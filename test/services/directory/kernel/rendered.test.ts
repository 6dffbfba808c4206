import fc from 'fast-check';
import { groupType } from '../../../../services/directory/groups/group-type.js';
import type { Directory } from '../../../../services/directory/kernel/directory.js';
import { ObjectTypes } from '../../../../services/directory/kernel/object-type.js';
import { present } from '../../../../services/directory/kernel/present.js';
import { Recent } from '../../../../services/directory/kernel/recent.js';
import { renderObject, renderRow } from '../../../../services/directory/kernel/rendered.js';
import { userType } from '../../../../services/directory/users/user-type.js';
import { runs } from '../../../support/property-tests.js';

const types = new ObjectTypes();
for (const type of [groupType, userType]) types.add(type);
const directory = { types, namespace: 'svc.directory' } as Directory;

const anyName = fc.oneof(
  fc.constantFrom(...Object.keys(groupType.properties), ...Object.keys(userType.properties)),
  fc.stringMatching(/^[a-z_"\\]\w{0,8}$/),
);
const anyBody = fc.dictionary(anyName, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 20, noNullPrototype: true });

describe('the text of an object', () => {
  it('is what the object itself would be written as', () => {
    fc.assert(
      fc.property(anyBody, fc.constantFrom('group', 'user'), fc.boolean(), (body, type, typed) => {
        const text = JSON.stringify(body);
        const object = { number: 1, id: '00000001-0000-4000-8000-000000000001', type, version: 1, body: JSON.parse(text) };
        const expected = JSON.stringify(present(directory, object, { typed }));
        expect(renderObject(directory, object, typed)).toBe(expected);
        expect(renderRow(directory, { ...object, body: text }, typed)).toBe(expected);
      }),
      { numRuns: runs(300) },
    );
  });

  it('follows every change of what is stored', () => {
    const row = (displayName: string) => ({ number: 1, id: 'x', type: 'group', version: 1, body: JSON.stringify({ displayName }) });
    expect(renderRow(directory, row('before'), false)).toContain('before');
    expect(renderRow(directory, row('after'), false)).toContain('after');
    expect(renderRow(directory, row('before'), true)).toContain('#svc.directory.group');
  });
});

describe('what is remembered', () => {
  it('stays while it is asked for, and goes when others were asked for since', () => {
    const recent = new Recent<string>(2);
    let made = 0;
    const ask = (key: string): string => recent.get(key, () => `${key}${++made}`);
    expect([ask('a'), ask('b'), ask('a'), ask('c'), ask('a')]).toEqual(['a1', 'b2', 'a1', 'c3', 'a1']);
    for (const key of ['d', 'e', 'f', 'g']) ask(key);
    expect(ask('a')).toBe('a8');
  });

  it('is nothing that failed', () => {
    const recent = new Recent<string>(2);
    expect(() =>
      recent.get('a', () => {
        throw new Error('not now');
      }),
    ).toThrow('not now');
    expect(recent.get('a', () => 'now')).toBe('now');
  });
});
