// How each comparison of goals.mjs is measured.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeCdktfApp, writeConfiguration, writePlan } from './corpora.mjs';
import { equalRules, policyOf } from './equal/equal-rules.mjs';
import { loadedSources, median, peakMemory, ratios } from './measure.mjs';
import { upComparisons } from './up.mjs';

/** The rules to which all rules are compared. */
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
 * The measurements of the comparisons by part and name: each takes the number of rounds and returns
 * ratios of wall time and of processor time, or what else it measures; undefined where a peer is
 * not installed.
 */
export function comparisons({ root, folder, peers }) {
  const node = process.execPath;
  const idle = { command: [node, '-e', '0'] };
  const castellan = (...args) => ({
    command: [node, join(root, 'dist/cli/bin.js'), ...args],
    cwd: folder,
  });
  // Node 22 and later keep the compiled code of an earlier run
  const withoutCache = (run) => ({ ...run, env: { NODE_DISABLE_COMPILE_CACHE: '1' } });
  const isNode22 = Number(process.versions.node.split('.')[0]) >= 22;
  const { NODE_22: node22 = isNode22 ? node : undefined } = process.env;
  const withNode22 = ({ command: [, ...args], ...run }) => ({ ...run, command: [node22, ...args] });
  const corpus = onFirstUse({
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
    apps: () => writePlan(join(folder, 'apps.json'), 'app', { bytes: 60e6 }),
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
  const plan = (file) => ({ ...castellan('check', '--plan', file), status: [0, 1] });
  const check = (...paths) => castellan('check', ...paths.flat());
  const againstPeer = (name, ours, theirs) => (rounds) => {
    if (peers[name] === undefined) return undefined;
    return ratios({ command: [...peers[name], ...theirs().flat()], cwd: folder }, ours(), rounds);
  };
  const againstSevenRules = (ours, inputs) =>
    againstPeer('conftest', ours, () => [
      'test',
      '--policy',
      join(root, 'bench/speed/rules.rego'),
      ...[inputs()].flat(),
    ]);
  const againstEqualRules = (name, ours, inputs) => (rounds) => {
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
  const againstAjv = (ours, input) =>
    againstPeer('ajv', ours, () => [
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
  const up = upComparisons({ root, folder });
  return {
    check: {
      'first check of 50 lines / node -e 0': (rounds) =>
        ratios(withoutCache(check(corpus.small())), idle, rounds),
      '… with Node 22 or later, after an earlier run': (rounds) =>
        node22 === undefined
          ? undefined
          : ratios(withNode22(check(corpus.small())), withNode22(idle), rounds),
      'conftest / check, equal rules, 1 MB': againstEqualRules(
        'conftest',
        () => check(corpus.large()),
        () => yaml(corpus.large()),
      ),
      'conftest / check, equal rules, 200 files': againstEqualRules(
        'conftest',
        () => check(corpus.many()),
        () => corpus.many().map(yaml),
      ),
      'conftest with seven rules and no schema / check with all, 1 MB': againstSevenRules(
        () => check(corpus.large()),
        () => yaml(corpus.large()),
      ),
      'conftest with seven rules and no schema / check with all, 200 files': againstSevenRules(
        () => check(corpus.many()),
        () => corpus.many().map(yaml),
      ),
      'ajv-cli / check, 50 lines': againstAjv(
        () => check(corpus.small()),
        () => yaml(corpus.small()),
      ),
      'ajv-cli / check, 1 MB': againstAjv(
        () => check(corpus.large()),
        () => yaml(corpus.large()),
      ),
      'spectral / check, equal rules, 50 lines': againstEqualRules(
        'spectral',
        () => check(corpus.small()),
        () => yaml(corpus.small()),
      ),
      'spectral / check, equal rules, 1 MB': againstEqualRules(
        'spectral',
        () => check(corpus.large()),
        () => yaml(corpus.large()),
      ),
      'spectral / check, equal rules, 200 files': againstEqualRules(
        'spectral',
        () => check(corpus.many()),
        () => corpus.many().map(yaml),
      ),
      'all rules / eight, 1 MB': (rounds) =>
        ratios(check(corpus.large()), check(corpus.eight()), rounds),
      'modules of cdktf and providers in a check': () => ({ count: cdktfModules() }),
    },
    plan: {
      'plan of 60 MB, all known / JSON.parse': (rounds) =>
        ratios(plan(corpus.known()), parse(corpus.known()), rounds),
      '… many unknowns': (rounds) =>
        ratios(plan(corpus.unknown()), parse(corpus.unknown()), rounds),
      '… container apps alone': (rounds) =>
        ratios(plan(corpus.apps()), parse(corpus.apps()), rounds),
      'conftest / plan of 60 MB, equal rules': againstEqualRules(
        'conftestOfPlan',
        () => plan(corpus.known()),
        corpus.known,
      ),
      'memory of a plan of 60 MB / its size': () => memoryOfPlan(corpus.known()),
    },
    growth: {
      'plan of 10,000 / 1,000 groups': growth('known', 1_000),
      'plan of 100,000 / 10,000 groups': growth('known', 10_000),
      'five errors each: 10,000 / 1,000 groups': growth('wrong', 1_000),
      'five errors each: 100,000 / 10,000 groups': growth('wrong', 10_000),
    },
    synth: {
      'construct and synthesize 1,000 / cdktf': (rounds) => synthesis(1_000, rounds, 'processor'),
      'construct and synthesize 10,000 / cdktf': (rounds) => synthesis(10_000, rounds, 'processor'),
      'peak memory, 10,000 / cdktf': (rounds) => synthesis(10_000, rounds, 'megabytes'),
      'YAML to Terraform JSON, 3 groups / node -e 0': (rounds) =>
        ratios(withoutCache(synth(corpus.three())), idle, rounds),
      'cdktf synth with ts-node / castellan synth, 24 groups': (rounds) =>
        ratios(cdktf(), synth(corpus.sameApp()), rounds),
      'an import, in ms': perImport,
      '28 stacks that depend on all before them, in ms': dependentStacks,
    },
    up: {
      'first up of 1,000 groups / terraform apply of 1,000 terraform_data': up.first,
      'second up / terraform plan': up.second,
    },
  };

  function synth(path) {
    return castellan('synth', path, '--out', join(folder, 'out'));
  }

  function cdktf() {
    const command = [node, join(root, 'node_modules/cdktf-cli/bundle/bin/cdktf'), 'synth'];
    return { command, cwd: corpus.app(), env: { CI: '1', CHECKPOINT_DISABLE: '1' } };
  }

  /** The files of cdktf and its providers that a check of files, and of a plan, load. */
  function cdktfModules() {
    const countOf = (run) =>
      loadedSources(run).filter((file) => /node_modules\/(@cdktf|cdktf|constructs)\//.test(file))
        .length;
    if (countOf(synth(corpus.three())) === 0)
      throw new Error('the coverage shows no module of cdktf, though synth loads it');
    return (
      countOf(check(corpus.small())) +
      countOf(plan(writePlan(join(folder, 'few.json'), 'known', { count: 10 })))
    );
  }

  function growth(kind, count) {
    return (rounds) => {
      const [few, many] = [count, count * 10].map((each) =>
        writePlan(join(folder, `${kind}-${each}.json`), kind, { count: each }),
      );
      const checkPlan = (file) => ({
        ...castellan('check', '--plan', file, '--format', 'json'),
        status: [0, 1],
      });
      return ratios(checkPlan(many), checkPlan(few), Math.min(rounds, 3));
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
    const ratioOf = (name) => median(runs.map(([fast, plain]) => fast[name] / plain[name]));
    return kind === 'megabytes'
      ? { memory: ratioOf('megabytes') }
      : { wall: ratioOf('wall'), processor: ratioOf('processor') };
  }

  function perImport(rounds) {
    const runs = Array.from({ length: rounds }, () => [
      synthesisOf('fast', 1000, 'imports'),
      synthesisOf('fast', 1000),
    ]);
    const timeOf = (kind) =>
      median(
        runs.map(
          ([withImports, withoutImports]) => (withImports[kind] - withoutImports[kind]) / 1000,
        ),
      );
    return { wall: timeOf('wall'), processor: timeOf('processor') };
  }

  /** How much longer dependent stacks take than the same number of independent ones. */
  function dependentStacks(rounds) {
    const runs = Array.from({ length: rounds }, () => [
      synthesisOf('fast', 0, 'dependent'),
      synthesisOf('fast', 0, 'independent'),
    ]);
    const differenceOf = (kind) =>
      median(runs.map(([dependent, independent]) => dependent[kind] - independent[kind]));
    return { wall: differenceOf('wall'), processor: differenceOf('processor') };
  }
}

/** Functions that write each input on its first use, and return what the writer returned. */
function onFirstUse(makers) {
  const results = {};
  return Object.fromEntries(
    Object.entries(makers).map(([name, make]) => [name, () => (results[name] ??= make() ?? true)]),
  );
}
