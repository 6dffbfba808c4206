import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { templateFiles } from '../../../cli/templates/files.js';
import { overlaySchema } from '../../../kinds/stack/overlay-schema.js';
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

/** As an editor judges a configuration. */
const takes = createCompiler().compile(editorSchema());
/** As an editor judges an overlay. */
const takesOverlay = createCompiler().compile(overlaySchema());

describe('the schema of castellan.yaml', () => {
  it('is a valid schema of draft 2020-12', () => {
    expect(() => createCompiler().compile(stackSchema)).not.toThrow();
  });

  it('takes the storefront example as it is written', () => {
    const file = join(__dirname, '../../../examples/storefront/castellan.yaml');
    expect(takes(parse(readFileSync(file, 'utf8'))) ? [] : takes.errors).toEqual([]);
  });

  it.each(['app-with-sign-in', 'groups', 'fabric', 'policy-only'] as const)(
    'takes the template %s as `castellan init` writes it',
    (template) => {
      const text = templateFiles(template, 'shop', '^0.1.0').get('castellan.yaml') ?? '';
      expect(takes(parse(text)) ? [] : takes.errors).toEqual([]);
    },
  );

  const appNamed = (name: string, rest: object = {}) => ({
    version: 1,
    stack: 'shop',
    containerApps: { shop: { image: 'a.example/b:1', name, ...rest } },
  });

  it.each([
    ['${castellan.stack}-${castellan.environment}', 'longer than a name may be'],
    ['app-${env:NAME_OF_THE_APP_IN_THIS_ENVIRONMENT}', 'with a variable'],
    ['shop', 'a name'],
  ])('takes the name %s for editors: %s', (name) => {
    expect(takes(appNamed(name)) ? [] : takes.errors).toEqual([]);
  });

  it.each([
    ['Not A Name', {}],
    ['a'.repeat(40), {}],
    ['${castellan.region}', {}],
    ['shop', { targetPort: '${castellan.stack}' }],
  ])('refuses for editors the name %s with %j', (name, rest) => {
    expect(takes(appNamed(name, rest))).toBe(false);
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

describe('the schema of an overlay', () => {
  it.each([
    ['protected: true\ncontainerApps:\n  shop: { replicas: { min: 3 } }\n  playground: null', true],
    [
      'containerApps: { shop: { auth: { providers: { codehost: null, directory: { allowedGroups: [a] } } } } }',
      true,
    ],
    ['backend: { local: null, azurerm: { key: prod.tfstate } }', true],
    ['eventstreams: { clicks: { definition: null, displayName: "${env:TEXT}" } }', true],
    ['containerApps: { shop: { replicas: { minimum: 3 } } }', false],
    ['containerApps: { shop: { targetPort: none } }', false],
    ['containerApps: { shop: { auth: { requirements: [{ maxAge: 600 }] } } }', false],
  ])('judges %j: %s', (overlay, isTaken) => {
    expect(takesOverlay(parse(overlay))).toBe(isTaken);
  });

  it('takes a whole configuration, too', () => {
    const file = join(__dirname, '../../../examples/storefront/castellan.yaml');
    expect(takesOverlay(parse(readFileSync(file, 'utf8'))) ? [] : takesOverlay.errors).toEqual([]);
  });
});

describe('the backend of a stack', () => {
  it.each([
    ['{ name: a }', true],
    ['{ prefix: a- }', true],
    ['{ name: a, prefix: a- }', false],
  ])('may be remote with workspaces %s: %s', (workspaces, isTaken) => {
    const text = `{ version: 1, stack: shop, backend: { remote: { organization: o, workspaces: ${workspaces} } } }`;
    expect(takes(parse(text))).toBe(isTaken);
  });
});
