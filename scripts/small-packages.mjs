// usage: node scripts/small-packages.mjs [folder]
// Builds the two small packages of this repository in the folder (dist-packages): castellan-check
// (YAML and plans, no native code) and castellan-sidecar (the sign-in layer), each bundled from the
// same sources as castellan. Needs the build (dist/).
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const target = resolve(process.argv[2] ?? 'dist-packages');
const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const { version, license, repository, engines, optionalDependencies } = JSON.parse(
  readFileSync(at('package.json'), 'utf8'),
);

/** Replaces the schema compiler by the schemas that the build has compiled. */
const compiledValidators = {
  name: 'compiled-validators',
  setup: (bundle) =>
    bundle.onResolve({ filter: /\/validators\.js$/ }, () => ({
      path: at('dist/kinds/stack/validators.js'),
    })),
};

/**
 * The functions of the Rego kit are in a file that its package.json does not export, so its path is
 * given to the bundler.
 */
const builtinsOfRego = {
  name: 'builtins-of-rego',
  setup: (bundle) =>
    bundle.onLoad({ filter: /rego-policy\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const contents = source.replace(
        /const kit = createRequire[^}]*/,
        `return require(${JSON.stringify(regoBuiltins())});\n`,
      );
      if (contents === source)
        throw new Error(`${path} finds the functions of the kit in another way than this expects`);
      return { contents, loader: 'ts' };
    }),
};

function regoBuiltins() {
  return join(
    dirname(fileURLToPath(import.meta.resolve('@open-policy-agent/opa-wasm'))),
    'builtins/index.js',
  );
}

/** A package that is loaded from its own bundle, for the few runs that need it. */
const apart = (name, file) => ({
  name,
  setup: (bundle) =>
    bundle.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path: file, external: true })),
});

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // Keeps names: messages and errors contain them.
  minifySyntax: true,
  minifyWhitespace: true,
  supported: { 'dynamic-import': false },
  mainFields: ['module', 'main'],
  legalComments: 'linked',
  logLevel: 'warning',
  external: ['better-sqlite3', 'pg-native'],
};

const files = {
  'castellan-check': [
    { entry: 'cli/packages/check-bin.ts', to: 'dist/cli/bin.js' },
    {
      entry: 'cli/packages/check-main.ts',
      to: 'dist/cli/main.js',
      plugins: [compiledValidators, builtinsOfRego],
    },
    {
      entry: 'policies/pack-main.ts',
      to: 'dist/pack-main.js',
      plugins: [compiledValidators, builtinsOfRego],
    },
  ],
  'castellan-sidecar': [
    {
      entry: 'cli/packages/sidecar-bin.ts',
      to: 'dist/cli/bin.js',
      plugins: [apart('pg', './pg.js'), apart('@redis/client', './redis.js')],
    },
    { entry: 'node_modules/pg/lib/index.js', to: 'dist/cli/pg.js' },
    { entry: 'node_modules/@redis/client/dist/index.js', to: 'dist/cli/redis.js' },
  ],
};

const described = {
  'castellan-check': {
    description:
      'Checks castellan.yaml, plans and states: every limit and rule, with the line. The checking half of castellan, without native code',
    page: 'ci',
    bin: { 'castellan-check': 'dist/cli/bin.js', castellan: 'dist/cli/bin.js' },
  },
  'castellan-sidecar': {
    description: 'The sign-in layer of castellan in front of any HTTP app',
    page: 'put-it-in-front-of-any-app',
    bin: { 'castellan-sidecar': 'dist/cli/bin.js', castellan: 'dist/cli/bin.js' },
    optionalDependencies,
  },
};

const source = repository.url.replace(/^git\+|\.git$/g, '');

/** A page of the guides as the README of a package, with absolute links. */
const guide = (page) =>
  readFileSync(at(`docs/guides/${page}.md`), 'utf8')
    .replace(/^# /, '## ')
    .replace(
      /\]\((?!https?:)([^)]+)\)/g,
      (_, path) => `](${new URL(path, `${source}/blob/main/docs/guides/`).href})`,
    );

for (const [name, bundles] of Object.entries(files)) {
  const folder = join(target, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { entry, to, plugins = [] } of bundles) {
    const { metafile } = await build({
      ...common,
      entryPoints: [at(entry)],
      outfile: join(folder, to),
      plugins,
      metafile: true,
    });
    const stray = Object.keys(metafile.inputs).find((file) =>
      /node_modules\/(@?cdktf|constructs)\//.test(file),
    );
    if (stray !== undefined) throw new Error(`${stray} is in ${name}, which does without it`);
  }
  chmodSync(join(folder, 'dist/cli/bin.js'), 0o755);
  const { page, ...own } = described[name];
  const manifest = { name, version, ...own, license, repository, engines, files: ['dist'] };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  cpSync(at('LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(
    join(folder, 'README.md'),
    `# ${name}\n\n${own.description}. Part of [castellan](${source}), of the same version.\n\n${guide(page)}`,
  );
}
cpSync(at('docs/rules'), join(target, 'castellan-check/dist/docs/rules'), { recursive: true }); // for `castellan explain`
cpSync(at('cli/templates'), join(target, 'castellan-check/dist/cli/templates'), {
  recursive: true,
  filter: (path) => !path.endsWith('.ts'),
}); // for `castellan init`
mkdirSync(join(target, 'image-state/.castellan/auth-sidecar'), { recursive: true }); // the initial contents of the image's volume: see Dockerfile
process.stdout.write(
  `${Object.keys(files)
    .map((name) => join(target, name))
    .join('\n')}\n`,
);
