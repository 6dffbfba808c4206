import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesizeConfig } from '../../stacks/index.js';
import { castellan, root } from '../support/cli.js';
import { type CliRun, runCliWithTestEnvironment } from '../support/run-cli.js';
import { terraformProgram } from '../support/terraform-program.js';

/** A project of its own: the storefront example in a folder, its sandbox under that folder. */
const project = mkdtempSync(join(tmpdir(), 'castellan-main-job-'));
const config = join(project, 'storefront/castellan.yaml');
const original = readFileSync(join(root, 'examples/storefront/castellan.yaml'), 'utf8');
const options = { cwd: project, env: { CODEHOST_SECRET: 's3cret-of-the-code-host' } };
/** Runs a command in a process of its own, as a user does: the first run of each command. */
const runProcess = async (...args: string[]): Promise<CliRun> => {
  const { exitCode, ...output } = await castellan(args, options);
  return { exitCode: exitCode ?? -1, ...output };
};
const run = (...args: string[]): Promise<CliRun> => runCliWithTestEnvironment(args, options);

beforeAll(() => {
  cpSync(join(root, 'examples/storefront/castellan.yaml'), config, { recursive: true });
  cpSync(join(root, 'examples/storefront/seed.yaml'), join(project, 'storefront/seed.yaml'));
});
afterAll(async () => {
  await run('sandbox', 'stop');
  rmSync(project, { recursive: true, force: true });
});
beforeEach(() => writeFileSync(config, original));

describe('the main job', () => {
  it('applies the storefront to the sandbox and prints its URLs', async () => {
    const { exitCode, stdout, stderr } = await runProcess('up', 'storefront');
    expect({ exitCode, stderr: exitCode === 0 ? '' : stderr + stdout }).toEqual({
      exitCode: 0,
      stderr: '',
    });
    expect(stdout).toMatch(/https:\/\/storefront\.localhost:\d+/);
    expect(stdout).toContain('storefront: 13 resources created\n');
    expect(stdout).toContain('+ azuread_group.shoppers\n');
    expect(stdout + stderr).not.toContain('s3cret-of-the-code-host');
  });

  it('changes nothing the second time and says so', async () => {
    const { exitCode, stdout } = await run('up', 'storefront');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/no changes/i);
  });

  it('plans no changes', async () => {
    const { exitCode, stdout } = await runProcess('plan', 'storefront');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/no changes/i);
  });

  it('leaves a stack for plain terraform and a cdktf app, with the printed environment', async () => {
    const printedVariables = environment((await runProcess('sandbox', 'env')).stdout);
    const env = {
      ...process.env,
      ...printedVariables,
      TF_VAR_CODEHOST_SECRET: 's3cret-of-the-code-host',
      CHECKPOINT_DISABLE: '1',
    };
    const { status, stdout } = spawnSync(terraformProgram, ['plan', '-no-color', '-input=false'], {
      cwd: join(project, '.castellan/stacks/storefront'),
      env,
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, expect.stringContaining('No changes.')]);
    const { TF_REATTACH_PROVIDERS: _launched, ...withoutLaunchedProviders } = env as Record<
      string,
      string
    >;
    const [stack] = await synthesizeConfig({
      paths: ['storefront'],
      cwd: project,
      env: withoutLaunchedProviders,
    });
    expect(JSON.parse(readFileSync(stack?.file ?? '', 'utf8'))).toMatchObject({
      terraform: {
        backend: { local: { path: '../../../.castellan/terraform.storefront.tfstate' } },
      },
    });
  });

  it('plans exactly one update in place when the description of the eventstream changes', async () => {
    writeFileSync(
      config,
      original.replace(
        'displayName: clicks\n',
        'displayName: clicks\n    description: All clicks of the shop\n',
      ),
    );
    const { exitCode, stdout } = await run('plan', 'storefront');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/fabric_eventstream\.\S+/);
    expect(stdout).toMatch(/0 to create, 1 to update, 0 to replace, 0 to delete/);
  });

  it('reports a change of the units as a replacement that loses data, which up refuses', async () => {
    writeFileSync(
      config,
      original.replace('minimumConsumptionUnits: 4.25', 'minimumConsumptionUnits: 60'),
    );
    const plan = await run('plan', 'storefront');
    expect(plan.exitCode).toBe(0);
    expect(plan.stdout).toMatch(/1 to replace/);
    expect(plan.stdout).toMatch(/loses|lost|loss of data/i);
    const up = await run('up', 'storefront');
    expect(up.exitCode).not.toBe(0);
    expect(up.stdout + up.stderr).toContain('--allow-replace');
    expect((await run('up', '--allow-replace', 'storefront')).exitCode).toBe(0);
  });

  it('refuses 50.5 units at their line', async () => {
    writeFileSync(
      config,
      original.replace('minimumConsumptionUnits: 4.25', 'minimumConsumptionUnits: 50.5'),
    );
    const line =
      original.split('\n').findIndex((text) => text.includes('minimumConsumptionUnits')) + 1;
    const { exitCode, stdout } = await runProcess('check', '--format', 'json', 'storefront');
    expect(exitCode).toBe(1);
    const report = JSON.parse(stdout) as {
      findings: { location: { line: number }; severity: string; verdict: string }[];
    };
    expect(
      report.findings.filter(({ severity, verdict }) => severity === 'error' && verdict === 'fail'),
    ).toMatchObject([{ location: { line } }]);
    expect((await run('up', 'storefront')).exitCode).toBe(1);
  });

  it('returns the declared objects from the services, over HTTPS with the local certificate authority', async () => {
    const env = environment((await run('sandbox', 'env')).stdout);
    const origin = `https://${String(env['ARM_METADATA_HOSTNAME'])}`;
    const ca = readFileSync(join(project, '.castellan/ca.pem'), 'utf8');
    const token = (await requestJson(
      ca,
      'POST',
      `${origin}/${String(env['ARM_TENANT_ID'])}/oauth2/v2.0/token`,
      {
        form: {
          grant_type: 'client_credentials',
          client_id: String(env['ARM_CLIENT_ID']),
          client_secret: String(env['ARM_CLIENT_SECRET']),
          scope: `${origin}/.default`,
        },
      },
    )) as { access_token: string };
    const get = (path: string): Promise<unknown> =>
      requestJson(ca, 'GET', `${origin}${path}`, { token: token.access_token });
    expect(await get("/v1.0/groups?$filter=displayName%20eq%20'Shoppers'")).toMatchObject({
      value: [{ membershipRule: 'user.department -eq "Retail"' }],
    });
    expect(await get('/v1/workspaces')).toMatchObject({ value: [{ displayName: 'Telemetry' }] });
    expect(
      await get(
        `/subscriptions/${String(env['ARM_SUBSCRIPTION_ID'])}/resourceGroups/rg-storefront/providers/Microsoft.App/containerApps?api-version=2025-07-01`,
      ),
    ).toMatchObject({ value: [{ name: 'storefront' }] });
  });

  it('never writes a secret into the synthesized JSON', async () => {
    await runProcess('synth', 'storefront', '--out', 'out');
    const json = readFileSync(join(project, 'out/stacks/storefront/cdk.tf.json'), 'utf8');
    expect(json).not.toContain('s3cret-of-the-code-host');
    expect(JSON.parse(json)).toHaveProperty('variable');
  });

  it('leaves nothing after down', async () => {
    const { exitCode, stdout, stderr } = await runProcess('down', 'storefront');
    expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/deleted|nothing/i);
    const secondDown = await run('down', 'storefront');
    expect(secondDown.exitCode).toBe(0);
    expect(secondDown.stdout).toMatch(/nothing/i);
    expect(existsSync(join(project, '.castellan'))).toBe(true);
  });
});

/** The variables that `castellan sandbox env` prints as `export NAME='value'`. */
function environment(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^(?:export )?([A-Z_0-9]+)=(.*)$/gm)].map(([, name, value]) => [
      String(name),
      String(value).replace(/^(['"])(.*)\1$/, '$2'),
    ]),
  );
}

function requestJson(
  ca: string,
  method: string,
  url: string,
  { token, form }: { token?: string; form?: Record<string, string> },
): Promise<unknown> {
  return new Promise((done, fail) => {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const outgoing = request(url, { method, ca, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => {
        if (response.statusCode !== 200)
          fail(new Error(`${url} answered ${String(response.statusCode)}: ${body}`));
        else done(JSON.parse(body));
      });
    });
    outgoing.once('error', fail);
    outgoing.end(form ? new URLSearchParams(form).toString() : undefined);
  });
}
