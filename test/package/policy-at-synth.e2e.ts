import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { folderWithCastellan } from '../support/installed-package.js';

/** A project of the packed package, with a program in a folder below the policy. */
async function projectWith(files: Readonly<Record<string, string>>): Promise<string> {
  const projects = join(await folderWithCastellan(), 'projects');
  const folder = realpathSync(mkdtempSync(join(projects, 'policy-')));
  execFileSync('git', ['init', '-q', folder]);
  for (const [name, text] of Object.entries({
    'infra/main.js': program,
    'no-red.ts': pack,
    ...files,
  })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const program = `const { App, CastellanStack, UnifiedGroup } = require('castellan');
const app = new App();
const stack = new CastellanStack(app, 'shop', {});
new UnifiedGroup(stack, 'buyers', { displayName: 'Buyers', mailNickname: 'buyers', theme: 'Red' });
new UnifiedGroup(stack, 'sellers', { displayName: 'Sellers', mailNickname: 'sellers', theme: 'Red' });
app.synth();
`;

const pack = `import { defineRule } from 'castellan/policies';
export const noRed = defineRule({
  id: 'no-red', title: 'No group is red.', why: 'Red is for alarms.', severity: 'warning',
  source: 'our style guide', sections: ['groups'], reads: ['theme'],
  messages: { red: 'the theme of "{name}" is {given}' },
  options: { type: 'object', properties: { theme: { type: 'string' } }, additionalProperties: false },
  check(group, context) {
    if (group.value.theme === (context.options.theme ?? 'Red'))
      context.report({ messageId: 'red', path: ['theme'], parameters: { name: group.name } });
  },
});
export const named = defineRule({
  id: 'named-nickname', title: 'Groups have nicknames.', why: 'People type them.',
  severity: 'error', source: 'our style guide', sections: [], messages: { none: 'nickname {given}' },
  resources: ['azuread_group'],
  checkResource(resource, { report }) {
    if (resource.values.mail_nickname === 'sellers')
      report({ messageId: 'none', path: ['mail_nickname'], parameters: { given: 'sellers' } });
  },
});
`;

const settingsPack = `const { defineRule } = require('castellan/policies');
exports.settings = defineRule({
  id: 'settings-shown', title: 'Settings are shown.', why: 'To see them.', severity: 'error',
  source: 'our style guide', sections: ['groups'], scope: 'stack',
  messages: { shown: 'stack {stack} in {azure}' },
  check(group, { report, index: { settings } }) {
    report({ messageId: 'shown', path: [], parameters: { stack: settings.stack, azure: JSON.stringify(settings.azure) } });
  },
});
`;

/** What a synthesis prints, without the folder of the project. */
function synthesisIn(folder: string): { readonly status: number | null; readonly output: string } {
  const { status, stderr, stdout } = spawnSync(process.execPath, ['main.js'], {
    cwd: join(folder, 'infra'),
    encoding: 'utf8',
  });
  return { status, output: `${stdout}${stderr}`.replaceAll(`${folder}/`, '') };
}

describe('the policy of a project at synth', () => {
  it('is found above the program, with the policies that it includes', async () => {
    const folder = await projectWith({
      'castellan.policy.yaml': 'version: 1\ninclude: [shared/base.yaml]\n',
      'shared/base.yaml': 'version: 1\nrules: { group-two-owners: error }\n',
    });
    const { status, output } = synthesisIn(folder);
    expect(output).toMatch(/\[shop\] main\.js:4:1: error: .*\(group-two-owners\)/);
    expect(output).toMatch(/\[shop\] main\.js:5:1: error: .*\(group-two-owners\)/);
    expect(status).toBe(1);
  });

  it('has packs, whose rules judge declarations and resources, at their lines', async () => {
    const folder = await projectWith({
      'castellan.policy.yaml':
        'version: 1\npacks:\n  - file: no-red.ts\nrules: { no-red: error }\n',
    });
    const { status, output } = synthesisIn(folder);
    expect(output).toContain('[shop] main.js:4:1: error: the theme of "buyers" is Red (no-red)');
    expect(output).toContain('[shop] main.js:5:1: error: nickname sellers (named-nickname)');
    expect(status).toBe(1);
  });

  it('has packs that see the settings of the stack', async () => {
    const folder = await projectWith({
      'castellan.policy.yaml': 'version: 1\npacks:\n  - file: settings.js\n',
      'infra/main.js': program.replace(
        '{}',
        "{ azure: { location: 'westeurope', resourceGroup: { existing: 'rg-shop' } } }",
      ),
      'settings.js': settingsPack,
    });
    const { output } = synthesisIn(folder);
    expect(output).toContain(
      'stack shop in {"location":"westeurope","resourceGroup":{"existing":"rg-shop"}}',
    );
  });

  it('sets options of rules of packs', async () => {
    const folder = await projectWith({
      'castellan.policy.yaml':
        'version: 1\npacks:\n  - file: no-red.ts\nrules:\n  no-red: { options: { theme: Blue } }\n  named-nickname: off\n',
    });
    expect(synthesisIn(folder)).toEqual({ status: 0, output: '' });
  });

  it('accepts the findings of the baseline', async () => {
    const folder = await projectWith({
      'castellan.policy.yaml': 'version: 1\nrules: { group-two-owners: error }\n',
    });
    const { output } = synthesisIn(folder);
    const fingerprints = [...output.matchAll(/fingerprint: '(\w+)'/g)].map((match) => match[1]);
    expect(fingerprints).toHaveLength(2);
    const findings = fingerprints.map((fingerprint) => ({
      fingerprint,
      ruleId: 'group-two-owners',
      file: 'infra/main.js',
      path: '',
    }));
    const write = (accepted: readonly object[]): void =>
      writeFileSync(
        join(folder, 'castellan.baseline.json'),
        JSON.stringify({ version: 1, findings: accepted }),
      );
    write(findings.slice(0, 1));
    expect(synthesisIn(folder).output).not.toContain('main.js:4:1');
    write(findings);
    expect(synthesisIn(folder)).toMatchObject({ status: 0 });
  });

  it('refuses a pack that does not exist', async () => {
    const folder = await projectWith({
      'castellan.policy.yaml': 'version: 1\npacks:\n  - file: no-blue.ts\n',
    });
    const { status, output } = synthesisIn(folder);
    expect(output).toContain('CAS7003');
    expect(status).toBe(1);
  });
});
