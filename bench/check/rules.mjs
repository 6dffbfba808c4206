// The cost of the rules on top of loading and schema validation, with 1,000 and 10,000 resources:
// at most 25 % more, and linear. Measures processor time, which other programs disturb less. node
// bench/check/rules.mjs
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const { loadConfig, checkStack, rules } = require('../../dist/policies/index.js');

function configuration(count) {
  const lines = [
    'version: 1',
    'stack: large',
    'principals:',
    '  ada: { user: ada@contoso.example }',
    '  grace: { user: grace@contoso.example }',
  ];
  lines.push('workspaces:', '  telemetry: { displayName: Telemetry }', 'groups:');
  for (let index = 0; index < count * 0.6; index++)
    lines.push(
      `  group-${index}:`,
      '    kind: security',
      `    displayName: Group ${index}`,
      `    mailNickname: group-${index}`,
      '    owners: [ada, grace]',
      '    members: [ada]',
    );
  lines.push('containerApps:');
  for (let index = 0; index < count * 0.2; index++)
    lines.push(
      `  app-${index}:`,
      '    image: ghcr.io/contoso/app:1.0.0',
      '    targetPort: 8080',
      '    ingress: { external: false }',
      '    replicas: { min: 1, max: 3 }',
    );
  lines.push('eventstreams:');
  for (let index = 0; index < count * 0.2; index++)
    lines.push(
      `  stream-${index}: { workspace: telemetry, displayName: stream-${index}, definition: { sources: [{ name: web, type: CustomEndpoint }] } }`,
    );
  return `${lines.join('\n')}\n`;
}

const milliseconds = ({ user, system }) => (user + system) / 1000;
const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
const folder = mkdtempSync(join(tmpdir(), 'castellan-bench-'));
const env = {};
const results = {};
try {
  for (const count of [1000, 10000]) {
    const file = join(folder, `${count}.yaml`);
    writeFileSync(file, configuration(count));
    const without = [];
    const withRules = [];
    const only = [];
    for (let round = 0; round < 31; round++) {
      for (const [list, chosen] of [
        [without, []],
        [withRules, rules],
      ]) {
        const started = process.cpuUsage();
        const { stacks } = await loadConfig({ paths: [file] });
        const loaded = process.cpuUsage();
        for (const stack of stacks) checkStack(stack, { env, rules: chosen });
        list.push(milliseconds(process.cpuUsage(started)));
        if (chosen === rules) only.push(milliseconds(process.cpuUsage(loaded)));
      }
    }
    results[count] = { schema: median(without), all: median(withRules), check: median(only) };
    const { schema, all } = results[count];
    console.log(
      `${count} resources: schema ${schema.toFixed(0)} ms, with every rule ${all.toFixed(0)} ms (+${(((all - schema) / schema) * 100).toFixed(0)} %)`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const growth = results[10000].check / results[1000].check;
console.log(`10,000 against 1,000 resources: ${growth.toFixed(1)} times (at most 12)`);
