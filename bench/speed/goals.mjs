// The comparisons and their limits, in the order of the table in docs/benchmarks.md.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeCdktfApp, writeConfiguration, writePlan } from './corpora.mjs';
import { equalRules, policyOf } from './equal/equal-rules.mjs';
import { loadedModules, median, peakMemory, ratios } from './measure.mjs';
import { ups } from './up.mjs';

const atMost = (bound) => ({ bound, sign: '<=' });
const atLeast = (bound) => ({ bound, sign: '>=' });
const noGoal = {};
const eightRules = [
  'group-display-name',
  'group-kind',
  'group-mail-nickname',
  'group-mail-nickname-unique',
  'group-member-kind',
  'group-owners-limit',
  'group-two-owners',
  'reference-exists',
];

/**
 * The rows of the table: `measure(rounds)` returns ratios of wall time and of processor time;
 * undefined where a peer is not installed.
 */
export function goals({ root, folder, peers }) {
  const node = process.execPath;
  const idle = { command: [node, '-e', '0'] };
  const castellan = (...args) => ({
    command: [node, join(root, 'dist/cli/bin.js'), ...args],
    cwd: folder,
  });
  // with the compile cache of the package for the build's version of node, and without it for other
  // versions
  const cold = (run) => ({
    ...run,
    env: { XDG_CACHE_HOME: join(folder, 'small/castellan.yaml/no-folder') },
  });
  const uncompiled = (run) => ({ ...run, env: { NODE_DISABLE_COMPILE_CACHE: '1' } });
  const warm = (run) => ({ ...run, env: { XDG_CACHE_HOME: join(folder, 'cache') } });
  const corpus = lazily({
    small: () => writeConfiguration(join(folder, 'small'), 'small', 6),
    large: () => writeConfiguration(join(folder, 'large'), 'large', 6400),
    many: () =>
      Array.from({ length: 200 }, (_, index) =>
        writeConfiguration(join(folder, `many/stack-${index}`), `stack-${index}`, 6),
      ),
    three: () => writeConfiguration(join(folder, 'three'), 'three', 3),
    app: () => writeCdktfApp(join(folder, 'app'), root, 24),
    sameApp: () => writeConfiguration(join(folder, 'same-app'), 'same', 24),
    known: () => writePlan(join(folder, 'known.json'), 'known', { bytes: 60e6 }),
    unknown: () => writePlan(join(folder, 'unknown.json'), 'unknown', { bytes: 60e6 }),
    equal: () => equalRules(join(folder, 'equal'), { root, peers, check }),
    eight: () => {
      const eight = writeConfiguration(join(folder, 'eight'), 'large', 6400);
      writeFileSync(join(eight, 'castellan.policy.yaml'), policyOf(eightRules, root));
      return eight;
    },
    schema: () => {
      const file = join(folder, 'schema.json');
      writeFileSync(
        file,
        spawnSync(node, [join(root, 'dist/cli/bin.js'), 'schema'], { maxBuffer: 1 << 26 }).stdout,
      );
      return file;
    },
  });
  const parse = (file) => ({
    command: [
      node,
      '-e',
      `JSON.parse(require('node:fs').readFileSync(${JSON.stringify(file)}, 'utf8'))`,
    ],
  });
  const plan = (file) => ({ ...warm(castellan('check', '--plan', file)), status: [0, 1] });
  const check = (...paths) => warm(castellan('check', ...paths.flat()));
  const peer = (name, ours, theirs) => (rounds) => {
    if (peers[name] === undefined) return undefined;
    return ratios({ command: [...peers[name], ...theirs().flat()], cwd: folder }, ours(), rounds);
  };
  const sevenRules = (ours, inputs) =>
    peer('conftest', ours, () => [
      'test',
      '--policy',
      join(root, 'bench/speed/rules.rego'),
      ...[inputs()].flat(),
    ]);
  const equal = (name, ours, inputs) => (rounds) => {
    const { cwd, [name]: run } = corpus.equal();
    return (
      run &&
      ratios(
        { ...run, command: [...run.command, ...[inputs()].flat()] },
        { ...ours(), cwd },
        rounds,
      )
    );
  };
  const ajv = (ours, input) =>
    peer('ajv', ours, () => [
      'validate',
      '--spec=draft2020',
      '--strict=false',
      '-c',
      'ajv-formats',
      '-s',
      corpus.schema(),
      '-d',
      input(),
    ]);
  const yaml = (path) => join(path, 'castellan.yaml');
  const up = ups({ root, folder });
  return [
    [
      'check',
      'check of 50 lines / node -e 0, cold',
      atMost(1.5),
      (rounds) => ratios(cold(check(corpus.small())), idle, rounds),
    ],
    [
      'check',
      "… with a node other than the build's",
      atMost(1.5),
      (rounds) => ratios(uncompiled(check(corpus.small())), idle, rounds),
    ],
    [
      'check',
      '… after an earlier run',
      atMost(1.3),
      (rounds) => ratios(check(corpus.small()), idle, rounds),
    ],
    [
      'check',
      'conftest / check, equal rules, 1 MB',
      atLeast(1.5),
      equal(
        'conftest',
        () => check(corpus.large()),
        () => yaml(corpus.large()),
      ),
    ],
    [
      'check',
      'conftest / check, equal rules, 200 files',
      atLeast(1),
      equal(
        'conftest',
        () => check(corpus.many()),
        () => corpus.many().map(yaml),
      ),
    ],
    [
      'check',
      'conftest with seven rules and no schema / check with all, 1 MB',
      noGoal,
      sevenRules(
        () => check(corpus.large()),
        () => yaml(corpus.large()),
      ),
    ],
    [
      'check',
      'conftest with seven rules and no schema / check with all, 200 files',
      noGoal,
      sevenRules(
        () => check(corpus.many()),
        () => corpus.many().map(yaml),
      ),
    ],
    [
      'check',
      'ajv-cli / check, 50 lines',
      atLeast(3),
      ajv(
        () => check(corpus.small()),
        () => yaml(corpus.small()),
      ),
    ],
    [
      'check',
      'ajv-cli / check, 1 MB',
      atLeast(2),
      ajv(
        () => check(corpus.large()),
        () => yaml(corpus.large()),
      ),
    ],
    [
      'check',
      'spectral / check, equal rules, 50 lines',
      atLeast(8),
      equal(
        'spectral',
        () => check(corpus.small()),
        () => yaml(corpus.small()),
      ),
    ],
    [
      'check',
      'spectral / check, equal rules, 1 MB',
      atLeast(6),
      equal(
        'spectral',
        () => check(corpus.large()),
        () => yaml(corpus.large()),
      ),
    ],
    [
      'check',
      'spectral / check, equal rules, 200 files',
      atLeast(30),
      equal(
        'spectral',
        () => check(corpus.many()),
        () => corpus.many().map(yaml),
      ),
    ],
    [
      'check',
      'all rules / eight, 1 MB',
      atMost(1.25),
      (rounds) => ratios(check(corpus.large()), check(corpus.eight()), rounds),
    ],
    [
      'check',
      'cdktf or provider modules loaded by check',
      atMost(0),
      () => ({ count: providerModules() }),
    ],
    [
      'plan',
      'plan of 60 MB, all known / JSON.parse',
      atMost(2),
      (rounds) => ratios(plan(corpus.known()), parse(corpus.known()), rounds),
    ],
    [
      'plan',
      '… many unknowns',
      atMost(3),
      (rounds) => ratios(plan(corpus.unknown()), parse(corpus.unknown()), rounds),
    ],
    [
      'plan',
      'conftest / plan of 60 MB, equal rules',
      atLeast(1.5),
      equal('conftestOfPlan', () => plan(corpus.known()), corpus.known),
    ],
    [
      'plan',
      'memory of a plan of 60 MB / its size',
      atMost(0.5),
      () => memoryOfPlan(corpus.known()),
    ],
    ['growth', 'plan of 10,000 / 1,000 groups', atMost(12), growth('known', 1_000)],
    ['growth', 'plan of 100,000 / 10,000 groups', atMost(12), growth('known', 10_000)],
    ['growth', 'five errors each: 10,000 / 1,000 groups', atMost(12), growth('wrong', 1_000)],
    ['growth', 'five errors each: 100,000 / 10,000 groups', atMost(12), growth('wrong', 10_000)],
    [
      'synth',
      'construct and synthesize 1,000 / cdktf',
      atMost(0.4),
      (rounds) => synthesis(1_000, rounds, 'processor'),
    ],
    [
      'synth',
      'construct and synthesize 10,000 / cdktf',
      atMost(0.3),
      (rounds) => synthesis(10_000, rounds, 'processor'),
    ],
    [
      'synth',
      'peak memory, 10,000 / cdktf',
      atMost(0.75),
      (rounds) => synthesis(10_000, rounds, 'megabytes'),
    ],
    [
      'synth',
      'YAML to Terraform JSON, 3 groups / node -e 0, cold',
      atMost(3),
      (rounds) => ratios(cold(synth(corpus.three())), idle, rounds),
    ],
    [
      'synth',
      "… with a node other than the build's",
      atMost(3),
      (rounds) => ratios(uncompiled(synth(corpus.three())), idle, rounds),
    ],
    [
      'synth',
      '… after an earlier run',
      atMost(2),
      (rounds) => ratios(warm(synth(corpus.three())), idle, rounds),
    ],
    [
      'synth',
      'cdktf synth with ts-node / castellan synth, 24 groups',
      atLeast(15),
      (rounds) => ratios(cdktf(), warm(synth(corpus.sameApp())), rounds),
    ],
    ['synth', 'an import, in ms', atMost(1), (rounds) => perImport(rounds)],
    ['synth', '28 stacks that depend on all before them, in ms', atMost(50), dependentStacks],
    [
      'up',
      'first up of 1,000 groups / terraform apply of 1,000 terraform_data',
      atMost(2.5),
      up.first,
    ],
    ['up', 'second up / terraform plan', atMost(1.5), up.second],
  ];

  function synth(path) {
    return castellan('synth', path, '--out', join(folder, 'out'));
  }

  function cdktf() {
    const command = [node, join(root, 'node_modules/cdktf-cli/bundle/bin/cdktf'), 'synth'];
    return { command, cwd: corpus.app(), env: { CI: '1', CHECKPOINT_DISABLE: '1' } };
  }

  /** For files and for a plan. The build checks that the bundles of a check contain none. */
  function providerModules() {
    const loaded = [
      check(corpus.small()),
      plan(writePlan(join(folder, 'few.json'), 'known', { count: 10 })),
    ].flatMap(loadedModules);
    if (loaded.length === 0) throw new Error('the loaded modules are not seen');
    return loaded.filter((file) =>
      /node_modules\/(@cdktf|cdktf|constructs)\/|dist\/(constructs|provider)\//.test(file),
    ).length;
  }

  function growth(kind, count) {
    return (rounds) => {
      const [few, many] = [count, count * 10].map((each) =>
        writePlan(join(folder, `${kind}-${each}.json`), kind, { count: each }),
      );
      const each = (file) => ({
        ...warm(castellan('check', '--plan', file, '--format', 'json')),
        status: [0, 1],
      });
      return ratios(each(many), each(few), Math.min(rounds, 3));
    };
  }

  function memoryOfPlan(file) {
    const empty = writePlan(join(folder, 'empty.json'), 'known', { count: 0 });
    const megabytes = peakMemory(plan(file)) - peakMemory(plan(empty));
    return { memory: megabytes / (statSync(file).size / 1e6) };
  }

  function synthesisOf(kind, ...args) {
    const outdir = mkdtempSync(join(folder, 'synth-'));
    const [count, ...more] = args;
    const { stdout, stderr } = spawnSync(
      node,
      [join(root, 'bench/speed/synthesize.mjs'), kind, String(count), outdir, ...more],
      {
        encoding: 'utf8',
      },
    );
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout);
  }

  function synthesis(count, rounds, kind) {
    const runs = Array.from({ length: rounds }, () => [
      synthesisOf('fast', count),
      synthesisOf('plain', count),
    ]);
    const of = (name) => median(runs.map(([fast, plain]) => fast[name] / plain[name]));
    return kind === 'megabytes'
      ? { memory: of('megabytes') }
      : { wall: of('wall'), processor: of('processor') };
  }

  function perImport(rounds) {
    const runs = Array.from({ length: rounds }, () => [
      synthesisOf('fast', 1000, 'imports'),
      synthesisOf('fast', 1000),
    ]);
    const of = (kind) =>
      median(runs.map(([imported, made]) => (imported[kind] - made[kind]) / 1000));
    return { wall: of('wall'), processor: of('processor') };
  }

  /** Beside the same number of independent stacks. */
  function dependentStacks(rounds) {
    const runs = Array.from({ length: rounds }, () => [
      synthesisOf('fast', 0, 'dependent'),
      synthesisOf('fast', 0, 'independent'),
    ]);
    const of = (kind) =>
      median(runs.map(([dependent, independent]) => dependent[kind] - independent[kind]));
    return { wall: of('wall'), processor: of('processor') };
  }
}

/** Writes an input on first use. */
function lazily(makers) {
  const made = {};
  return Object.fromEntries(
    Object.entries(makers).map(([name, make]) => [name, () => (made[name] ??= make() ?? true)]),
  );
}
