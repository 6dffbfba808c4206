import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCheck } from '../../../../policies/check/run-check.js';
import {
  callerId,
  type ControlPlane,
  requiredProviders,
  startControlPlane,
} from '../../../provider/support/control-plane.js';
import { createWorkspace } from '../../../provider/support/terraform.js';

const stacksFolder = join(__dirname, 'stacks');
const providers = Object.entries(requiredProviders).map(
  ([name, { source }]) => `    ${name} = { source = "${source}" }\n`,
);
const providerRequirements = `terraform {\n  required_providers {\n${providers.join('')}  }\n}\n`;
const now = new Date('2026-11-22T12:00:00Z');
const seed = `users:
  - { id: ${callerId}, userPrincipalName: c@contoso.example, displayName: C, mailNickname: c }
  - { id: aaaaaaaa-0000-4000-8000-000000000001, userPrincipalName: ada@contoso.example, displayName: Ada, mailNickname: ada }
  - { id: aaaaaaaa-0000-4000-8000-000000000002, userPrincipalName: grace@contoso.example, displayName: Grace, mailNickname: grace }
capacities:
  - { id: 33333333-2222-4333-8444-555555555555, displayName: Main, sku: F4, region: West Europe, state: Active }
`;

describe('Terraform as platform teams write it', () => {
  let plane: ControlPlane;
  let seedFolder: string;
  beforeAll(async () => {
    seedFolder = mkdtempSync(join(tmpdir(), 'cas-seed-'));
    writeFileSync(join(seedFolder, 'seed.yaml'), seed);
    plane = await startControlPlane({ seed: join(seedFolder, 'seed.yaml') });
  });
  afterAll(async () => {
    await plane.close();
    rmSync(seedFolder, { recursive: true, force: true });
  });

  it.each(readdirSync(stacksFolder))(
    '%s: its plan fails no rule, and the plan after its apply has no findings',
    async (name) => {
      const workspace = await createWorkspace(plane.env);
      try {
        cpSync(join(stacksFolder, name), workspace.folder, { recursive: true });
        for (const file of readdirSync(workspace.folder, { recursive: true }).map(String)) {
          if (!file.endsWith('main.tf')) continue;
          const azurermBlock = file === 'main.tf' ? 'provider "azurerm" {\n  features {}\n}\n' : '';
          writeFileSync(
            join(workspace.folder, file),
            providerRequirements +
              azurermBlock +
              readFileSync(join(workspace.folder, file), 'utf8'),
          );
        }
        await workspace.succeed('init');
        const planFindings = async () => {
          await workspace.succeed('plan', '-out=plan.bin');
          writeFileSync(
            join(workspace.folder, 'plan.json'),
            await workspace.succeed('show', '-json', 'plan.bin'),
          );
          const { findings } = await runCheck({
            paths: [],
            plan: 'plan.json',
            cwd: workspace.folder,
            env: {},
            now,
          });
          return findings
            .filter(({ severity, verdict }) => verdict === 'fail' || severity !== 'info')
            .map(
              ({ verdict, ruleId, terraformAddress, path }) =>
                `${verdict} ${ruleId} ${terraformAddress ?? ''} ${(path ?? []).slice(2).join('.')}`,
            );
        };
        expect((await planFindings()).filter((line) => line.startsWith('fail'))).toEqual([]);
        await workspace.succeed('apply', '-auto-approve');
        expect(await planFindings()).toEqual([]);
      } finally {
        await workspace.remove();
      }
    },
  );
});
