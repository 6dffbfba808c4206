import { useProject } from './support/project.js';

const { run, write } = useProject();

describe('castellan rules list', () => {
  it("lists Castellan's and custom rules with the severity that the policy sets", async () => {
    write('own.schema.json', '{ "title": "Own.", "type": "object" }');
    write(
      'castellan.policy.yaml',
      'version: 1\npacks: [{ file: own.schema.json, section: groups }]\nrules: { group-theme: off, group-kind: info }\n',
    );
    const { stdout } = await run('rules', 'list');
    expect(stdout).toMatch(/^group-theme +off +A theme is/m);
    expect(stdout).toMatch(/^group-kind +info +/m);
    expect(stdout).toMatch(/^own +error +Own\.$/m);
    const { rules } = JSON.parse((await run('rules', 'list', '--format', 'json')).stdout) as {
      rules: { id: string; severity: string }[];
    };
    expect(rules).toContainEqual(expect.objectContaining({ id: 'group-theme', severity: 'off' }));
    expect((await run('explain', 'own')).stdout).toContain('# own\n\nOwn.\n');
  });
});

describe('castellan rules list', () => {
  it('lists every rule, also for programs', async () => {
    const { stdout } = await run('rules', 'list', '--format', 'json');
    const { rules } = JSON.parse(stdout) as { rules: { id: string }[] };
    expect(rules.map(({ id }) => id)).toContain('eventhouse-consumption-units');
    expect((await run('rules', 'list')).stdout.split('\n').length - 1).toBe(rules.length);
  });
});

describe('castellan test', () => {
  it('runs the cases of policy tests', async () => {
    write('castellan.policy.yaml', 'version: 1\nrules: { group-two-owners: error }\n');
    write(
      'groups.policy-test.yaml',
      'version: 1\ncases:\n  - name: lonely\n    config: { groups: { a: { kind: security, displayName: A } } }\n    expect: [group-two-owners]\n  - name: wrong\n    config: { groups: { a: { kind: security, displayName: A } } }\n    expect: []\n',
    );
    const { exitCode, stdout } = await run('test');
    expect([
      exitCode,
      stdout.split('\n')[0],
      stdout.includes('group-two-owners was not expected'),
    ]).toEqual([1, 'ok      groups.policy-test.yaml: lonely', true]);
  });

  it('exits with 4 where there are no tests', async () => {
    expect(await run('test')).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining(
        'CAS2010 No input: no policy tests: there is no *.policy-test.yaml and no castellan.access-test.yaml in .\n',
      ),
    });
  });
});

describe('castellan schema', () => {
  it('prints the schema that editors use', async () => {
    const { stdout } = await run('schema');
    expect(JSON.parse(stdout)).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'castellan.yaml',
    });
  });
});
