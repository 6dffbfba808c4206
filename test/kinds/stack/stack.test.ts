import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import {
  editorSchema,
  type GroupDeclaration,
  type StackConfig,
  stackSchema,
} from '../../../kinds/index.js';

const createCompiler = () =>
  new Ajv({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    keywords: ['x-references', 'x-by-name', 'x-secret', 'x-metadata', 'x-name', 'x-nodes'],
  });

describe('the schema of castellan.yaml', () => {
  it('is a valid schema of draft 2020-12', () => {
    expect(() => createCompiler().compile(stackSchema)).not.toThrow();
  });

  it('takes the storefront example as it is written', () => {
    const file = join(__dirname, '../../../examples/storefront/castellan.yaml');
    const validate = createCompiler().compile(editorSchema());
    expect(validate(parse(readFileSync(file, 'utf8'))) ? [] : validate.errors).toEqual([]);
  });

  it('types declarations as read-only', () => {
    const group: GroupDeclaration = {
      kind: 'security',
      displayName: 'Administrators',
      owners: ['ada'],
    };
    const config: StackConfig = { version: 1, stack: 'a', groups: { admins: group } };
    // @ts-expect-error a declaration is read-only
    const write = () => (group.displayName = 'x');
    // @ts-expect-error a kind that does not exist
    const wrong: GroupDeclaration = { kind: 'team', displayName: 'x' };
    expect([config.groups?.['admins'], typeof write, wrong.kind]).toEqual([
      group,
      'function',
      'team',
    ]);
  });
});
