import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkStack } from '../../../policies/index.js';
import { loadConfig } from '../../../policies/model/load-config.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-schema-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function errorsOf(text: string): Promise<string[]> {
  writeFileSync(join(folder, 'castellan.yaml'), text);
  const { stacks } = await loadConfig({ paths: ['castellan.yaml'], cwd: folder });
  return stacks
    .flatMap((stack) => checkStack(stack, { env: {} }))
    .filter(({ severity }) => severity === 'error')
    .map(({ location, ruleId, message }) => `${location?.line}:${location?.column} ${ruleId} ${message}`);
}

describe('what the schema finds', () => {
  it('words a constant like any other choice', async () => {
    expect(await errorsOf('version: 2\nstack: s\n')).toEqual(['1:10 property-value version is "2"; allowed: 1']);
  });

  it.each([
    ['github', 'codehost'],
    ['aad', 'directory'],
    ['azureActiveDirectory', 'directory'],
    ['google', 'search'],
    ['facebook', 'social'],
    ['twitter', 'microblog'],
    ['microsoftaccount', 'personal'],
  ])("knows a provider by the cloud's word %s, and waits for nothing in it", async (given, meant) => {
    const auth = `containerApps:\n  a:\n    image: a:1\n    auth:\n      providers:\n        ${given}: { clientSecret: "\${env:UNSET}" }\n`;
    const found = await errorsOf(`version: 1\nstack: s\n${auth}`);
    expect(found).toContain(`8:9 property-unknown ${given} is not a property here; did you mean "${meant}"?`);
    expect(found.filter((each) => each.includes("can't be judged"))).toEqual([]);
  });

  it.each([
    ['eventhouses', 'id'],
    ['eventhouses', 'properties'],
    ['eventstreams', 'workspaceId'],
    ['workspaces', 'capacityRegion'],
    ['groups', 'createdDateTime'],
  ])('refuses in %s what only the service sets, by name: %s', async (section, property) => {
    const found = await errorsOf(`version: 1\nstack: s\n${section}:\n  x:\n    displayName: x\n    ${property}: y\n`);
    expect(found).toContain(`6:5 property-read-only ${property} is set by the service; remove it`);
  });
});
