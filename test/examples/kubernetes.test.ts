import { createRequire } from 'node:module';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';

const root = join(__dirname, '../..');

const load = createRequire(__filename);

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly [key: string]: unknown;
}

const example = readFileSync(join(root, 'examples/sidecar/kubernetes.yaml'), 'utf8');
const guide = readFileSync(join(root, 'docs/guides/scale-out.md'), 'utf8');
const [, manifestsOfGuide = ''] = /```yaml\n(apiVersion: [^]*?)```/.exec(guide) ?? [];
const manifests = loadAll(`${example}\n---\n${manifestsOfGuide}`) as Manifest[];

/** What Kubernetes' published schemas find wrong with the values of a manifest. */
function mistakesIn(manifest: Manifest): string | undefined {
  const models = load(`kubernetes-models/${manifest.apiVersion}`) as Record<
    string,
    new (value: Manifest) => { validate(): void }
  >;
  const Model = models[manifest.kind];
  if (Model === undefined) return `there is no ${manifest.apiVersion} ${manifest.kind}`;
  try {
    new Model(manifest).validate();
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** Fields of manifests that the published schemas don't have, which only the types see. */
function unknownFields(all: readonly Manifest[]): string {
  const folder = join(root, 'node_modules/.cache/kubernetes-example');
  mkdirSync(folder, { recursive: true });
  const lines = all.flatMap((each, index) => [
    `import type { I${each.kind} as Kind${index} } from 'kubernetes-models/${each.apiVersion}';`,
    `export const manifest${index}: Kind${index} = ${JSON.stringify(each)};`,
  ]);
  writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'));
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--target',
    'es2022',
    '--module',
    'node20',
    '--types',
    '',
    '--ignoreConfig',
  ];
  try {
    execFileSync(process.execPath, [
      join(root, 'node_modules/typescript-native/bin/tsc'),
      ...options,
      join(folder, 'manifests.ts'),
    ]);
    return '';
  } catch (error) {
    return String((error as { stdout: Buffer }).stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the manifests for Kubernetes, of the sidecar and of docs/guides/scale-out.md', () => {
  test.each(
    manifests.map((manifest) => {
      const { name } = manifest['metadata'] as { readonly name: string };
      return [manifest.kind, name, manifest] as const;
    }),
  )('%s %s fits the published schema', (_kind, _name, manifest) => {
    expect(mistakesIn(manifest)).toBeUndefined();
  });

  test('have no field that Kubernetes does not know', () =>
    expect(unknownFields(manifests)).toBe(''));

  test('would be found wrong with a wrong value or an unknown field', () => {
    const deployment = JSON.stringify(manifests.find(({ kind }) => kind === 'Deployment'));
    const changed = (from: string, to: string): Manifest =>
      JSON.parse(deployment.replace(from, to)) as Manifest;
    expect(deployment).toContain('"replicas":2');
    expect(mistakesIn(changed('"replicas":2', '"replicas":"2"'))).toContain(
      'spec/replicas must be integer',
    );
    expect(unknownFields([changed('"readinessProbe"', '"readinesProbe"')])).toContain(
      'readinesProbe',
    );
  });
});
