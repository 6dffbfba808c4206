// usage: node scripts/small-packages.mjs [folder]
// Builds the two small packages of this repository in the folder (dist-packages): castellan-check
// (YAML and plans, no native code) and castellan-sidecar (the sign-in layer), each bundled from the
// same sources as castellan. Needs the build (dist/).
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

const target = resolve(process.argv[2] ?? 'dist-packages');
const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const { version, license, repository, engines, optionalDependencies } = JSON.parse(
  readFileSync(at('package.json'), 'utf8'),
);

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

/** The programs of each package, by the names of their files in dist/cli. */
const programs = {
  'castellan-check': { bin: 'cli/packages/check-bin.ts', 'pack-main': 'policies/pack-main.ts' },
  'castellan-sidecar': { bin: 'cli/packages/sidecar-bin.ts' },
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

for (const [name, entryPoints] of Object.entries(programs)) {
  const folder = join(target, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const inputs = await bundle(entryPoints, join(folder, 'dist/cli'), {
    plugins: [builtinsOfRego],
    external: ['better-sqlite3', 'pg-native'],
  });
  const stray = inputs.find((file) => /node_modules\/(@?cdktf|constructs)\//.test(file));
  if (stray !== undefined) throw new Error(`${stray} is in ${name}, which does without it`);
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
for (const file of [
  '@tree-sitter-grammars/tree-sitter-hcl/tree-sitter-terraform.wasm',
  'web-tree-sitter/web-tree-sitter.wasm',
])
  cpSync(
    at(`node_modules/${file}`),
    join(target, 'castellan-check/dist/policies/sources/hcl', basename(file)),
  ); // for `check --source`
mkdirSync(join(target, 'image-state/.castellan/auth-sidecar'), { recursive: true }); // the initial contents of the image's volume: see Dockerfile
process.stdout.write(
  `${Object.keys(programs)
    .map((name) => join(target, name))
    .join('\n')}\n`,
);
