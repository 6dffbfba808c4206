import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CliRun, runCliWithTestEnvironment } from '../support/run-cli.js';

const project = mkdtempSync(join(tmpdir(), 'castellan-environments-'));
const run = (...args: string[]): Promise<CliRun> =>
  runCliWithTestEnvironment(args, { cwd: project, env: { SHOP_MOTTO: undefined } });
const write = (name: string, text: string): void => writeFileSync(join(project, name), text);

const base = `version: 1
stack: shop
azure: { location: westeurope, resourceGroup: "rg-\${castellan.stack}-\${castellan.environment}" }
principals: { ada: { user: ada@contoso.example }, grace: { user: grace@contoso.example } }
containerApps:
  shop:
    image: ghcr.io/contoso/shop:1.0.0
    targetPort: 8080
    ingress: { external: false }
    sandbox: { page: true }
groups:
  admins: { kind: security, displayName: "Admins of \${castellan.environment}", mailNickname: admins, owners: [ada, grace] }
`;
const seed = `users:
  - { id: 0a2b1f6e-5d3c-4b7a-9e11-1d2c3b4a5f60, userPrincipalName: ada@contoso.example, displayName: Ada, mailNickname: ada, accountEnabled: true }
  - { id: 1b3c2f7d-6e4d-4c8b-8f22-2e3d4c5b6071, userPrincipalName: grace@contoso.example, displayName: Grace, mailNickname: grace, accountEnabled: true }
`;

beforeAll(() => {
  write('castellan.yaml', base);
  write(
    'castellan.prod.yaml',
    'protected: true\ngroups: { admins: { description: Of production } }\n',
  );
  write('seed.yaml', seed);
});
afterAll(async () => {
  await run('sandbox', 'stop');
  await run('sandbox', 'stop', '-e', 'prod');
  rmSync(project, { recursive: true, force: true });
});

describe('environments', () => {
  it('are applied side by side, each in its own sandbox', async () => {
    const [first, second] = [await run('up'), await run('up', '-e', 'prod', '--auto-approve=prod')];
    expect([
      first.exitCode,
      second.exitCode,
      first.exitCode === 0 && second.exitCode === 0 ? '' : first.stderr + second.stderr,
    ]).toEqual([0, 0, '']);
    expect(existsSync(join(project, '.castellan/terraform.shop.tfstate'))).toBe(true);
    expect(
      existsSync(join(project, '.castellan/environments/prod/terraform.shop.prod.tfstate')),
    ).toBe(true);
    const [plan, planOfProd] = [await run('plan'), await run('plan', '-e', 'prod')];
    expect([plan.stdout, planOfProd.stdout]).toEqual(['shop: no changes\n', 'shop: no changes\n']);
    const [group, groupOfProd] = [
      await run('output', 'groups.admins.id'),
      await run('output', 'groups.admins.id', '-e', 'prod'),
    ];
    expect(group.stdout).toMatch(/^[0-9a-f-]{36}\n$/);
    expect(groupOfProd.stdout).not.toBe(group.stdout);
  });

  it('have people of their own in each sandbox', async () => {
    write(
      'more.yaml',
      'users:\n  - { userPrincipalName: mary@contoso.example, displayName: Mary, mailNickname: mary }\n',
    );
    expect((await run('sandbox', 'seed', 'more.yaml', '-e', 'prod')).exitCode).toBe(0);
    expect(await run('access', '--person', 'mary', '-e', 'prod')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('mary@contoso.example') as string,
    });
    expect(await run('access', '--person', 'mary')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('CAS8301') as string,
    });
  });

  it('are listed with their applied resources and drift', async () => {
    const { stdout } = await run('environments', '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      environments: [
        { name: 'default', protected: false, stacks: [{ name: 'shop', resources: 4, drift: [] }] },
        { name: 'prod', protected: true, stacks: [{ name: 'shop', resources: 4, drift: [] }] },
      ],
    });
  });

  it('are compared as declared', async () => {
    const { exitCode, stdout } = await run('diff', 'default', 'prod', '--exit-code');
    expect([exitCode, stdout.split('\n')]).toEqual([
      1,
      [
        '~ azure.resourceGroup: "rg-shop-default" -> "rg-shop-prod"',
        '+ groups.admins.description: "Of production"',
        '~ groups.admins.displayName: "Admins of default" -> "Admins of prod"',
        '+ protected: true',
        '',
      ],
    ]);
  });

  it('are changed only with their name if protected', async () => {
    const [withoutApproval, withBareApproval, withOtherName] = [
      await run('up', '-e', 'prod'),
      await run('up', '-e', 'prod', '--auto-approve'),
      await run('up', '-e', 'prod', '--auto-approve=default'),
    ];
    expect([withoutApproval.exitCode, withBareApproval.exitCode, withOtherName.exitCode]).toEqual([
      2, 2, 2,
    ]);
    expect(withoutApproval.stderr).toContain(
      'the environment prod is protected: add --auto-approve=prod',
    );
    expect(withOtherName.stderr).toContain(
      '--auto-approve=default approves default, but this is prod',
    );
  });

  it('are changed exactly as a plan file says, whatever the configuration contains by then', async () => {
    write(
      'castellan.prod.yaml',
      'protected: true\ngroups: { admins: { description: Promoted } }\n',
    );
    expect((await run('plan', '-e', 'prod', '--out', 'prod.plan')).exitCode).toBe(0);
    write(
      'castellan.prod.yaml',
      'protected: true\ngroups: { admins: { description: Not this one } }\n',
    );
    const applied = await run('up', '--plan', 'prod.plan', '--auto-approve=prod');
    expect([applied.exitCode, applied.stdout]).toEqual([
      0,
      expect.stringContaining('shop: 1 resource updated'),
    ]);
    const state = readFileSync(
      join(project, '.castellan/environments/prod/terraform.shop.prod.tfstate'),
      'utf8',
    );
    expect(state).toContain('Promoted');
    const secondRun = await run('up', '--plan', 'prod.plan', '--auto-approve=prod');
    expect([secondRun.exitCode, secondRun.stderr]).toEqual([
      2,
      expect.stringContaining('Saved plan is stale'),
    ]);
    expect((await run('up', '--plan', 'seed.yaml')).stderr).toContain('CAS8105');
  });

  it('change how an app runs when that is applied, not when it is planned', async () => {
    const declareAppPrinting = (word: string): void => {
      write(
        'castellan.yaml',
        base.replace('page: true', `command: "echo ${word}; exec node server.js"`),
      );
    };
    write('server.js', "require('http').createServer().listen(process.env.PORT)");
    declareAppPrinting('first');
    expect((await run('up')).exitCode).toBe(0);
    declareAppPrinting('second');
    expect((await run('plan', '--out', 'default.plan')).exitCode).toBe(0);
    declareAppPrinting('third');
    expect((await run('plan')).exitCode).toBe(0);
    expect((await run('logs', 'shop')).stdout).not.toMatch(/second|third/);
    const applied = await run('up', '--plan', 'default.plan');
    expect([applied.exitCode, applied.stdout]).toEqual([
      0,
      expect.stringContaining('castellan down castellan.yaml '),
    ]);
    const { stdout } = await run('logs', 'shop');
    expect(stdout).toMatch(/first\n(.*\n)*.*second/);
    expect(stdout).not.toContain('third');
  });

  it('are listed when one is misspelt', async () => {
    const { exitCode, stdout } = await run('check', '-e', 'prd');
    expect([exitCode, stdout]).toEqual([
      2,
      expect.stringContaining('there is no environment "prd"'),
    ]);
    expect(stdout).toContain('did you mean "prod"?');
  });

  it('are named where their sandbox does not run or nothing is applied', async () => {
    for (const command of ['open', 'console'])
      expect((await run(command, '-e', 'prd')).stderr).toContain(
        `no sandbox is running for ${project} (environment prd)`,
      );
    expect((await run('output', '-e', 'prd')).stderr).toBe(
      'nothing is applied: `castellan up -e prd` applies\n',
    );
  });

  it("keep the sandbox's state and Terraform's data in their folder, whatever variables say", async () => {
    const variables = { TF_WORKSPACE: 'other', TF_DATA_DIR: join(project, 'terraform-data') };
    const plan = await runCliWithTestEnvironment(['plan'], { cwd: project, env: variables });
    expect([plan.exitCode, plan.stdout]).toEqual([0, 'shop: no changes\n']);
    const listed = await runCliWithTestEnvironment(['environments'], {
      cwd: project,
      env: variables,
    });
    expect(listed.stdout).toContain('shop (castellan.yaml): 4 resources applied, no drift');
    expect(existsSync(variables.TF_DATA_DIR)).toBe(false);
  });

  it('that are copies are destroyed by the configuration of the original', async () => {
    const { port } = JSON.parse(
      readFileSync(join(project, '.castellan/settings.json'), 'utf8'),
    ) as { readonly port: number };
    const fork = await run('sandbox', 'fork', 'trial', '--port', String(port + 5000));
    expect([fork.exitCode, fork.stderr]).toEqual([0, '']);
    const { exitCode, stdout } = await run('down', '-e', 'trial', '--all');
    expect([exitCode, stdout]).toEqual([0, 'shop: 4 resources deleted\nthe sandbox is stopped\n']);
    expect((await run('status')).stdout).toContain('shop: 4 resources applied');
  });

  it('fail when an app crashed, also the second time', async () => {
    write(
      'castellan.yaml',
      base.replace('page: true', 'command: "echo the disk is on fire; exit 3"'),
    );
    for (const _ of ['first', 'second']) {
      const { exitCode, stderr } = await run('up');
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('the disk is on fire')]);
    }
  });

  it('are destroyed without the variables of an app', async () => {
    write(
      'castellan.yaml',
      base.replace(
        'displayName: "Admins',
        'description: "${env:SHOP_MOTTO}", displayName: "Admins',
      ),
    );
    const withoutVariable = await run('check', '--fail-on-unknown', '-e', 'default');
    expect([withoutVariable.exitCode, withoutVariable.stdout]).toEqual([
      3,
      expect.stringContaining('SHOP_MOTTO is not set'),
    ]);
    expect((await run('up')).stderr).toContain('${env:SHOP_MOTTO} is not set');
    const { exitCode, stdout } = await run('down');
    expect([exitCode, stdout]).toEqual([0, 'shop: 4 resources deleted\n']);
    expect((await run('down', '-e', 'prod', '--auto-approve=prod')).stdout).toBe(
      'shop: 4 resources deleted\n',
    );
  });
});
