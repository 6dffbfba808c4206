// Bundles `castellan check`, with and without options, the program of custom rules, and the
// commands that synthesize stacks into one file each, so that they start fast.
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
// With `require` in place of import(): code from V8's compile cache cannot call import().
const common = {
  allowOverwrite: true,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  supported: { 'dynamic-import': false },
  logLevel: 'warning',
  // Maps for scripts/source-places.mjs. They are not in the package: the map of the sandbox alone
  // would add a fifth to the download.
  sourcemap: 'external',
  sourcesContent: false,
};

/** Loads these modules on first use, not at the start. */
const whenUsed = (names) => ({
  name: 'when-used',
  setup: (bundle) => {
    bundle.onResolve(
      { filter: new RegExp(`^(node:)?(${names.join('|')})$`) },
      ({ path, namespace }) =>
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

/** Node modules that most runs never use; loading one takes 1 to 4 ms. */
const builtinsWhenUsed = whenUsed(['child_process', 'crypto', 'module', 'net', 'os', 'v8']);

// The command itself, which loads the bundle that runs. An import would scan the whole file for its
// exports first.
await build({
  ...common,
  entryPoints: [at('../cli/bin.ts')],
  outfile: join(target, 'cli/bin.js'),
  external: ['./main.js'],
  plugins: [builtinsWhenUsed],
});

// The full YAML parser, for YAML with unusual syntax: js-yaml is a tenth of the bundle of a check.
await build({
  ...common,
  entryPoints: [at('../core/yaml/fast-parse.ts')],
  outfile: join(target, 'cli/fast-parse.js'),
  minify: true,
  mainFields: ['module', 'main'],
  legalComments: 'linked',
});

// The rules for everything but groups and principals: a fifth of the bundle of a check.
await build({
  ...common,
  entryPoints: [validators('more')],
  outfile: join(target, 'cli/more-validators.js'),
  minify: true,
});

// The program that runs the rules of a pack, without the parts that few rules use.
await build({
  ...common,
  entryPoints: [at('../policies/pack-main.ts')],
  outfile: join(target, 'policies/pack-main.js'),
  minify: true,
  legalComments: 'linked',
  mainFields: ['module', 'main'],
  external: ['./index.js', '@open-policy-agent/opa-wasm', 'ajv', 'ajv/*'],
});

/** Modules in a file of their own, loaded when needed, by the path of their import. */
const apart = apartFrom([
  // Workers start from their own files; custom rules are rare.
  { filter: /\/packs\/load-packs\.js$/, path: '../policies/packs/load-packs.js' },
  // Access tests are rare and load a lot of code.
  { filter: /\/access\/test-findings\.js$/, path: './access/test-findings.js' },
  // Only --live uses the clients, and it runs from main.js.
  { filter: /\/live\.js$/, path: './commands/check/live.js', importer: '/check/inputs.ts' },
  // For YAML that the fast parser does not support.
  { filter: /\/fast-parse\.js$/, path: './fast-parse.js' },
  { filter: /\/more-validators\.js$/, path: './more-validators.js' },
  // The seed readers import the services.
  { filter: /\/serve\/seed-file\.js$/, path: '../sandbox/serve/seed-file.js' },
]);

function apartFrom(files) {
  return files.map(({ filter, path, importer = '' }) => ({
    name: path,
    setup: (bundle) =>
      bundle.onResolve({ filter }, (found) =>
        found.importer.endsWith(importer) ? { path, external: true } : undefined,
      ),
  }));
}

/**
 * Parts of this package that a sandbox loads on first use: the console's pages, sign-in of people,
 * and the explanations of refused sign-ins.
 */
const apartInSandbox = apartFrom([
  {
    filter: /^\.\/project\.js$/,
    path: '../sandbox/console/project.js',
    importer: '/console/routes.ts',
  },
  {
    filter: /^\.\/snapshot\.js$/,
    path: '../sandbox/console/snapshot.js',
    importer: '/console/routes.ts',
  },
  {
    filter: /\/identity-provider\/provider\.js$/,
    path: '../sandbox/identity-provider/provider.js',
  },
  {
    filter: /\/identity-provider\/refusals\.js$/,
    path: '../sandbox/identity-provider/refusals.js',
  },
]);

/**
 * Modules that a check without options never loads. A module that is loaded later is wrapped in a
 * function with everything that it imports, which V8 parses twice.
 */
const onlyWithOptions = {
  name: 'only-with-options',
  setup: (bundle) =>
    bundle.onResolve(
      {
        filter:
          /\/(sources\/(plan|state|live)\/.+|base|json|sarif|junit|github|markdown|html)\.js$/,
      },
      ({ path, kind }) => (kind === 'dynamic-import' ? { path, external: true } : undefined),
    ),
};

const compiledValidators = (part) => ({
  name: 'compiled-validators',
  setup: (bundle) =>
    bundle.onResolve({ filter: /\/validators\.js$/ }, () => ({ path: validators(part) })),
});

/** Modules that cdktf loads and synthesis hardly ever calls. */
const calledByCdktf = {
  // archives are for assets, which no configuration declares
  archiver: `module.exports = (...args) => require('archiver')(...args);`,
  // loads node's streams to find out whether to color errors
  assert: `const ok = (value, message) => { if (!value) require('assert').ok(value, message); };
    module.exports = Object.assign(ok, { ok });`,
  // compares Terraform versions, which only some backends and outputs need
  semver: `exports.satisfies = (...args) => require('semver').satisfies(...args);`,
};

const whenCdktfCalls = {
  name: 'when-cdktf-calls',
  setup: (bundle) => {
    bundle.onResolve(
      { filter: new RegExp(`^(${Object.keys(calledByCdktf).join('|')})$`) },
      ({ path, importer, namespace, resolveDir }) => {
        if (namespace === 'when-cdktf-calls')
          return path === 'semver' ? undefined : { path, external: true };
        return importer.includes('/node_modules/cdktf/lib/')
          ? { path, namespace: 'when-cdktf-calls', pluginData: resolveDir }
          : undefined;
      },
    );
    bundle.onLoad(
      { filter: /.*/, namespace: 'when-cdktf-calls' },
      ({ path, pluginData: resolveDir }) => ({
        contents: calledByCdktf[path],
        resolveDir,
      }),
    );
  },
};

/** A typical first run. */
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

/** For files with mistakes, patterns of membership rules, and options of rules. */
const rarelyLoaded = ['yaml', 're2js', 'ajv/dist/2020.js'];

/** Parts that a sandbox loads on first use: sign-in settings, photos, seeds, the console. */
const laterInSandbox = ['ajv', 'yaml', 'js-yaml', 'decimal.js'];

/** Parts that fastify and gRPC load for route schemas and for gRPC's debugging service. */
const neverInSandbox = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  '@grpc/proto-loader',
];

async function bundleCommand(name, options) {
  const { metafile } = await build({
    ...common,
    entryPoints: [at(`../cli/${name}.ts`)],
    outfile: join(target, `cli/${name}.js`),
    // One non-ASCII letter, in the name of a licence's author, would double the size of the file in
    // memory: licences go to a file of their own.
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
  // Separate modules are loaded by `require`: import() needs a callback that scripts from the code
  // cache lack.
  supported: { 'dynamic-import': false },
};
const inputs = await bundleCommand('check-main', {
  ...minified,
  plugins: [...apart, compiledValidators('bundle'), builtinsWhenUsed],
});
const inputsOfPaths = await bundleCommand('check-paths-main', {
  ...minified,
  plugins: [onlyWithOptions, ...apart, compiledValidators('common'), builtinsWhenUsed],
});
// Keeps the names of constructs: messages contain them.
const inputsOfStacks = await bundleCommand('stacks-main', {
  minifySyntax: true,
  minifyWhitespace: true,
  external: [...rarelyLoaded, 'undici', 'kysely', 'better-sqlite3'],
  plugins: [...apart, compiledValidators('bundle'), builtinsWhenUsed, whenCdktfCalls],
});
const inputsOfSandbox = await bundleCommand('sandbox-main', {
  minifySyntax: true,
  minifyWhitespace: true,
  // Errors in the log are located by their line.
  lineLimit: 160,
  mainFields: ['module', 'main'],
  external: ['better-sqlite3', 'pg', 're2js', 'undici', ...neverInSandbox],
  plugins: [...apartInSandbox, compiledValidators('bundle'), whenUsed(laterInSandbox)],
});
for (const part of ['bundle', 'common', 'more']) rmSync(validators(part));

/**
 * An input in unusual YAML, with more than groups: it loads every part of a check that is in a file
 * of its own.
 */
const otherRun = `version: 1
stack: other
containerApps: { web: { name: web, image: &image 'ghcr.io/contoso/web:1', environment: shared } }
environments: { shared: { name: shared } }
`;

// First runs find the code that V8 compiled here, with the same version of node; other runs keep
// their own (cli/compiled-file.ts).
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
      const [code] = readdirSync(join(folder, 'castellan')).filter((file) =>
        file.startsWith(`${name}-`),
      );
      const built = join(target, `cli/${name}.${process.version}-${process.arch}.v8`);
      copyFileSync(join(folder, 'castellan', code), built);
      chmodSync(built, 0o644);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs a server until it reports that it is ready. */
async function startAndEnd(command, options) {
  const server = spawn(process.execPath, [join(target, 'cli/bin.js'), ...command], options);
  const ended = once(server, 'exit');
  server.stdout.once('data', () => server.kill('SIGTERM'));
  const [status] = await ended;
  if (status !== 0) throw new Error(`castellan ${command.join(' ')} ended with ${status}`);
}

// Fails when a bundle contains modules that only other runs need: the size of the bundle decides
// how long a check takes to start.
for (const [found, pattern] of [
  [
    inputs,
    /node_modules\/(undici|better-sqlite3|kysely|fastify|@?cdktf|constructs|ajv\/dist\/compile)\/|^(constructs|provider)\//,
  ],
  [
    inputsOfPaths,
    /node_modules\/(commander|undici|better-sqlite3|kysely|fastify|@?cdktf|constructs|ajv\/dist\/compile)\/|policies\/sources\/(state|live)\/|^(constructs|provider)\//,
  ],
  [
    inputsOfSandbox,
    /node_modules\/(cdktf|constructs|commander|oidc-provider|undici|yaml|ajv)\/|policies\/(rules|sources)\//,
  ],
  [
    inputsOfStacks,
    /node_modules\/(undici|better-sqlite3|kysely|fastify|oidc-provider|ajv\/dist\/compile)\//,
  ],
]) {
  const stray = found.find((file) => pattern.test(file));
  if (stray !== undefined) throw new Error(`${stray} is in a file of commands that do not need it`);
}
