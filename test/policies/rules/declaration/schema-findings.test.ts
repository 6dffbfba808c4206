import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkStack } from '../../../../policies/index.js';
import { loadConfig } from '../../../../policies/model/load-config.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-schema-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function errorsOf(text: string): Promise<string[]> {
  writeFileSync(join(folder, 'castellan.yaml'), text);
  const { stacks } = await loadConfig({ paths: ['castellan.yaml'], cwd: folder });
  return stacks
    .flatMap((stack) => checkStack(stack, { env: {} }))
    .filter(({ severity }) => severity === 'error')
    .map(
      ({ location, ruleId, message }) =>
        `${location?.line}:${location?.column} ${ruleId} ${message}`,
    );
}

describe('what the schema finds', () => {
  it('reports a constant like any other choice', async () => {
    expect(await errorsOf('version: 2\nstack: s\n')).toEqual([
      '1:10 property-value version is "2"; allowed: 1',
    ]);
  });

  it.each([
    ['github', 'codehost'],
    ['aad', 'directory'],
    ['azureActiveDirectory', 'directory'],
    ['google', 'search'],
    ['facebook', 'social'],
    ['twitter', 'microblog'],
    ['microsoftaccount', 'personal'],
  ])(
    "knows a provider by the cloud's word %s, and reports no unknowns in it",
    async (word, suggestion) => {
      const auth = `containerApps:\n  a:\n    image: a:1\n    auth:\n      providers:\n        ${word}: { clientSecret: "\${env:UNSET}" }\n`;
      const errors = await errorsOf(`version: 1\nstack: s\n${auth}`);
      expect(errors).toContain(
        `8:9 property-unknown ${word} is not a property here; did you mean "${suggestion}"?`,
      );
      expect(errors.filter((each) => each.includes("can't be judged"))).toEqual([]);
    },
  );

  it.each([
    ['eventhouses', 'id'],
    ['eventhouses', 'properties'],
    ['eventstreams', 'workspaceId'],
    ['workspaces', 'capacityRegion'],
    ['groups', 'createdDateTime'],
  ])('refuses in %s what only the service sets, by name: %s', async (section, property) => {
    const errors = await errorsOf(
      `version: 1\nstack: s\n${section}:\n  x:\n    displayName: x\n    ${property}: y\n`,
    );
    expect(errors).toContain(`6:5 property-read-only ${property} is set by the service; remove it`);
  });
});

describe('suggestions from the schema', () => {
  const fixesOf = async (app: string): Promise<readonly unknown[]> => {
    writeFileSync(
      join(folder, 'castellan.yaml'),
      `version: 1\nstack: s\ncontainerApps:\n  a:\n    image: "a:1"\n${app}`,
    );
    const { stacks } = await loadConfig({ paths: ['castellan.yaml'], cwd: folder });
    return stacks
      .flatMap((stack) => checkStack(stack, { env: {} }))
      .flatMap(({ fix }) => (fix === undefined ? [] : [fix.value]));
  };

  it.each([
    ['    ingress: { allowInsecure: no }', false],
    ['    ingress: { external: "On" }', true],
    ['    cpu: "0,5"\n    memory: 1Gi', 0.5],
    ['    probes: { liveness: { path: healthz } }', '/healthz'],
    ['    probes: { liveness: { periodSeconds: 10s } }', 10],
    ['    probes: { liveness: { periodSeconds: 2m } }', 120],
  ])('%s: suggests what was meant', async (app, suggestion) => {
    expect(await fixesOf(`${app}\n`)).toEqual([suggestion]);
  });

  it.each([
    '    replicas: { min: 2m }',
    '    replicas: { min: "1,5" }',
    '    probes: { liveness: { periodSeconds: 10x } }',
  ])('%s: suggests nothing, as it is not certain what was meant', async (app) => {
    expect(await fixesOf(`${app}\n`)).toEqual([]);
  });

  it.each(['0shop', '__proto__', 'constructor', 'toString'])(
    'describes in words which names are allowed, and %s is not',
    async (name) => {
      const yaml = `version: 1\nstack: s\ngroups: { ${name}: { kind: security, displayName: G } }\n`;
      expect(await errorsOf(yaml)).toContainEqual(
        expect.stringContaining(`"${name}" is not an allowed name here: it must begin with`),
      );
    },
  );

  it.each([
    [
      'tags: { "k<1": v }',
      'it must have 1 to 512 characters, none of < > % & \\ ? /, and none of microsoft, azure, windows at its beginning',
    ],
    [
      'secrets: { Key_1: { fromEnvironment: KEY } }',
      'it must have only lower-case letters, digits and inner hyphens',
    ],
    [
      'env: { "1st": v }',
      'it must have only letters, digits and _ . -, and a letter or underscore at its beginning',
    ],
  ])('describes in words which names a map allows: %s', async (app, form) => {
    const yaml = `version: 1\nstack: s\ncontainerApps: { web: { image: i, ${app} } }\n`;
    expect(await errorsOf(yaml)).toContainEqual(
      expect.stringContaining(`is not an allowed name here: ${form}`),
    );
  });

  it('describes the form of a text in words', async () => {
    expect(await errorsOf('version: 1\nstack: my_shop\n')).toEqual([
      '2:8 property-value stack is "my_shop", which has the wrong format: it must have only letters, digits and hyphens, a letter at its beginning, and at most 63 characters. The name of the stack.',
    ]);
  });
});

it.each([
  ['a node that is not there', 'inputNodes: [{ name: inn }]', { value: 'in' }],
  [
    'a word',
    'inputNodes: [{ name: in }], properties: { dataIngestionMode: ProcessedIngestio }',
    { value: 'ProcessedIngestion' },
  ],
  ['a property', 'inputNods: [{ name: in }]', { key: 'inputNodes' }],
])('suggests what was meant by %s of an eventstream', async (_what, properties, suggestion) => {
  const nodes = `sources: [{ name: in, type: CustomEndpoint }], destinations: [{ name: out, type: Eventhouse, eventhouse: h, ${properties} }]`;
  writeFileSync(
    join(folder, 'castellan.yaml'),
    `version: 1\nstack: s\nworkspaces: { w: { displayName: W } }\neventhouses: { h: { workspace: w, displayName: h } }\neventstreams:\n  e: { workspace: w, displayName: e, definition: { ${nodes} } }\n`,
  );
  const { stacks } = await loadConfig({ paths: ['castellan.yaml'], cwd: folder });
  const fixes = stacks
    .flatMap((stack) => checkStack(stack, { env: {} }))
    .flatMap(({ fix }) => fix ?? []);
  expect(fixes).toContainEqual(expect.objectContaining(suggestion));
});
