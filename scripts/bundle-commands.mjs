// Puts `castellan check`, with and without options, and the commands that make stacks into one file each, so that they start fast.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const target = process.env.CASTELLAN_BUILD ?? at('../dist');
const validators = (part) => join(target, `kinds/stack/validators.${part}.mjs`);
// By `require` in place of import(): code that V8 kept of an earlier run has no way to import.
const common = {
  allowOverwrite: true,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  supported: { 'dynamic-import': false },
  logLevel: 'warning',
  // For scripts/source-places.mjs; not in the package, where the map of the sandbox alone would add a fifth to what is downloaded.
  sourcemap: 'external',
  sourcesContent: false,
};

/** Loads modules when something of them is first used, in place of at the start. */
const whenUsed = (names) => ({
  name: 'when-used',
  setup: (bundle) => {
    bundle.onResolve({ filter: new RegExp(`^(node:)?(${names.join('|')})$`) }, ({ path, namespace }) =>
      namespace === 'when-used' ? { path, external: true } : { path, namespace: 'when-used' },
    );
    bundle.onLoad({ filter: /.*/, namespace: 'when-used' }, ({ path }) => {
      const loaded = createRequire(import.meta.url)(path);
      return {
        contents: `let loaded;
          ${loaded.__esModule === true ? "Object.defineProperty(exports, '__esModule', { value: true });" : ''}
          for (const name of ${JSON.stringify(Object.keys(loaded))})
          Object.defineProperty(exports, name, { enumerable: true, get: () => (loaded ??= require(${JSON.stringify(path)}))[name] });`,
      };
    });
  },
});

/** Parts of node that most runs never use; to load one takes 1 to 4 ms. */
const builtinsWhenUsed = whenUsed(['child_process', 'crypto', 'module', 'net', 'os', 'v8']);

// The command itself, which loads what runs. An import would look through the whole file for its exports first.
await build({
  ...common,
  entryPoints: [at('../cli/bin.ts')],
  outfile: join(target, 'cli/bin.js'),
  external: ['./main.js'],
  plugins: [builtinsWhenUsed],
});

// What reads YAML with anything unusual in it: js-yaml is a tenth of the file of a check.
await build({
  ...common,
  entryPoints: [at('../core/yaml/fast-parse.ts')],
  outfile: join(target, 'cli/fast-parse.js'),
  minify: true,
  mainFields: ['module', 'main'],
  legalComments: 'linked',
});

// What judges everything but groups and principals: a fifth of the file of a check.
await build({ ...common, entryPoints: [validators('more')], outfile: join(target, 'cli/more-validators.js'), minify: true });

/** What is loaded from a file of its own when it is needed, by where it is imported. */
const apart = apartFrom([
  // Workers start from files of their own; rules of one's own are rare.
  { filter: /\/packs\/load-packs\.js$/, path: '../policies/packs/load-packs.js' },
  // Access tests are rare, and what runs them is large.
  { filter: /\/access\/test-findings\.js$/, path: './access/test-findings.js' },
  // The clients are for --live, which runs from main.js.
  { filter: /\/live\.js$/, path: './commands/check/live.js', importer: '/check/inputs.ts' },
  // What the plain reader leaves.
  { filter: /\/fast-parse\.js$/, path: './fast-parse.js' },
  { filter: /\/more-validators\.js$/, path: './more-validators.js' },
  // What reads seeds knows the services.
  { filter: /\/serve\/seed-file\.js$/, path: '../sandbox/serve/seed-file.js' },
]);

function apartFrom(files) {
  return files.map(({ filter, path, importer = '' }) => ({
    name: path,
    setup: (bundle) => bundle.onResolve({ filter }, (found) => (found.importer.endsWith(importer) ? { path, external: true } : undefined)),
  }));
}

/** What a sandbox loads of this package when it is first asked for: pages of the console, sign-ins of people, and why one was refused. */
const apartInSandbox = apartFrom([
  { filter: /^\.\/project\.js$/, path: '../sandbox/console/project.js', importer: '/console/routes.ts' },
  { filter: /^\.\/snapshot\.js$/, path: '../sandbox/console/snapshot.js', importer: '/console/routes.ts' },
  { filter: /\/identity-provider\/provider\.js$/, path: '../sandbox/identity-provider/provider.js' },
  { filter: /\/identity-provider\/refusals\.js$/, path: '../sandbox/identity-provider/refusals.js' },
]);

/**
 * What a check without options never loads. Modules that are loaded later are put into functions with all that they import, and V8 reads
 * the code of those twice.
 */
const onlyWithOptions = {
  name: 'only-with-options',
  setup: (bundle) =>
    bundle.onResolve(
      {
        filter: /\/(sources\/(plan|state|live)\/.+|base|json|sarif|junit|github|markdown|html)\.js$/,
      },
      ({ path, kind }) => (kind === 'dynamic-import' ? { path, external: true } : undefined),
    ),
};

const compiledValidators = (part) => ({
  name: 'compiled-validators',
  setup: (bundle) => bundle.onResolve({ filter: /\/validators\.js$/ }, () => ({ path: validators(part) })),
});

/** What cdktf loads and a synthesis of a configuration hardly ever calls. */
const calledByCdktf = {
  // archives are for assets, which no configuration declares
  archiver: `module.exports = (...args) => require('archiver')(...args);`,
  // loads node's streams to know whether to colour what fails
  assert: `const ok = (value, message) => { if (!value) require('assert').ok(value, message); };
    module.exports = Object.assign(ok, { ok });`,
  // compares versions of Terraform, which only some backends and outputs ask for
  semver: `exports.satisfies = (...args) => require('semver').satisfies(...args);`,
};

const whenCdktfCalls = {
  name: 'when-cdktf-calls',
  setup: (bundle) => {
    bundle.onResolve({ filter: new RegExp(`^(${Object.keys(calledByCdktf).join('|')})$`) }, ({ path, importer, namespace, resolveDir }) => {
      if (namespace === 'when-cdktf-calls') return path === 'semver' ? undefined : { path, external: true };
      return importer.includes('/node_modules/cdktf/lib/') ? { path, namespace: 'when-cdktf-calls', pluginData: resolveDir } : undefined;
    });
    bundle.onLoad({ filter: /.*/, namespace: 'when-cdktf-calls' }, ({ path, pluginData: resolveDir }) => ({
      contents: calledByCdktf[path],
      resolveDir,
    }));
  },
};

/** What the first run of most people is like. */
const firstRun = `version: 1
stack: first
principals:
  ada: { user: ada@contoso.example }
  grace: { user: grace@contoso.example }
groups:
  readers:
    kind: security
    displayName: Readers
    description: Who may read
    mailNickname: readers
    owners: [ada, grace]
    members: [ada]
`;

/** For files with a mistake, for patterns of membership rules, and for options of rules. */
const rarelyLoaded = ['yaml', 're2js', 'ajv/dist/2020.js'];

/** What a sandbox loads when it is first asked for: settings of a sign-in, photos, seeds, the console. */
const laterInSandbox = ['ajv', 'yaml', 'js-yaml', 'pngjs', 'jpeg-js', 'decimal.js'];

/** What fastify and gRPC load for schemas of routes and for their own debugging service. */
const neverInSandbox = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', '@grpc/proto-loader'];

async function bundleCommand(name, options) {
  const { metafile } = await build({
    ...common,
    entryPoints: [at(`../cli/${name}.ts`)],
    outfile: join(target, `cli/${name}.js`),
    // One letter beyond ASCII, in a licence's author, would double the file in memory: licences are in a file of their own.
    legalComments: 'linked',
    metafile: true,
    external: rarelyLoaded,
    ...options,
  });
  return Object.keys(metafile.inputs);
}

const minified = {
  minify: true,
  mainFields: ['module', 'main'],
  // What is kept apart is required: an import needs a callback that a script out of the code cache does not have.
  supported: { 'dynamic-import': false },
};
const inputs = await bundleCommand('check-main', { ...minified, plugins: [...apart, compiledValidators('bundle'), builtinsWhenUsed] });
const inputsOfPaths = await bundleCommand('check-paths-main', {
  ...minified,
  plugins: [onlyWithOptions, ...apart, compiledValidators('common'), builtinsWhenUsed],
});
// Names stay in what makes constructs: messages have them.
const inputsOfStacks = await bundleCommand('stacks-main', {
  minifySyntax: true,
  minifyWhitespace: true,
  external: [...rarelyLoaded, 'undici', 'kysely', 'better-sqlite3', 'openpgp'],
  plugins: [...apart, compiledValidators('bundle'), builtinsWhenUsed, whenCdktfCalls],
});
const inputsOfSandbox = await bundleCommand('sandbox-main', {
  minifySyntax: true,
  minifyWhitespace: true,
  // Errors in its log are found by their line.
  lineLimit: 160,
  mainFields: ['module', 'main'],
  external: ['better-sqlite3', 'pg', 're2js', 'undici', ...neverInSandbox],
  plugins: [...apartInSandbox, compiledValidators('bundle'), whenUsed(laterInSandbox)],
});
for (const part of ['bundle', 'common', 'more']) rmSync(validators(part));

/** A file that is not plain, of things that are not groups: it loads every part of a check that has a file of its own. */
const otherRun = `version: 1
stack: other
containerApps: { web: { name: web, image: &image 'ghcr.io/contoso/web:1', environment: shared } }
environments: { shared: { name: shared } }
`;

// A first run finds the code that V8 compiled here, where it is the same version of node; any other run keeps its own (cli/compiled-file.ts).
for (const [config, command, names] of [
  [firstRun, ['check'], ['check-paths-main']],
  [otherRun, ['check'], ['fast-parse', 'more-validators']],
  [firstRun, ['check', '--format', 'text'], ['check-main']],
  [firstRun, ['synth', '--out', 'out'], ['stacks-main']],
  [firstRun, ['sandbox', 'run'], ['sandbox-main']],
]) {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-build-'));
  try {
    writeFileSync(join(folder, 'castellan.yaml'), config);
    const env = { HOME: folder, XDG_CACHE_HOME: folder, PATH: process.env.PATH };
    const given = { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] };
    if (command[0] === 'sandbox') await startAndEnd([...command, '--project', folder], given);
    else execFileSync(process.execPath, [join(target, 'cli/bin.js'), ...command], given);
    for (const name of names) {
      const [code] = readdirSync(join(folder, 'castellan')).filter((file) => file.startsWith(`${name}-`));
      const built = join(target, `cli/${name}.${process.version}-${process.arch}.v8`);
      copyFileSync(join(folder, 'castellan', code), built);
      chmodSync(built, 0o644);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs a server until it says that it is ready. */
async function startAndEnd(command, options) {
  const server = spawn(process.execPath, [join(target, 'cli/bin.js'), ...command], options);
  const ended = once(server, 'exit');
  server.stdout.once('data', () => server.kill('SIGTERM'));
  const [status] = await ended;
  if (status !== 0) throw new Error(`castellan ${command.join(' ')} ended with ${status}`);
}

// What only other paths need gets in unseen where a module that is kept apart moves: its size is a check's starting time.
for (const [found, pattern] of [
  [inputs, /node_modules\/(undici|better-sqlite3|kysely|fastify|@?cdktf|constructs|ajv\/dist\/compile)\/|^(constructs|provider)\//],
  [
    inputsOfPaths,
    /node_modules\/(commander|undici|better-sqlite3|kysely|fastify|@?cdktf|constructs|ajv\/dist\/compile)\/|policies\/sources\/(state|live)\/|^(constructs|provider)\//,
  ],
  [inputsOfSandbox, /node_modules\/(cdktf|constructs|commander|oidc-provider|undici|yaml|ajv)\/|policies\/(rules|sources)\//],
  [inputsOfStacks, /node_modules\/(undici|better-sqlite3|kysely|openpgp|fastify|oidc-provider|ajv\/dist\/compile)\//],
]) {
  const stray = found.find((file) => pattern.test(file));
  if (stray !== undefined) throw new Error(`${stray} is in a file of commands that do not need it`);
}
