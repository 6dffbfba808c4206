import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { memoryConfig, startMemoryProvider } from './support/memory-provider.js';
import { createWorkspace, type Workspace } from './support/terraform.js';

describe('commands and options of terraform, with a served provider', () => {
  let provider: Awaited<ReturnType<typeof startMemoryProvider>>;
  let workspace: Workspace;

  beforeEach(async () => {
    provider = await startMemoryProvider('framework');
    workspace = await createWorkspace(provider.env);
    await workspace.write(
      memoryConfig({
        a: { name: 'a', kind: 'small', left: 'l' },
        b: { name: '${memory_thing.a.name}-b', kind: 'large', right: 'r' },
      }),
    );
    await workspace.succeed('init');
  });
  afterEach(async () => {
    await provider.close();
    await workspace.remove();
  });

  test('validate, providers schema, and state list, mv and show know its resources', async () => {
    expect(await workspace.succeed('validate')).toContain('The configuration is valid');
    expect(await workspace.succeed('providers', 'schema', '-json')).toContain('memory_thing');
    await workspace.succeed('apply', '-auto-approve');
    expect(await workspace.succeed('state', 'list')).toContain('memory_thing.b');
    await workspace.succeed('state', 'mv', 'memory_thing.b', 'memory_thing.c');
    expect(await workspace.succeed('state', 'show', 'memory_thing.c')).toContain('"a-b"');
  });

  test('-target applies a part, -refresh-only accepts drift, -replace creates again', async () => {
    expect(await workspace.succeed('apply', '-auto-approve', '-target=memory_thing.a')).toContain(
      '1 added',
    );
    expect(await workspace.succeed('apply', '-auto-approve')).toContain('1 added');
    const [thing] = [...provider.store.values()];
    if (thing !== undefined) thing['note'] = 'drifted';
    await workspace.succeed('apply', '-auto-approve', '-refresh-only');
    expect((await workspace.state())['memory_thing.a']).toMatchObject({ note: 'drifted' });
    expect(await workspace.succeed('apply', '-auto-approve', '-replace=memory_thing.a')).toContain(
      '1 added, 0 changed, 1 destroyed',
    );
    expect(await workspace.succeed('destroy', '-auto-approve', '-target=memory_thing.b')).toContain(
      '1 destroyed',
    );
  });

  test('terraform test runs against the sandbox and leaves nothing', async () => {
    await writeFile(
      join(workspace.folder, 'main.tftest.hcl'),
      'run "applies" {\n  command = apply\n  assert {\n    condition     = memory_thing.b.name == "a-b"\n    error_message = "wrong name"\n  }\n}\n',
    );
    expect(await workspace.succeed('test')).toContain('1 passed, 0 failed');
    expect(provider.store.size).toBe(0);
  });

  test('a saved plan applies as planned; an import block imports', async () => {
    await workspace.succeed('plan', '-out=plan');
    expect(await workspace.succeed('apply', 'plan')).toContain('2 added');
    const [firstId = ''] = provider.store.keys();
    await workspace.succeed('state', 'rm', 'memory_thing.a');
    await workspace.write(
      memoryConfig(
        {
          a: { name: 'a', kind: 'small', left: 'l' },
          b: { name: 'a-b', kind: 'large', right: 'r' },
        },
        { import: [{ to: 'memory_thing.a', id: firstId }] },
      ),
    );
    expect(await workspace.succeed('apply', '-auto-approve')).toContain(
      '1 imported, 0 added, 0 changed, 0 destroyed',
    );
  });

  test('create_before_destroy, prevent_destroy and ignore_changes work', async () => {
    const thing = {
      name: 'a',
      kind: 'small',
      left: 'l',
      lifecycle: { create_before_destroy: true, ignore_changes: ['note'] },
    };
    await workspace.write(memoryConfig({ a: thing }));
    await workspace.succeed('apply', '-auto-approve');
    await workspace.write(memoryConfig({ a: { ...thing, note: 'ignored', kind: 'large' } }));
    expect(await workspace.succeed('apply', '-auto-approve')).toContain(
      '1 added, 0 changed, 1 destroyed',
    );
    await workspace.write(
      memoryConfig({ a: { ...thing, kind: 'large', lifecycle: { prevent_destroy: true } } }),
    );
    expect(await workspace.fail('destroy', '-auto-approve')).toContain('prevent_destroy');
  });

  test('validate names an unknown resource type', async () => {
    await workspace.write({ ...memoryConfig({}), resource: { memory_thingy: { x: {} } } });
    expect(await workspace.fail('validate')).toContain('memory_thingy');
  });
});
