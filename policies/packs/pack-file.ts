import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { PackConfig } from '../../kinds/policy/schema.js';

/** What a pack is called in messages. */
export function packName({ package: name, file }: PackConfig): string {
  return name ?? file ?? 'a pack';
}

/** Says why a pack can't be used. */
export function packError(pack: PackConfig, reason: string): CastellanError {
  const name = packName(pack);
  return new CastellanError('CAS7003', `${name}: ${reason}`, { details: { pack: name } });
}

/**
 * The file that holds a pack's rules. A package needs its hash, which covers all its files: what is installed may change. A file of the
 * repository may have one.
 *
 * @throws CAS7003 when it can't be found or its hash differs.
 */
export function packFile(pack: PackConfig, folder: string): string {
  if ((pack.file === undefined) === (pack.package === undefined)) throw packError(pack, 'say either file or package');
  if (pack.file !== undefined) {
    const file = resolve(folder, pack.file);
    if (!existsSync(file)) throw packError(pack, `${pack.file} does not exist`);
    if (pack.integrity !== undefined) checkIntegrity(pack, pack.integrity, (algorithm) => hashOf(readFileSync(file), algorithm));
    return file;
  }
  const file = resolvePackage(pack, folder);
  const hash = (algorithm: Algorithm): string => packageHash(packageFolder(file), algorithm);
  if (pack.integrity === undefined) throw packError(pack, `a pack needs its hash: integrity: ${hash('sha256')}`);
  checkIntegrity(pack, pack.integrity, hash);
  return file;
}

function resolvePackage(pack: PackConfig, folder: string): string {
  try {
    return createRequire(join(folder, 'package.json')).resolve(pack.package ?? '');
  } catch (error) {
    throw packError(pack, `it is not installed: ${(error as Error).message.split('\n')[0] ?? ''}`);
  }
}

type Algorithm = 'sha256' | 'sha512';

function checkIntegrity(pack: PackConfig, expected: string, hash: (algorithm: Algorithm) => string): void {
  const actual = hash(expected.startsWith('sha512-') ? 'sha512' : 'sha256');
  if (actual !== expected) throw packError(pack, `its hash is ${actual}, not ${expected}: look at what changed before you accept it`);
}

function hashOf(content: Buffer | string, algorithm: Algorithm): string {
  return `${algorithm}-${createHash(algorithm).update(content).digest('base64')}`;
}

/** The folder of the package that a file belongs to: the nearest one with a package.json. */
function packageFolder(file: string): string {
  const folder = dirname(file);
  return existsSync(join(folder, 'package.json')) || dirname(folder) === folder ? folder : packageFolder(folder);
}

/** One hash of all files of a package, their names included; what it depends on is held by the lock file. */
function packageHash(folder: string, algorithm: Algorithm): string {
  const names = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => !name.split('/').includes('node_modules'))
    .sort();
  return hashOf(names.map((name) => `${hashOf(readFileSync(join(folder, name)), algorithm)} ${name}\n`).join(''), algorithm);
}
