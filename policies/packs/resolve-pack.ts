import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { PackConfig } from '../../kinds/policy/schema.js';
import {
  type Algorithm,
  filesOfModule,
  hashOfModule,
  hashOfPackage,
  packageFolder,
  packageWithDependencies,
  type PackFiles,
} from './pack-files.js';

/** The pack's name in messages. */
export function packName({ package: name, file }: PackConfig): string {
  return name ?? file ?? 'a pack';
}

/** The error for an unusable pack. */
export function packError(pack: PackConfig, reason: string): CastellanError {
  const name = packName(pack);
  return new CastellanError('CAS7003', `${name}: ${reason}`, { details: { pack: name } });
}

/**
 * Finds the file with a pack's rules. A package needs its hash, which covers every file that it can
 * run, including nested packages and links, since installed files may change. A file of the
 * repository may have a hash.
 *
 * @throws CAS7003 when it, or the file with its data, can't be found, or its hash differs.
 */
export function resolvePackFile(pack: PackConfig, folder: string): string {
  if ((pack.file === undefined) === (pack.package === undefined))
    throw packError(pack, 'say either file or package');
  if (pack.file !== undefined) {
    const file = resolve(folder, pack.file);
    checkFile(pack, pack.file, folder);
    if (pack.data !== undefined) checkFile(pack, pack.data, folder);
    if (pack.integrity !== undefined)
      checkIntegrity(pack, pack.integrity, (algorithm) => hashOfModule(file, algorithm));
    return file;
  }
  const file = resolvePackage(pack, folder);
  const hash = (algorithm: Algorithm): string => hashOfPackage(packageFolder(file), algorithm);
  if (pack.integrity === undefined)
    throw packError(pack, `a pack needs its hash: integrity: ${hash('sha256')}`);
  checkIntegrity(pack, pack.integrity, hash);
  return file;
}

function checkFile(pack: PackConfig, name: string, folder: string): void {
  const file = resolve(folder, name);
  if (!existsSync(file)) throw packError(pack, `${name} does not exist`);
  if (statSync(file).isDirectory()) throw packError(pack, `${name} is a folder; name a file in it`);
}

function resolvePackage(pack: PackConfig, folder: string): string {
  try {
    return createRequire(join(folder, 'package.json')).resolve(pack.package ?? '');
  } catch (error) {
    throw packError(pack, `it is not installed: ${(error as Error).message.split('\n')[0] ?? ''}`);
  }
}

function checkIntegrity(
  pack: PackConfig,
  expected: string,
  hash: (algorithm: Algorithm) => string,
): void {
  const actual = hash(expected.startsWith('sha512-') ? 'sha512' : 'sha256');
  if (actual !== expected)
    throw packError(
      pack,
      `its hash is ${actual}, not ${expected}: look at what changed before you accept it`,
    );
}

/** The files that a pack's program may read: those that its hash covers. */
export function readableFiles(pack: PackConfig, file: string, folder: string): PackFiles {
  if (pack.package !== undefined)
    return { files: [file], packageFolders: [...packageWithDependencies(packageFolder(file))] };
  const moduleFiles = filesOfModule(file);
  return pack.data === undefined
    ? moduleFiles
    : { ...moduleFiles, files: [...moduleFiles.files, resolve(folder, pack.data)] };
}
