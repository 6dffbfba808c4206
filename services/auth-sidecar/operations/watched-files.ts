import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { maxSecretBytes } from '../config/secrets.js';
import type { SidecarOptions } from './options.js';

const pollIntervalMs = 2000;
/**
 * A digest is cached only if the file last changed longer ago than this, in milliseconds: on disks
 * with coarse timestamps a second change soon after the first would leave the times equal.
 */
const settledAfterMs = 3000;

/**
 * Watches the configuration, the endpoints, the certificate and its key, and the files of secrets
 * and of pages by their content, so that it works with editors that replace files and with volumes
 * whose links are switched. A file with unchanged size and times is not read again.
 *
 * @returns a function that stops watching
 */
export function watchFiles(options: SidecarOptions, onChange: () => void): () => void {
  const files = new Map<string, SeenFile>();
  let previous = fingerprint(options, files);
  const timer = setInterval(() => {
    const current = fingerprint(options, files);
    if (current === previous) return;
    previous = current;
    onChange();
  }, pollIntervalMs);
  return () => clearInterval(timer);
}

interface SeenFile {
  /** The device, inode, size and times of the file. */
  readonly identity: string;
  /** Of its content. */
  readonly digest: string;
}

function fingerprint(
  { config, endpoints, secrets, tlsCert, tlsKey, pages }: SidecarOptions,
  cache: Map<string, SeenFile>,
): string {
  const hash = createHash('sha256');
  const filesInFolders = [secrets, pages].flatMap((folder) =>
    folder === undefined ? [] : listFiles(folder).map((name) => join(folder, name)),
  );
  const singleFiles = [config, endpoints, tlsCert, tlsKey].filter((file) => file !== undefined);
  for (const file of cache.keys())
    if (!singleFiles.includes(file) && !filesInFolders.includes(file)) cache.delete(file);
  for (const file of singleFiles) hash.update(`${file}\0${contentDigest(file, cache, Infinity)}\0`);
  for (const file of filesInFolders)
    hash.update(`${file}\0${contentDigest(file, cache, maxSecretBytes)}\0`);
  return hash.digest('hex');
}

function listFiles(directory: string): string[] {
  try {
    return fs.readdirSync(directory).sort();
  } catch {
    return []; // missing now: the same as empty, and a change when it comes back
  }
}

/** A digest of a file's content, or its size where it has more bytes than are digested. */
function contentDigest(file: string, cache: Map<string, SeenFile>, maxBytes: number): string {
  try {
    const stats = fs.statSync(file);
    if (!stats.isFile()) return ''; // reading a pipe would block
    if (stats.size > maxBytes) return `${stats.size} bytes`;
    const identity = [stats.dev, stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join();
    const cached = cache.get(file);
    if (cached?.identity === identity) return cached.digest;
    const digest = createHash('sha256').update(fs.readFileSync(file)).digest('hex');
    if (Date.now() - stats.ctimeMs > settledAfterMs) cache.set(file, { identity, digest });
    return digest;
  } catch {
    return ''; // missing now: the same as empty
  }
}
