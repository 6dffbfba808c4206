import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../support/run-cli.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-adopt-environment-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  { command: ['adopt'], name: 'everything' },
  { command: ['adopt', 'groups', '--import'], name: 'groups' },
])('adopting $name into the state of an environment', ({ command }) => {
  // no sandbox runs here: what comes after the check of the options is this failure
  const adopt = () =>
    runCli([...command, '--sandbox', '--out', 'castellan.yaml', '-e', 'prod'], { cwd: folder });

  it('is refused without its overlay, before anything is written', async () => {
    const { exitCode, stderr } = await adopt();
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining(
        'castellan.prod.yaml does not exist, and only with it the stack has a state in the environment prod: write it first (version: 1 is enough)',
      ),
    });
    expect(existsSync(join(folder, 'castellan.yaml'))).toBe(false);
  });

  it('goes on with its overlay', async () => {
    writeFileSync(join(folder, 'castellan.prod.yaml'), 'version: 1\n');
    expect((await adopt()).stderr).toContain('CAS4012 No sandbox is running');
  });
});

it.each([[['adopt']], [['adopt', 'groups']]])(
  '%j refuses a name that no configuration may give its stack',
  async (command) => {
    const { exitCode, stderr } = await runCli(
      [...command, '--stack', 'a b/../x', '--out', 'castellan.yaml', '--sandbox'],
      { cwd: folder },
    );
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining(
        '--stack "a b/../x": it must have only letters, digits and hyphens, a letter at its beginning, and at most 63 characters',
      ),
    ]);
  },
);

it('takes the name of a stack from a state only where a configuration may give it', async () => {
  const attributes = { id: '/groups/g', object_id: 'g', display_name: 'Sales', types: [] };
  const instances = [{ attributes }];
  const provider = 'provider["registry.terraform.io/hashicorp/azuread"]';
  const group = { mode: 'managed', type: 'azuread_group', name: 'g', provider, instances };
  const stackOf = async (file: string): Promise<string | undefined> => {
    writeFileSync(join(folder, file), JSON.stringify({ version: 4, resources: [group] }));
    const { stdout } = await runCli(['adopt', '--state', file], { cwd: folder });
    return /^stack: (.*)$/m.exec(stdout)?.[1];
  };
  expect(await stackOf('terraform.sales-team.tfstate')).toBe('sales-team');
  expect(await stackOf('terraform.sales_team.tfstate')).toBe('adopted');
});
