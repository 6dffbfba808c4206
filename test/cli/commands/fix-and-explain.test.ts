import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../../core/errors/catalogue.js';
import { problemTexts } from '../../../core/source/problem.js';
import { root } from '../../support/cli.js';
import { openAppConfig, shopConfig, useProject } from './support/project.js';

const { read, run, write } = useProject();

describe('castellan fix', () => {
  it('corrects findings that have a fix and keeps comments and layout', async () => {
    write('castellan.yaml', shopConfig);
    const { exitCode, stdout } = await run('fix');
    expect(read('castellan.yaml')).toBe(
      shopConfig
        .replace('allowInsecure: true', 'allowInsecure: false')
        .replace('codehst', 'codehost'),
    );
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^castellan.yaml:7 auth-allow-insecure: write allowInsecure: false\ncastellan.yaml:8 auth-redirect-target: write codehost\n\ncastellan.yaml\n7 - .*\n7 \+ .*\n8 - .*\n8 \+ .*\n\nfixed 2; 0 left\n$/,
      ),
    ]);
  });

  it('says that nothing was checked where there is no configuration', async () => {
    const { exitCode, stderr } = await run('fix');
    expect([exitCode, stderr]).toEqual([
      4,
      'castellan: nothing was checked: there is no castellan.yaml in .\n',
    ]);
  });

  it('corrects the overlay of an environment', async () => {
    write(
      'castellan.yaml',
      shopConfig
        .replace('allowInsecure: true', 'allowInsecure: false')
        .replace('codehst', 'codehost'),
    );
    write('castellan.prod.yaml', 'containerApps:\n  shop: { replicas: { minn: 2 } }\n');
    expect((await run('fix', '-e', 'prod')).stdout).toContain('castellan.prod.yaml:2');
    expect(read('castellan.prod.yaml')).toContain('{ min: 2 }');
  });

  it('corrects the stack that has the mistake, of several in one file', async () => {
    const stack = (name: string, groups: string) =>
      `version: 1\nstack: ${name}\ngroups:\n${groups}`;
    const one = stack('one', '  staff: { kind: unified, displayName: Staff }\n');
    const open =
      '{ kind: unified, displayName: Till, isAssignableToRole: true, securityEnabled: true';
    const two = stack('two', `  staff: ${open} }\n  tills: ${open}, visibility: Public }\n`);
    write('castellan.yaml', `${one}---\n${two}`);
    const { stdout } = await run('fix', '--rule', 'group-role-assignable');
    expect(read('castellan.yaml')).toBe(
      `${one}---\n${two.replace('true }', 'true, visibility: Private }').replace('Public', 'Private')}`,
    );
    expect(stdout).toContain('\nfixed 2; 0 left\n');
  });

  it('never uses a name that exists already', async () => {
    const text =
      'version: 1\nstack: shop\nprincipals:\n  ada: { user: ada@contoso.example }\n  grace: { user: grace@contoso.example }\ngroups:\n  staff: { kind: security, displayName: Staff, owners: [ada, grace], members: [grace, gracee] }\n';
    write('castellan.yaml', text);
    const { stdout } = await run('fix');
    expect([read('castellan.yaml'), stdout]).toEqual([text, expect.stringContaining('fixed 0')]);
  });

  it('applies what may let others in only where it is asked for by rule or by --unsafe', async () => {
    const text = `version: 1
stack: shop
principals:
  ada: { user: ada@contoso.example }
  grace: { user: grace@contoso.example }
groups:
  staff: { kind: security, displayName: Staff, mailNickname: staff, owners: [ada, grace], members: [ad], dynamicMembr: x }
  all: { kind: security, displayName: All, mailNickname: all, owners: [ada, grace], dynamicMembership: { rule: 'user.departmnt -eq "Retail"' } }
containerApps:
  web:
    image: example.com/web:1
    targetPort: 80
    replicas: { minn: 1 }
    ingress: { external: false }
    auth: { providers: { codehost: { clientId: a, clientSecret: "${'${env:SECRET}'}" } } }
`;
    write('castellan.yaml', text);
    const { stdout } = await run('fix');
    const safe = text.replace('minn', 'min');
    expect(read('castellan.yaml')).toBe(safe);
    expect(stdout).toMatch(
      /reference-exists: .*write ada may change who gets in; --rule reference-exists or --unsafe applies it/,
    );
    expect(stdout).toMatch(/auth-external-ingress: .*write external: true may change who gets in/);
    expect(stdout).toMatch(/group-dynamic-rule: .*may change who gets in/);
    await run('fix', '--rule', 'reference-exists');
    expect(read('castellan.yaml')).toBe(safe.replace('[ad]', '[ada]'));
    expect((await run('fix', '--dry-run', '--unsafe')).stdout).toContain('external: true');
  });

  it('leaves a misspelt name above a property that may let others in to a person', async () => {
    const text = `version: 1
stack: shop
containerApps:
  web: { image: example.com/web:1, targetPort: 80, ingres: { external: true } }
`;
    write('castellan.yaml', text);
    await run('fix');
    expect(read('castellan.yaml')).toBe(text);
    expect((await run('fix', '--dry-run', '--unsafe')).stdout).toContain('ingress: {');
  });

  it('corrects what only an overlay has, without its environment being named', async () => {
    write('castellan.yaml', shopConfig);
    write('castellan.prod.yaml', 'containerApps:\n  shop: { replicas: { minn: 2 } }\n');
    await run('fix');
    expect(read('castellan.prod.yaml')).toContain('{ min: 2 }');
    expect(read('castellan.yaml')).toContain('allowInsecure: false');
  });

  it('changes nothing that the check before it did not show', async () => {
    write(
      'castellan.yaml',
      shopConfig
        .replace('allowInsecure: true', 'allowInsecure: "tru"')
        .replace('codehst', 'codehost'),
    );
    const shown = (await run('check')).stdout;
    const { stdout } = await run('fix', '--unsafe');
    for (const [, rule = ''] of stdout.matchAll(/^castellan\.yaml:\d+ ([a-z-]+):/gm))
      expect(shown).toContain(rule);
  });

  it('keeps the byte order mark of a file', async () => {
    write('castellan.yaml', `\ufeff${shopConfig}`);
    await run('fix');
    expect(read('castellan.yaml')).toMatch(/^\ufeff.*allowInsecure: false/s);
  });

  it('reports the remaining findings, and what is missing', async () => {
    write(
      'castellan.yaml',
      'version: 1\nstack: shop\ngroups:\n  b: { kind: unified, displayName: B, mailNickname: "x y" }\n',
    );
    const { exitCode, stdout } = await run('fix');
    expect([exitCode, stdout]).toEqual([
      1,
      expect.stringMatching(
        /^castellan\.yaml:4:53 group-mail-nickname: .* \(left for you\)\nfixed 0; 1 left\n$/,
      ),
    ]);
    expect(await run('fix', 'nowhere')).toMatchObject({
      exitCode: 2,
      stdout: expect.stringContaining('nowhere does not exist') as string,
    });
  });

  it('shows the changes and writes nothing with --dry-run', async () => {
    write('castellan.yaml', shopConfig);
    const { stdout } = await run('fix', '--dry-run');
    expect(read('castellan.yaml')).toBe(shopConfig);
    expect(stdout).toContain(
      '7 - ' +
        '    ingress: { external: true, allowInsecure: true } # reached by everyone\n7 + ' +
        '    ingress: { external: true, allowInsecure: false } # reached by everyone',
    );
    expect(stdout).toContain('would fix 2; 0 left');
  });
});

describe('castellan explain', () => {
  it('prints the page of a rule', async () => {
    const { exitCode, stdout } = await run('explain', 'group-mail-nickname');
    expect([exitCode, stdout.split('\n')[0]]).toEqual([0, '# group-mail-nickname']);
  });

  it('explains every code of an error', async () => {
    for (const code of Object.keys(catalogue)) {
      const { exitCode, stdout } = await run('explain', code);
      expect([code, exitCode, stdout.split('\n')[0]]).toEqual([code, 0, `# ${code}`]);
    }
    expect((await run('explain', 'CAS0000')).exitCode).toBe(2);
  });

  it('says what each mistake in a file means, which the index of rules lists', async () => {
    const index = readFileSync(join(root, 'docs/rules/index.md'), 'utf8');
    for (const [id, { title }] of Object.entries(problemTexts)) {
      const { exitCode, stdout } = await run('explain', id);
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining(title)]);
      expect(index).toContain(`\`${id}\``);
    }
    expect((await run('explain', 'config-tap')).stderr).toContain('did you mean "config-tab"');
  });

  it('shows where a finding comes from and the smallest passing edit', async () => {
    write('castellan.yaml', shopConfig);
    const { stdout } = await run('explain', 'castellan.yaml:7');
    expect(stdout).toContain('what   containerApps > web > ingress > allowInsecure');
    expect(stdout).toContain('smallest passing edit: write allowInsecure: false\n7 - ');
  });

  it('says the same as JSON', async () => {
    write('castellan.yaml', shopConfig);
    expect(JSON.parse((await run('explain', 'castellan.yaml:7', '--json')).stdout)).toMatchObject({
      version: 1,
      findings: [
        {
          location: { line: 7 },
          suppressed: false,
          rule: { why: expect.any(String) as string },
          fix: { value: false },
        },
      ],
    });
    expect(JSON.parse((await run('explain', 'group-theme', '--json')).stdout)).toMatchObject({
      rule: { id: 'group-theme' },
    });
  });

  it('asks for a more precise name if it is ambiguous', async () => {
    write('castellan.yaml', openAppConfig);
    const { exitCode, stderr } = await run('explain', 'group-mail-nickame');
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('did you mean "group-mail-nickname"?'),
    ]);
  });
});

describe('castellan explain, of a finding in one environment', () => {
  it('shows it with the edit of the overlay', async () => {
    write('castellan.yaml', shopConfig);
    write('castellan.prod.yaml', '# as in production\ngroups: { a: { theme: teal } }\n');
    for (const what of ['group-theme@groups.a', 'castellan.prod.yaml:2']) {
      const { exitCode, stdout } = await run('explain', what);
      expect(exitCode).toBe(0);
      expect(stdout).toContain('group-theme (error) at castellan.prod.yaml:2');
      expect(stdout).toContain('+ groups: { a: { theme: Teal } }');
    }
  });
});

describe('castellan explain, of a rule of a pack', () => {
  it('leaves out the reason where a rule in JavaScript has none', async () => {
    write('castellan.yaml', shopConfig);
    write('castellan.policy.yaml', 'version: 1\npacks: [{ file: rules.js }]\n');
    write(
      'rules.js',
      `const { defineRule } = require('castellan/policies');
exports.noShop = defineRule({
  id: 'no-shop', title: 'No app is a shop.', severity: 'warning', source: 'ours',
  sections: ['containerApps'], messages: { shop: 'it is a shop' },
  check: (_app, context) => context.report({ messageId: 'shop', path: ['auth'] }),
});
`,
    );
    expect((await run('explain', 'no-shop')).stdout).toBe(
      '# no-shop\n\nNo app is a shop.\n\n* Severity: warning\n',
    );
    const { stdout } = await run('explain', 'no-shop@containerApps.web');
    expect(stdout).toContain('No app is a shop.\n');
    expect(stdout).not.toContain('undefined');
  });
});

describe('castellan explain, of a finding without a single right edit', () => {
  it('is found by rule and path, and shows a passing configuration', async () => {
    write(
      'castellan.yaml',
      'version: 1\nstack: shop\ngroups:\n  b: { kind: unified, displayName: B, mailNickname: "x y" }\n',
    );
    const { exitCode, stdout } = await run('explain', 'group-mail-nickname@groups.b');
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringContaining(
        'which edit is right is for you to say; this passes:\n\n  version: 1\n',
      ),
    ]);
  });
});
