import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SidecarOptions } from './options.js';

const interval = 2000;

/**
 * Looks for changes of the configuration, the endpoints and the files of secrets by their content, so that it works with editors that
 * replace files and with volumes whose links are switched.
 *
 * @returns what ends the watch
 */
export function watchFiles(options: SidecarOptions, changed: () => void): () => void {
  let known = fingerprint(options);
  const timer = setInterval(() => {
    const now = fingerprint(options);
    if (now === known) return;
    known = now;
    changed();
  }, interval);
  return () => clearInterval(timer);
}

function fingerprint({ config, endpoints, secrets, tlsCert, tlsKey }: SidecarOptions): string {
  const hash = createHash('sha256');
  const names = secrets === undefined ? [] : listed(secrets).map((name) => join(secrets, name));
  for (const file of [config, endpoints, tlsCert, tlsKey, ...names]) {
    if (file !== undefined) hash.update(file).update('\0').update(content(file)).update('\0');
  }
  return hash.digest('hex');
}

function listed(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return []; // not there now: the same as empty, and a change when it comes back
  }
}

function content(file: string): Buffer | string {
  try {
    return readFileSync(file);
  } catch {
    return ''; // not there now, or a directory: the same as empty
  }
}
