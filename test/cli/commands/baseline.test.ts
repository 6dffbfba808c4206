import { rmSync } from 'node:fs';
import { openAppConfig, useProject } from './support/project.js';

const { path, read, run, write } = useProject();

describe('castellan baseline', () => {
  const entry = { fingerprint: '0123456789abcdef', path: 'groups.g', message: 'x' };
  const remainingRuleIds = () =>
    (
      JSON.parse(read('castellan.baseline.json')) as { findings: { ruleId: string }[] }
    ).findings.map(({ ruleId }) => ruleId);

  it.each(['write', 'prune'])(
    'keeps on %s the entries that were not checked: of live objects, plans and other files',
    async (command) => {
      write('castellan.yaml', 'version: 1\nstack: shop\n');
      write('other.yaml', '');
      const entries = [
        { ...entry, ruleId: 'live-group-drift', file: 'castellan.yaml' },
        { ...entry, ruleId: 'plan-loses-data', file: '' },
        { ...entry, ruleId: 'group-theme', file: 'other.yaml' },
        { ...entry, ruleId: 'group-theme', file: 'castellan.yaml' },
        { ...entry, ruleId: 'group-theme', file: 'gone.yaml' },
      ];
      write('castellan.baseline.json', JSON.stringify({ version: 1, findings: entries }));
      expect((await run('baseline', command)).exitCode).toBe(0);
      expect(remainingRuleIds()).toEqual(['live-group-drift', 'plan-loses-data', 'group-theme']);
    },
  );

  it('is read with a byte order mark, as editors of Windows write it', async () => {
    write('castellan.yaml', openAppConfig);
    expect(await run('check')).toMatchObject({ exitCode: 1 });
    await run('baseline', 'write');
    write('castellan.baseline.json', `\uFEFF${read('castellan.baseline.json')}`);
    expect(await run('check')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await run('baseline', 'prune')).toMatchObject({ exitCode: 0 });
    expect(await run('check')).toMatchObject({ exitCode: 0 });
  });

  it('accepts findings in plans, and drops their entries when the plans are checked again', async () => {
    const change = { actions: ['delete'], before: {}, after: null };
    const resource = {
      address: 'azuread_group.g',
      mode: 'managed',
      type: 'azuread_group',
      name: 'g',
      change,
    };
    write('plan.json', JSON.stringify({ format_version: '1.2', resource_changes: [resource] }));
    expect(await run('check', '--plan', 'plan.json')).toMatchObject({ exitCode: 1 });
    expect(await run('baseline', 'write', '--plan', 'plan.json')).toMatchObject({ exitCode: 0 });
    expect(await run('check', '--plan', 'plan.json')).toMatchObject({ exitCode: 0 });
    write(
      'plan.json',
      JSON.stringify({
        format_version: '1.2',
        resource_changes: [{ ...resource, change: { actions: ['no-op'] } }],
      }),
    );
    expect(await run('check', '--plan', 'plan.json')).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('baseline-stale') as string,
    });
    const pruned = JSON.parse(
      (await run('baseline', 'prune', '--plan', 'plan.json', '--json')).stdout,
    ) as object;
    expect(pruned).toEqual({
      version: 1,
      baselines: [{ file: 'castellan.baseline.json', findings: 0, pruned: 1 }],
    });
  });

  it('is not written if a file cannot be read, nor pruned if there is none', async () => {
    write('castellan.yaml', `${openAppConfig}\tx`);
    expect(await run('baseline', 'write')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('castellan.yaml:5:1') as string,
    });
    write('castellan.yaml', openAppConfig);
    expect(await run('baseline', 'prune')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('does not exist') as string,
    });
    write('castellan.baseline.json', '{');
    expect(await run('baseline', 'prune')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("can't be read") as string,
    });
    rmSync(path('castellan.yaml'));
    rmSync(path('castellan.baseline.json'));
    expect(await run('baseline', 'write')).toMatchObject({ exitCode: 4 });
  });

  it('accepts findings, fails when one no longer exists, and removes its entry', async () => {
    write('castellan.yaml', openAppConfig);
    expect((await run('baseline', 'write')).stdout).toBe('castellan.baseline.json: 1 finding\n');
    expect((await run('check')).stdout).toContain('1 in the baseline');
    write('castellan.yaml', openAppConfig.replace('external: true', 'external: false'));
    expect(await run('check')).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('baseline-stale') as string,
    });
    expect((await run('baseline', 'prune')).stdout).toBe(
      'castellan.baseline.json: 1 pruned, 0 left\n',
    );
    expect((await run('check')).exitCode).toBe(0);
  });
});
