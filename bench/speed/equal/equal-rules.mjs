// The rules with which peers are compared, and the check that they find the same. rules.rego,
// plan.rego and spectral.mjs implement the same rules.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { groupOf, principals, writeChanges } from '../corpora.mjs';

const require = createRequire(import.meta.url);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/**
 * The schema's requirements in terms of these rules: a peer that validates by the schema has one
 * rule for them.
 */
const schemaRules = [
  'property-read-only',
  'property-required',
  'property-type',
  'property-unknown',
  'property-value',
  'group-display-name',
];
const otherRules = [
  'group-kind',
  'group-mail-nickname',
  'group-mail-nickname-unique',
  'group-owners-limit',
  'group-two-owners',
  'reference-exists',
];

/**
 * The arguments of the peers and the check, in a folder with a policy that enables only those
 * rules. First runs the check and every peer on inputs with known mistakes.
 *
 * @throws when a peer's findings differ from the check's.
 */
export function equalRules(folder, { root, peers, check }) {
  mkdirSync(folder, { recursive: true });
  const write = (name, text) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  write('castellan.policy.yaml', policyOf([...schemaRules, ...otherRules], root));
  const schema = schemaOfGroups(
    JSON.parse(outputOf({ command: [process.execPath, join(root, 'dist/cli/bin.js'), 'schema'] })),
  );
  // Go's regular expressions write \x{1f} in place of \u001f
  const goSchema = JSON.stringify({ schema }, (key, value) =>
    key === 'pattern' ? value.replace(/\\u([0-9a-f]{4})/g, '\\x{$1}') : value,
  );
  const env = { SCHEMA: write('schema.json', JSON.stringify(schema)) };
  const run = (name, ...args) =>
    peers[name] && { command: [...peers[name], ...args], cwd: folder, env };
  const peerRuns = {
    cwd: folder,
    conftest: run(
      'conftest',
      'test',
      '--policy',
      here('rules.rego'),
      '--data',
      write('data.json', goSchema),
    ),
    conftestOfPlan: run('conftest', 'test', '--policy', here('plan.rego')),
    spectral: run('spectral', 'lint', '-q', '--ruleset', here('spectral.mjs')),
  };
  const wrongFile = write('wrong.yaml', wrongConfiguration());
  const wrongPlan = writeChanges(
    join(folder, 'wrong.json'),
    Object.entries(wrongGroupsInPlan).map(([name, attributes]) => [
      name,
      plannedChange(attributes),
    ]),
  );
  const ourPairs = pairsOfCheck(outputOf({ ...check(wrongFile, '--format', 'json'), cwd: folder }));
  const ourPairsInPlan = pairsOfCheck(
    outputOf({ ...check('--plan', wrongPlan, '--format', 'json'), cwd: folder }),
  );
  for (const [ours, peer, pairsOf, ...args] of [
    [ourPairs, peerRuns.conftest, pairsOfConftest, '-o', 'json', wrongFile],
    [ourPairsInPlan, peerRuns.conftestOfPlan, pairsOfConftest, '-o', 'json', wrongPlan],
    [ourPairs, peerRuns.spectral, pairsOfSpectral, '-f', 'json', wrongFile],
  ])
    if (peer !== undefined)
      requireEqual(
        ours,
        pairsOf(outputOf({ ...peer, command: [...peer.command, ...args] })),
        peer.command.join(' '),
      );
  return peerRuns;
}

/** A policy that turns all other rules off. */
export function policyOf(enabledRuleIds, root) {
  const { rules } = require(join(root, 'dist/policies/index.js'));
  const off = rules.filter(({ id }) => !enabledRuleIds.includes(id));
  return ['version: 1', 'rules:', ...off.map(({ id }) => `  ${id}: off`), ''].join('\n');
}

function outputOf({ command: [program, ...args], cwd, env }) {
  return spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  }).stdout;
}

/**
 * The schema of a castellan.yaml without unused sections, so that peers have less to read and
 * compile.
 */
function schemaOfGroups({ required, properties: { version, stack, principals: people, groups } }) {
  return {
    type: 'object',
    required,
    additionalProperties: false,
    properties: { version, stack, principals: people, groups },
  };
}

const validProperties = 'owners: [ada, grace], kind: security, displayName: Right';

/** Groups of a castellan.yaml, most with one mistake each. */
const wrongGroups = {
  right: `{ ${validProperties}, members: [ada, linus, 0a2b1f6e-5d3c-4b7a-9e11-1d2c3b4a5f60] }`,
  'schema-colour': `{ ${validProperties}, colour: Red }`,
  'schema-display-name': "{ owners: [ada, grace], kind: security, displayName: '' }",
  'schema-long-name': `{ owners: [ada, grace], kind: security, displayName: ${'x'.repeat(257)} }`,
  'schema-no-name': '{ owners: [ada, grace], kind: security }',
  'schema-type': `{ ${validProperties}, description: 12 }`,
  'schema-nickname': `{ ${validProperties}, mailNickname: a b }`,
  'schema-enum': `{ ${validProperties}, visibility: Nowhere }`,
  'schema-owners': `{ kind: security, displayName: Many, owners: [${Array.from({ length: 101 }, (_, index) => guidOf(index)).join(', ')}] }`,
  'schema-kind': '{ owners: [ada, grace], kind: secret, displayName: Secret }',
  'kind-none': '{ owners: [ada, grace], displayName: None }',
  'kind-flag': `{ ${validProperties}, mailEnabled: true }`,
  'kind-flags':
    '{ owners: [ada, grace], displayName: Flags, mailEnabled: false, securityEnabled: false }',
  'kind-list':
    '{ owners: [ada, grace], displayName: List, mailEnabled: true, securityEnabled: true }',
  'kind-types':
    '{ owners: [ada, grace], displayName: Types, groupTypes: [Unified], mailEnabled: false }',
  'kind-twice': '{ owners: [ada, grace], displayName: Twice, groupTypes: [Unified, Unified] }',
  'kind-unified': '{ owners: [ada, grace], displayName: Unified, kind: unified, groupTypes: [] }',
  'nickname-a': '{ owners: [ada, grace], displayName: Same, kind: unified, mailNickname: same }',
  'nickname-b': '{ owners: [ada, grace], displayName: Same, kind: unified, mailNickname: same }',
  'owners-empty': '{ kind: security, displayName: Empty, owners: [] }',
  'owners-none': '{ kind: security, displayName: None }',
  'owners-one': '{ kind: security, displayName: One, owners: [ada] }',
  'owners-elsewhere': '{ kind: security, displayName: Elsewhere, ownersManagedElsewhere: true }',
  'owners-twice': '{ kind: security, displayName: Twice, owners: [ada, ada] }',
  'reference-owner': '{ kind: security, displayName: Owner, owners: [ada, nobody] }',
  'reference-group': '{ kind: security, displayName: Owner, owners: [ada, right] }',
  'reference-member': `{ ${validProperties}, members: [ada, nobody] }`,
  'reference-sender':
    '{ kind: unified, displayName: Sender, owners: [ada, grace], acceptedSenders: [nobody] }',
};

function wrongConfiguration() {
  const groups = Object.entries(wrongGroups).map(([name, group]) => `  ${name}: ${group}`);
  return `${['version: 1', 'stack: wrong', ...principals, '  linus: { servicePrincipal: Linus }', 'groups:', ...groups].join('\n')}\n`;
}

/**
 * Groups of a plan, most with one mistake each. Owners are managed elsewhere where a plan has none.
 */
const wrongGroupsInPlan = {
  right: {},
  'schema-display-name': { display_name: '' },
  'schema-long-name': { display_name: 'x'.repeat(257) },
  'schema-nickname': { mail_nickname: 'a b' },
  'schema-visibility': { visibility: 'Nowhere' },
  'schema-theme': { theme: 'Mauve' },
  'schema-behaviors': { behaviors: ['Nothing'] },
  'schema-owners': { owners: Array.from({ length: 101 }, (_, index) => guidOf(index)) },
  'kind-flags': { security_enabled: false },
  'kind-list': { mail_enabled: true },
  'kind-types': { types: ['Unified'] },
  'nickname-a': { types: ['Unified'], mail_enabled: true, mail_nickname: 'same' },
  'nickname-b': { types: ['Unified'], mail_enabled: true, mail_nickname: 'same' },
  'owners-elsewhere': { owners: [] },
  'owners-unmanaged': { owners: null },
  'owners-one': { owners: [guidOf(1)] },
  'owners-twice': { owners: [guidOf(1), guidOf(1)] },
};

const plannedChange = (wrongAttributes) => ({
  before: null,
  after: { ...groupOf(1), ...wrongAttributes },
  after_unknown: { id: true },
});

function guidOf(index) {
  return `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
}

/** The findings of a check as pairs of group and rule. */
function pairsOfCheck(stdout) {
  const pairs = JSON.parse(stdout).findings.flatMap(({ ruleId, messageId, verdict, path }) => {
    if (verdict !== 'fail') return [];
    // such as the pattern of a mail nickname, which has a rule of its own
    const isOfSchema =
      schemaRules.includes(ruleId) ||
      ['enum', 'pattern', 'minLength', 'maxLength', 'maxItems'].includes(messageId);
    return [`${path[1]} ${isOfSchema ? 'schema' : ruleId}`];
  });
  return sorted(pairs);
}

function pairsOfConftest(stdout) {
  return sorted(JSON.parse(stdout).flatMap(({ failures = [] }) => failures.map(({ msg }) => msg)));
}

function pairsOfSpectral(stdout) {
  return sorted(JSON.parse(stdout).map(({ code, path }) => `${path[1]} ${code}`));
}

const sorted = (pairs) => [...new Set(pairs)].sort();

function requireEqual(ours, theirs, name) {
  const only = (some, others) => some.filter((pair) => !others.includes(pair));
  const [missing, additional] = [only(ours, theirs), only(theirs, ours)];
  if (ours.length === 0 || missing.length > 0 || additional.length > 0)
    throw new Error(
      `${name} has other findings: it lacks ${missing.join(', ') || 'none'} of ${ours.length}, and has in addition: ${additional.join(', ') || 'none'}`,
    );
}
