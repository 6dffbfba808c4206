import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { parseSeed } from '../../../sandbox/serve/seed-file.js';
import { seedSchema } from '../../../sandbox/serve/seed-properties.js';

const root = join(__dirname, '../../..');

describe('the properties of a seed', () => {
  it.each([
    [
      'users: [{ displayNme: Ada, userPrincipalName: ada@contoso.example }]',
      's.yaml:1:11: "displayNme" is no property of users; did you mean displayName?',
    ],
    [
      'capacities:\n  - { id: c0000000-0000-4000-8000-000000000001, colour: red }',
      's.yaml:2:49: "colour" is no property of capacities; allowed: id,',
    ],
  ])('refuses %j with its place', (text, expected) => {
    expect(() => parseSeed(text, 's.yaml')).toThrow(expected);
  });

  it('takes a snapshot of a directory with the permissions of applications', () => {
    const graph = '00000003-0000-0000-c000-000000000000';
    const grant =
      '{ principalId: c0000000-0000-4000-8000-000000000002, appRoleId: 98830695-27a2-44f7-8c18-0c3ebc9698f6 }';
    const seed = parseSeed(
      `snapshot: [{ people: named, directReportsOf: [], permissions: true }]
servicePrincipals: [{ id: c0000000-0000-4000-8000-000000000001, appId: ${graph}, appRoleAssignedTo: [${grant}] }]`,
      's.yaml',
    );
    expect(seed.servicePrincipals).toHaveLength(1);
  });

  it('keeps custom properties of a person, as the directory does', () => {
    expect(
      parseSeed('users: [{ userPrincipalName: a@b.example, favouriteShoe: 43 }]', 's.yaml').users,
    ).toHaveLength(1);
  });

  it.each(['examples/storefront/seed.yaml', 'examples/services/seed.yaml'])(
    'have a schema that %s fits',
    (file) => {
      const ajv = new Ajv({ strict: false });
      addFormats(ajv);
      const validate = ajv.compile(seedSchema());
      expect([validate(parse(readFileSync(join(root, file), 'utf8'))), validate.errors]).toEqual([
        true,
        null,
      ]);
      expect(validate({ userz: [] })).toBe(false);
    },
  );
});
