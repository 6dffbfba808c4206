import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import {
  folderWithCastellan,
  npmInstallCdktf,
  packedCastellan,
} from '../support/installed-package.js';
import { runInProject, runSuccessfully } from '../support/project-shell.js';

function emptyFolder(): string {
  return mkdtempSync(join(tmpdir(), 'castellan-template-'));
}

describe('a project of each template, from the packed package in an empty folder', () => {
  it.each([
    ['app-with-sign-in', 'castellan.yaml', /Who may sign in to shop/, 'Everybody who may sign in'],
    ['groups', 'castellan.yaml', /Who may change shop/, 'Those who may change it'],
    ['fabric', 'castellan.yaml', /Events of shop/, 'What is clicked in the shop'],
    ['policy-only', 'castellan.yaml', /Who answers for shop/, 'Who answers for it'],
  ])(
    '%s is checked, applied, changed and taken down',
    async (template, file, pattern, replacement) => {
      const project = emptyFolder();
      expect(await runSuccessfully(project, `castellan init ${template} --name shop`)).toContain(
        template === 'policy-only' ? 'castellan check' : 'castellan up',
      );
      expect(await runSuccessfully(project, 'castellan check --fail-on-unknown')).toContain(
        '0 errors, 0 warnings',
      );
      await runSuccessfully(project, 'castellan up');
      const path = join(project, file);
      const text = readFileSync(path, 'utf8');
      expect(text).toMatch(pattern);
      writeFileSync(path, text.replace(pattern, replacement));
      expect(await runSuccessfully(project, 'castellan plan')).toContain(
        '0 to create, 1 to update, 0 to replace, 0 to delete',
      );
      await runSuccessfully(project, 'castellan up');
      expect((await runInProject(project, 'castellan plan')).stdout).toBe('shop: no changes\n');
      await runSuccessfully(project, 'castellan down --all');
      expect((await runInProject(project, 'castellan sandbox status')).exitCode).toBe(1);
      rmSync(project, { recursive: true, force: true });
    },
  );

  it('typescript is installed, type-checked, applied, changed and taken down', async () => {
    const project = emptyFolder();
    await runSuccessfully(
      project,
      `castellan init typescript --name shop --castellan file:${await packedCastellan()}`,
    );
    await npmInstallCdktf(project);
    await runSuccessfully(project, 'tsc --noEmit -p .');
    // the workflow, whose npm ci was done above
    const { jobs } = parse(
      readFileSync(join(project, '.github/workflows/castellan.yml'), 'utf8'),
    ) as { jobs: { synth: { steps: { run?: string }[] } } };
    const scripts = jobs.synth.steps.flatMap(({ run }) => run ?? []);
    expect(scripts).toEqual(['npm ci', 'npm test', 'npx cdktf synth']);
    const transpileOnly = 'TS_NODE_TRANSPILE_ONLY=true'; // types were checked above
    for (const script of scripts.slice(1))
      await runSuccessfully(project, `${transpileOnly} ${script}`);
    await runSuccessfully(project, 'castellan sandbox start --seed seed.yaml');
    const inSandbox = (line: string): Promise<string> =>
      runSuccessfully(project, `eval "$(castellan sandbox env)" && ${transpileOnly} ${line}`);
    expect(await inSandbox('npm run deploy')).toContain('2 added, 0 changed, 0 destroyed');
    const team = join(project, 'team.ts');
    writeFileSync(
      team,
      readFileSync(team, 'utf8').replace('Who may change shop', 'Those who may change it'),
    );
    expect(await inSandbox('npm run deploy')).toContain('0 added, 1 changed, 0 destroyed');
    await inSandbox('npm run destroy -- --skip-synth');
    // cdktf may end before the last lines that it printed are read
    const state = readFileSync(join(project, '.castellan/terraform.shop.tfstate'), 'utf8');
    expect(JSON.parse(state)).toMatchObject({ resources: [] });
    await runSuccessfully(project, 'castellan sandbox stop');
    rmSync(project, { recursive: true, force: true });
  });

  it('is refused where a limit is broken, by the TypeScript program with its line', async () => {
    const project = join(await folderWithCastellan(), 'projects/broken');
    mkdirSync(project, { recursive: true });
    writeFileSync(
      join(project, 'main.js'),
      "const { App, CastellanStack, SecurityGroup } = require('castellan/constructs');\nconst app = new App(); const stack = new CastellanStack(app, 'shop');\nnew SecurityGroup(stack, 'a', { displayName: 'A', mailNickname: 'sho ppers' });\napp.synth();\n",
    );
    const { exitCode, stderr } = await runInProject(project, 'node main.js');
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/main\.js:3:\d+[^]*sho ppers/)]);
  });
});
