// Runs a benchmark by its name: npm run bench -- NAME [arguments]. Without a name it runs `goals`;
// names of parts of `goals` (such as `check plan`) run those. --list prints the benchmarks.
import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Each benchmark: what it measures, its files (the first is run), and options for esbuild. */
const benchmarks = {
  goals: {
    what: 'check, plan, growth, synth and up against peers: the table with goals',
    files: ['speed/run.mjs'],
  },
  'main-job': {
    what: 'elapsed times of the commands of the storefront',
    files: ['main-job/wall-times.mjs'],
  },
  directory: {
    what: 'queries of 1,000,000 users against hand-written SQL',
    files: ['directory/run.ts', 'directory/server.ts'],
  },
  'membership-rule': {
    what: 'evaluations of a rule per second',
    files: ['membership-rule/run.ts'],
  },
  proof: { what: 'proofs about membership rules of the maximum length', files: ['proof/run.ts'] },
  access: {
    what: 'who gets in, of 1,000,000 users',
    files: ['access/run.ts'],
    options: { format: 'esm' },
  },
  items: { what: 'items created per second', files: ['items/run.ts', 'items/client.ts'] },
  'scale-out': {
    what: 'one against three processes of the services on one PostgreSQL',
    files: ['scale-out/run.ts'],
  },
  billing: {
    what: 'pages of 1,000,000 transactions',
    files: ['billing/run.ts', 'billing/server.ts'],
  },
  sidecar: {
    what: 'requests through the auth sidecar against other proxies',
    files: [
      'sidecar/run.ts',
      'sidecar/auth-server.ts',
      'sidecar/client-proxies.ts',
      'sidecar/floor.ts',
    ],
    options: { packages: 'bundle' },
  },
};
const partsOfGoals = ['check', 'plan', 'growth', 'synth', 'up'];

const benchFolder = fileURLToPath(new URL('.', import.meta.url));
const [benchmarkName, ...benchmarkArguments] = process.argv.slice(2);
if (benchmarkName === '--list')
  for (const [name, { what }] of Object.entries(benchmarks))
    console.log(`${name.padEnd(16)} ${what}`);
else if (benchmarkName !== undefined && Object.hasOwn(benchmarks, benchmarkName))
  await run(benchmarkName, benchmarkArguments);
else if (
  benchmarkName === undefined ||
  benchmarkName.startsWith('--') ||
  partsOfGoals.includes(benchmarkName)
)
  await run('goals', process.argv.slice(2));
else {
  console.error(`There is no benchmark ${benchmarkName}: ${Object.keys(benchmarks).join(', ')}.`);
  process.exitCode = 2;
}

async function run(name, args) {
  const { files, options } = benchmarks[name];
  const [script] = files[0].endsWith('.ts') ? await bundle(name, files, options) : files;
  const { status } = spawnSync(process.execPath, [join(benchFolder, script), ...args], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}

/** Bundles programs in TypeScript; returns their paths, relative to this folder. */
async function bundle(name, files, options) {
  const outdir = `../node_modules/.cache/bench-${name}`;
  await build({
    entryPoints: files.map((file) => join(benchFolder, file)),
    outdir: join(benchFolder, outdir),
    bundle: true,
    platform: 'node',
    packages: 'external',
    logLevel: 'warning',
    ...options,
  });
  return files.map((file) => join(outdir, basename(file, '.ts') + '.js'));
}
