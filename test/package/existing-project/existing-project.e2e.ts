import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npmInstallCdktf, packedCastellan } from '../../support/installed-package.js';
import { runSuccessfully } from '../../support/project-shell.js';

const testFolder = __dirname;
const project = mkdtempSync(join(tmpdir(), 'castellan-existing-'));

beforeAll(() => {
  cpSync(join(testFolder, 'before'), project, { recursive: true });
  renameSync(join(project, 'gitignore'), join(project, '.gitignore'));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const runInProject = (line: string): Promise<string> => runSuccessfully(project, line);
/** Runs a command line with the variables of {@link writeVariables}. */
const inSandbox = (line: string): Promise<string> => runInProject(`. ./variables && ${line}`);
/** Writes the variables for the sandbox of the project, with the tenant of the partner's. */
const writeVariables = (): Promise<string> =>
  runInProject(
    [
      'partner=$(eval "$(castellan sandbox env -e partner)" && echo $ARM_TENANT_ID)',
      '{ castellan sandbox env; echo "export PARTNER_TENANT_ID=$partner TF_VAR_SHOP_TOKEN=correct-horse"; } > variables',
    ].join(' && '),
  );

/** Asks the resource manager for the secrets of the app. */
const secretsOfTheApp = `node -e '
const { ARM_TENANT_ID: tenant, ARM_CLIENT_ID, ARM_CLIENT_SECRET, ARM_SUBSCRIPTION_ID, CASTELLAN_SANDBOX: url } = process.env;
const body = new URLSearchParams({ grant_type: "client_credentials", client_id: ARM_CLIENT_ID,
  client_secret: ARM_CLIENT_SECRET, scope: "https://management.azure.com/.default" });
(async () => {
  const { access_token } = await (await fetch(url + "/" + tenant + "/oauth2/v2.0/token", { method: "POST", body })).json();
  const app = "/subscriptions/" + ARM_SUBSCRIPTION_ID + "/resourceGroups/rg-shop/providers/Microsoft.App/containerApps/web";
  const headers = { authorization: "Bearer " + access_token };
  const answer = await fetch(url + app + "/listSecrets?api-version=2025-01-01", { method: "POST", headers });
  console.log(answer.status, await answer.text());
})();'`;

/**
 * The outcomes of stacks in the output of `cdktf deploy`, which may end before it has shown the
 * last: its exit code counts.
 */
const shownOutcomes = (output: string): string[] =>
  output.match(/\d+ added, \d+ changed, \d+ destroyed/g) ?? [];

test('a project of cdktf takes constructs in, for two tenants, is tested, deployed, changed and destroyed', async () => {
  const before = readdirSync(project);
  const files = new Map(
    before
      .filter((name) => name.endsWith('.ts') || name === 'cdktf.json')
      .map((name) => [name, readFileSync(join(project, name), 'utf8')]),
  );
  const initOutput = await runInProject(
    `castellan init --existing --castellan file:${await packedCastellan()}`,
  );
  expect(initOutput.match(/^\+\+\+ .*/gm)).toEqual([
    '+++ b/package.json',
    '+++ b/.gitignore',
    '+++ b/seed.yaml',
    '+++ b/setup.js',
  ]);
  for (const [name, text] of files) expect(readFileSync(join(project, name), 'utf8')).toBe(text);

  await npmInstallCdktf(project);
  expect(await runInProject('jest')).toContain('1 passed');
  cpSync(join(testFolder, 'after'), project, { recursive: true });
  expect(await runInProject('jest')).toContain('2 passed');
  await runInProject('tsc --noEmit -p .');
  await runInProject('ts-node main.ts'); // the app of cdktf.json, which cdktf runs by npx below
  const synthesized = JSON.parse(
    readFileSync(join(project, 'cdktf.out/stacks/shop/cdk.tf.json'), 'utf8'),
  ) as { terraform: { backend: object }; data: object };
  expect(synthesized.terraform.backend).toHaveProperty('azurerm');
  expect(synthesized.data).toHaveProperty('terraform_remote_state');

  await runInProject('castellan sandbox start --seed seed.yaml');
  await runInProject('castellan sandbox start -e partner --seed partner.yaml');
  try {
    await writeVariables();
    const deploy = "cdktf deploy '*' --auto-approve --skip-provider-lock";
    const deployed = await inSandbox(deploy);
    expect(shownOutcomes(deployed)).toEqual(
      expect.not.arrayContaining([expect.stringMatching(/[1-9]\d* (?:changed|destroyed)/)]),
    );
    expect(await inSandbox(secretsOfTheApp)).toContain('"value":"correct-horse"');
    const shop = join(project, 'shop.ts');
    writeFileSync(
      shop,
      readFileSync(shop, 'utf8').replace('Who may change the shop', 'Those who may change it'),
    );
    for (const outcome of shownOutcomes(await inSandbox(deploy)))
      expect(outcome).toMatch(/^0 added, [01] changed, 0 destroyed$/);
    expect(
      await runInProject('castellan directory groups show "Shop administrators" --sandbox'),
    ).toContain('Those who may change it');
    const destroyed = await inSandbox(
      "cdktf destroy '*' --auto-approve --skip-provider-lock --skip-synth",
    );
    expect(['1 destroyed', '5 destroyed', '6 destroyed']).toEqual(
      expect.arrayContaining([...new Set(destroyed.match(/\d+ destroyed/g))]),
    );
  } finally {
    await runInProject('castellan sandbox stop; castellan sandbox stop -e partner');
  }
}, 900_000);
