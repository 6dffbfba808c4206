import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { SandboxPaths } from '../paths.js';

/** A stack applied to the sandbox, and its file, relative to the project. */
export interface AppliedStackFile {
  readonly name: string;
  /** The path of its castellan.yaml, relative to the project. */
  readonly file: string;
}

/**
 * The stacks applied here, from the manifests that `castellan up` leaves beside their Terraform
 * JSON.
 */
export function appliedStackFiles(paths: SandboxPaths): readonly AppliedStackFile[] {
  const folder = join(paths.root, 'stacks');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((name) => ({ name, manifest: join(folder, name, 'castellan.manifest.json') }))
    .filter(({ manifest }) => existsSync(manifest))
    .flatMap(({ name, manifest }) => {
      const { files } = JSON.parse(readFileSync(manifest, 'utf8')) as { files?: readonly string[] };
      const first = files?.[0];
      if (first === undefined || !/\.ya?ml$/.test(first)) return [];
      return [{ name, file: relative(paths.projectDir, resolve(dirname(manifest), first)) }];
    });
}
