// A plan of 60 MB: a check may take three times as long as parsing its JSON, and eight
// times its size of memory beyond what an empty plan takes. Apps take the longest: each waits for
// its sign-in layer until all resources are read. node bench/check/plan.mjs [megabytes] [groups |
// apps]
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [megabytes, kind] = [Number(process.argv[2] ?? 60), process.argv[3] ?? 'groups'];
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'castellan-plan-bench-'));

const changes = {
  groups(index) {
    const after = {
      display_name: `Group ${index}`,
      description: 'x'.repeat(400),
      mail_nickname: `group-${index}`,
      security_enabled: true,
      mail_enabled: false,
      types: [],
    };
    return [
      'azuread_group',
      {
        actions: ['update'],
        before: { ...after, description: 'y'.repeat(400) },
        after,
        after_unknown: {},
      },
    ];
  },
  apps(index) {
    const env = Array.from({ length: 8 }, (_, each) => ({
      name: `SETTING_${each}`,
      value: `value ${each}`,
      secret_name: '',
    }));
    const container = {
      name: 'main',
      image: 'ghcr.io/contoso/app:1.0.0',
      cpu: 0.5,
      memory: '1Gi',
      args: null,
      command: null,
      env,
    };
    const after = {
      name: `app-${index}`,
      resource_group_name: 'apps',
      revision_mode: 'Single',
      ingress: [
        {
          external_enabled: false,
          target_port: 8080,
          traffic_weight: [{ latest_revision: true, percentage: 100 }],
        },
      ],
      template: [{ min_replicas: 1, max_replicas: 3, container: [container] }],
      secret: [],
      registry: [],
    };
    return [
      'azurerm_container_app',
      {
        actions: ['create'],
        before: null,
        after,
        after_unknown: { id: true, latest_revision_fqdn: true },
      },
    ];
  },
};

function writePlan(file, bytes) {
  const handle = openSync(file, 'w');
  let size = writeSync(handle, '{"format_version":"1.2","resource_changes":[');
  for (let index = 0; size < bytes; index++) {
    const [type, change] = changes[kind](index);
    const name = `r-${index}`;
    const resource = {
      address: `${type}.${name}`,
      mode: 'managed',
      type,
      name,
      provider_name: type.split('_')[0],
      change,
    };
    size += writeSync(handle, `${index === 0 ? '' : ','}${JSON.stringify(resource)}`);
  }
  writeSync(handle, ']}');
  closeSync(handle);
}

function checked(file) {
  const script = `process.argv.splice(1, 0, 'castellan');
    process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS / 1024)));
    require(${JSON.stringify(join(root, 'dist/cli/bin.js'))});`;
  const started = performance.now();
  const { stderr } = spawnSync(
    process.execPath,
    ['-e', script, 'check', '--plan', file, '--format', 'json'],
    {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 30,
    },
  );
  return {
    milliseconds: performance.now() - started,
    megabytes: Number(/[\d.]+$/.exec(stderr)?.[0]),
  };
}

const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];

try {
  const [plan, empty] = ['plan.json', 'empty.json'].map((name) => join(folder, name));
  writePlan(plan, megabytes * 1024 * 1024);
  writePlan(empty, 0);
  const parsings = [];
  const checks = [];
  for (let round = 0; round < 5; round++) {
    const started = performance.now();
    JSON.parse(readFileSync(plan, 'utf8'));
    parsings.push(performance.now() - started);
    checks.push(checked(plan));
  }
  const parse = median(parsings);
  const whole = {
    milliseconds: median(checks.map((each) => each.milliseconds)),
    megabytes: median(checks.map((each) => each.megabytes)),
  };
  const none = checked(empty);
  const [time, memory] = [
    whole.milliseconds / parse,
    (whole.megabytes - none.megabytes) / megabytes,
  ];
  console.log(
    `parsing ${megabytes} MB: ${parse.toFixed(0)} ms; check: ${whole.milliseconds.toFixed(0)} ms, ${time.toFixed(2)} times (at most 3)`,
  );
  console.log(
    `memory: ${whole.megabytes.toFixed(0)} MB, an empty plan ${none.megabytes.toFixed(0)} MB: ${memory.toFixed(2)} times its size (at most 8)`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
