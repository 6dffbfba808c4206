import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyPolicy } from '../../../../policies/check/policy/applied-policy.js';
import type { BaselineEntry } from '../../../../policies/check/policy/baseline.js';
import { runCheck } from '../../../../policies/check/run-check.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-policy-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const now = new Date('2026-11-01T12:00:00Z');
const write = (name: string, content: string): void => writeFileSync(join(folder, name), content);
const report = (environment?: string) =>
  runCheck({ paths: ['castellan.yaml'], cwd: folder, env: {}, now, environment });
const findingLines = async (environment?: string) =>
  (await report(environment)).findings.map(
    ({ ruleId, severity, location }) => `${location?.file}:${location?.line} ${severity} ${ruleId}`,
  );
const shop = (line = '    ingress: { external: true }') =>
  `version: 1\nstack: shop\ncontainerApps:\n  web:\n    image: web:1\n    targetPort: 80\n${line}\n`;

describe('the policy', () => {
  it('is one document, as others would silently have no effect', async () => {
    write('castellan.yaml', shop());
    write('castellan.policy.yaml', 'version: 1\n---\nrules: { auth-public-app: off }\n');
    expect(await findingLines()).toEqual([
      'castellan.policy.yaml:3 error config-syntax',
      'castellan.yaml:7 warning auth-public-app',
    ]);
    write('castellan.policy.yaml', 'version: 1\nrules: { auth-public-app: off }\n---\n');
    expect(await findingLines()).toEqual([]);
  });

  it('switches rules off and changes their severity, by stack and environment', async () => {
    write('castellan.yaml', shop());
    write('castellan.prod.yaml', 'containerApps: { web: { image: "web:2" } }\n');
    write(
      'castellan.policy.yaml',
      'version: 1\nrules: { auth-public-app: info }\nscopes:\n  - environments: [prod]\n    stacks: [shop]\n    rules: { auth-public-app: error }\n  - stacks: [other]\n    rules: { auth-public-app: off }\n',
    );
    expect([await findingLines(), await findingLines('prod')]).toEqual([
      ['castellan.yaml:7 info auth-public-app'],
      ['castellan.yaml:7 error auth-public-app'],
    ]);
  });

  it('has scopes for the environment without an overlay, which is called default', async () => {
    write('castellan.yaml', shop());
    write('castellan.prod.yaml', 'containerApps: { web: { image: "web:2" } }\n');
    write(
      'castellan.policy.yaml',
      'version: 1\nscopes:\n  - { environments: [default], rules: { auth-public-app: error } }\n',
    );
    expect([
      await findingLines(),
      await findingLines('default'),
      await findingLines('prod'),
    ]).toEqual([
      ['castellan.yaml:7 error auth-public-app'],
      ['castellan.yaml:7 error auth-public-app'],
      ['castellan.yaml:7 warning auth-public-app'],
    ]);
  });

  it('keeps the options of a rule in a scope that says another severity', () => {
    const config = {
      version: 1,
      rules: { 'no-red': { severity: 'info', options: { instead: 'Teal', loud: false } } },
      scopes: [
        { stacks: ['shop'], rules: { 'no-red': 'error' } },
        { environments: ['prod'], rules: { 'no-red': { options: { loud: true } } } },
      ],
    } as const;
    const severityAndOptions = (environment?: string) => {
      const { severityOf, ruleOptions } = applyPolicy(config, [], { stack: 'shop', environment });
      return [severityOf('no-red'), ruleOptions['no-red']];
    };
    expect(severityAndOptions()).toEqual(['error', { instead: 'Teal', loud: false }]);
    expect(severityAndOptions('prod')).toEqual(['error', { instead: 'Teal', loud: true }]);
  });

  it.each(['castellan.policy.yml', 'castellan.policy.json'])(
    'is refused where its name is %s: a check without it would pass',
    async (name) => {
      write('castellan.yaml', shop());
      write(name, '{ version: 1, rules: { auth-public-app: error } }');
      await expect(findingLines()).rejects.toMatchObject({
        code: 'CAS7002',
        message: `${name} is not read: a policy is called castellan.policy.yaml; rename it`,
      });
      write('castellan.policy.yaml', '{ version: 1 }');
      expect(await findingLines()).toEqual(['castellan.yaml:7 warning auth-public-app']);
    },
  );

  it('reports its mistakes with their lines', async () => {
    write('castellan.yaml', shop('    ingress: { external: false }'));
    write('castellan.policy.yaml', 'version: 1\nrules:\n  auth-public-app: loud\n');
    expect(await findingLines()).toEqual(['castellan.policy.yaml:3 error property-value']);
    write(
      'castellan.policy.yaml',
      'version: 1\nrules:\n  auth-public-ap: off\nsuppressions:\n  - { rule: nothing, reason: x, owner: y, until: 2027-01-01 }\n',
    );
    expect(await findingLines()).toEqual([
      'castellan.policy.yaml:3 error policy-rule',
      'castellan.policy.yaml:5 warning suppression-incomplete',
      'castellan.policy.yaml:5 error policy-rule',
    ]);
  });

  it('accepts a finding until a date, while its value stays the same', async () => {
    const suppression = (value: string) =>
      `version: 1\nsuppressions:\n  - { rule: app-image-pinned, path: containerApps.web, value: "${value}", reason: a toy, owner: web, until: 2026-12-31 }\n`;
    write('castellan.yaml', shop('').replace('web:1', 'web:latest'));
    write('castellan.policy.yaml', suppression('web:latest'));
    const accepted = await report();
    expect([accepted.findings, accepted.summary.suppressed]).toEqual([[], 1]);
    write('castellan.policy.yaml', suppression('web'));
    expect(await findingLines()).toEqual([
      'castellan.policy.yaml:3 warning suppression-unused',
      'castellan.yaml:5 warning app-image-pinned',
    ]);
  });
});

describe('options of rules', () => {
  const policy = (options: string) =>
    `version: 1\nrules:\n  workspace-items-limit: { severity: warning, options: ${options} }\n`;
  it.each([
    ['{ limit: 2 }', []],
    [
      '{ limt: 2 }',
      ['3:58 "limt" is not an option of workspace-items-limit; did you mean "limit"?'],
    ],
    ['{ other: 2 }', ['3:58 "other" is not an option of workspace-items-limit; allowed: limit']],
    [
      '{ limit: many }',
      ['3:65 limit of workspace-items-limit is "many"; allowed: an integer of at least 1'],
    ],
    [
      '{ limit: 0 }',
      ['3:65 limit of workspace-items-limit is 0; allowed: an integer of at least 1'],
    ],
  ])('%s are checked against those that the rule has', async (options, expected) => {
    write('castellan.yaml', 'version: 1\nstack: shop\n');
    write('castellan.policy.yaml', policy(options));
    const { findings } = await report();
    expect(
      findings.map(({ location, message }) => `${location?.line}:${location?.column} ${message}`),
    ).toEqual(expected);
  });

  it('are checked in scopes, too, and for rules without options', async () => {
    write('castellan.yaml', 'version: 1\nstack: shop\n');
    write(
      'castellan.policy.yaml',
      'version: 1\nscopes:\n  - rules: { auth-public-app: { options: { a: 1 } } }\n  - rules: { auth-publik-app: { options: { a: 1 } } }\n',
    );
    expect((await report()).findings.map(({ ruleId, message }) => `${ruleId} ${message}`)).toEqual([
      'policy-rule "a" is not an option of auth-public-app; it has none',
      'policy-rule there is no rule "auth-publik-app"; did you mean "auth-public-app"?',
    ]);
  });
});

describe('suppressions of a policy', () => {
  const acceptingPolicy = (more: string) =>
    `version: 1\nsuppressions:\n  - { rule: auth-public-app, ${more}, reason: x, owner: y, until: 2026-12-31 }\n`;

  it('apply only to the stack that they name, and are unused only when that stack is checked', async () => {
    write('castellan.yaml', shop());
    write('other.yaml', shop().replace('stack: shop', 'stack: other'));
    write('castellan.policy.yaml', acceptingPolicy('stack: other'));
    const both = await runCheck({
      paths: ['castellan.yaml', 'other.yaml'],
      cwd: folder,
      env: {},
      now,
    });
    expect([both.findings.map(({ location }) => location?.file), both.summary.suppressed]).toEqual([
      ['castellan.yaml'],
      1,
    ]);
    expect(await findingLines()).toEqual(['castellan.yaml:7 warning auth-public-app']);
  });

  it('of rules about plans and changes are unused only where there is one', async () => {
    write('castellan.yaml', 'version: 1\nstack: shop\n');
    write(
      'castellan.policy.yaml',
      acceptingPolicy('path: x').replace('auth-public-app', 'plan-loses-data'),
    );
    expect(await findingLines()).toEqual([]);
    write('plan.json', '{"format_version":"1.2"}');
    const { findings } = await runCheck({
      paths: ['castellan.yaml'],
      plan: 'plan.json',
      cwd: folder,
      env: {},
      now,
    });
    expect(findings.map(({ ruleId }) => ruleId)).toEqual(['suppression-unused']);
  });
});

describe('suppression comments', () => {
  it.each([
    [
      'beside the line',
      '    ingress: { external: true } # castellan-ignore auth-public-app reason="public shop" owner=web until=2026-12-31',
      [],
    ],
    [
      'above the line',
      '    # castellan-ignore auth-public-app reason="public shop" owner=web until=2026-12-31\n    ingress: { external: true }',
      [],
    ],
    [
      'on their last day',
      '    ingress: { external: true } # castellan-ignore auth-public-app reason=shop owner=web until=2026-11-01',
      [],
    ],
    [
      'too late',
      '    ingress: { external: true } # castellan-ignore auth-public-app reason=shop owner=web until=2026-10-31',
      ['castellan.yaml:7 warning auth-public-app', 'castellan.yaml:7 error suppression-expired'],
    ],
    [
      'without a reason',
      '    ingress: { external: true } # castellan-ignore auth-public-app owner=web until=2026-12-31',
      [
        'castellan.yaml:7 warning auth-public-app',
        'castellan.yaml:7 warning suppression-incomplete',
      ],
    ],
    [
      'for the value that they name',
      '    ingress: { external: true } # castellan-ignore auth-public-app reason=shop owner=web until=2026-12-31 value=true',
      [],
    ],
    [
      'for another value',
      '    ingress: { external: true } # castellan-ignore auth-public-app reason=shop owner=web until=2026-12-31 value="false"',
      ['castellan.yaml:7 warning auth-public-app', 'castellan.yaml:7 warning suppression-unused'],
    ],
    [
      'for nothing',
      '    ingress: { external: false } # castellan-ignore auth-public-app reason=shop owner=web until=2026-12-31',
      ['castellan.yaml:7 warning suppression-unused'],
    ],
    [
      'for a rule that does not exist',
      '    ingress: { external: false } # castellan-ignore auth-publik-app reason=shop owner=web until=2026-12-31',
      ['castellan.yaml:7 warning suppression-incomplete'],
    ],
  ])('apply %s or report why not', async (_, line, expected) => {
    write('castellan.yaml', shop(line));
    expect(await findingLines()).toEqual(expected);
  });

  it.each([
    ['', 'reason="…" owner=… until=YYYY-MM-DD'],
    ['reason=shop', 'owner=… until=YYYY-MM-DD'],
    ['reason=shop owner="" until=2027-01-31', 'owner=…'],
    ['owner=web', 'reason="…" until=YYYY-MM-DD'],
    ['reason=shop owner=web', 'until=YYYY-MM-DD'],
  ])('report at once what they lack: %s', async (written, expected) => {
    write(
      'castellan.yaml',
      shop(`    ingress: { external: true } # castellan-ignore auth-public-app ${written}`),
    );
    const { findings } = await report();
    expect(findings.find(({ ruleId }) => ruleId === 'suppression-incomplete')?.message).toMatch(
      new RegExp(`: add ${expected}$`),
    );
  });

  it('never accept what is wrong with a file', async () => {
    write(
      'castellan.yaml',
      'version: 1\nstack: shop # castellan-ignore config-reference reason=x owner=y until=2027-01-01\n',
    );
    expect(await findingLines()).toEqual(['castellan.yaml:2 warning suppression-incomplete']);
  });
});

describe('a baseline', () => {
  it('accepts known findings and fails when one of them no longer exists', async () => {
    write('castellan.yaml', shop());
    const { unsuppressed } = await report();
    const { baselineOf } = await import('../../../../policies/check/policy/baseline.js');
    write('castellan.baseline.json', JSON.stringify(baselineOf(unsuppressed)));
    const known = await report();
    expect([known.findings, known.summary.baselined]).toEqual([[], 1]);
    write('castellan.yaml', shop('    ingress: { external: false }'));
    expect(await findingLines()).toEqual(['castellan.baseline.json:1 error baseline-stale']);
  });

  it('accepts a finding in its own stack, and one without a stack in each stack', async () => {
    const other = shop().replace('stack: shop', 'stack: other');
    write('castellan.yaml', `${shop()}---\n${other}`);
    const { baselineOf } = await import('../../../../policies/check/policy/baseline.js');
    const { findings } = baselineOf((await report()).unsuppressed);
    expect(findings.map(({ stack }) => stack)).toEqual(['other', 'shop']);
    const [{ stack: _, ...withoutStack }, ofShop] = findings as [BaselineEntry, BaselineEntry];
    const acceptedBy = async (entry: BaselineEntry) => {
      write('castellan.baseline.json', JSON.stringify({ version: 1, findings: [entry] }));
      return findingLines();
    };
    expect(await acceptedBy(ofShop)).toEqual(['castellan.yaml:15 warning auth-public-app']);
    expect(await acceptedBy(withoutStack)).toEqual([]);
  });

  it('is beside the policy, or where the policy says', async () => {
    const { baselineOf } = await import('../../../../policies/check/policy/baseline.js');
    mkdirSync(join(folder, 'policies'));
    write('castellan.yaml', shop());
    write('policies/known.json', JSON.stringify(baselineOf((await report()).unsuppressed)));
    write('policies/castellan.policy.yaml', 'version: 1\nbaseline: known.json\n');
    const options = {
      paths: ['castellan.yaml'],
      cwd: folder,
      env: {},
      now,
      policy: 'policies/castellan.policy.yaml',
    };
    expect((await runCheck(options)).summary).toMatchObject({ baselined: 1, warnings: 0 });
    write('policies/castellan.policy.yaml', 'version: 1\nbaseline: missing.json\n');
    await expect(runCheck(options)).rejects.toMatchObject({ code: 'CAS7002' });
  });

  it('fails when the file of an accepted finding is deleted', async () => {
    const entry = {
      fingerprint: '0123456789abcdef',
      ruleId: 'auth-public-app',
      file: 'gone.yaml',
      path: 'x',
      message: 'x',
    };
    write('castellan.yaml', 'version: 1\nstack: shop\n');
    write('castellan.baseline.json', JSON.stringify({ version: 1, findings: [entry] }));
    expect(await findingLines()).toEqual(['castellan.baseline.json:1 error baseline-stale']);
    write('gone.yaml', 'not looked at');
    expect(await findingLines()).toEqual([]);
  });

  it.each([
    ['{}', 'it is no baseline of version 1'],
    ['{', "can't be read"],
    ['{"version":1,"findings":[{}]}', 'findings[0].fingerprint must be a string'],
    ['{"version":1,"findings":[null]}', 'findings[0].fingerprint must be a string'],
    [
      '{"version":1,"findings":[{"fingerprint":"","ruleId":"","file":"","path":"","stack":1}]}',
      'findings[0].stack must be a string',
    ],
  ])('%s is refused', async (text, message) => {
    write('castellan.yaml', 'version: 1\nstack: shop\n');
    write('castellan.baseline.json', text);
    await expect(report()).rejects.toMatchObject({
      code: 'CAS7002',
      message: expect.stringContaining(message) as string,
    });
  });
});
