import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { fetchFailureReason, unreachableReason } from '../../core/errors/fetch-failure.js';
import { makeFolder } from '../../core/source/make-folder.js';
import { replaceFile } from '../../core/source/replace-file.js';
import type { ReleaseArchive } from './engine-release.js';

/**
 * Fetches a release of Terraform or OpenTofu. Its digest is compared before anything is written.
 *
 * @param target the file to write, atomically.
 * @throws CAS2101 when the archive can't be fetched or has another digest.
 */
export async function fetchEngine(
  archive: ReleaseArchive,
  target: string,
  signal?: AbortSignal,
): Promise<void> {
  const bytes = await fetchFile(archive.url, signal);
  const digest = createHash('sha256').update(bytes).digest('hex');
  if (digest !== archive.digest)
    throw fetchError(`${archive.url} has the SHA-256 ${digest}, expected is ${archive.digest}`);
  const program = await extract(bytes, archive);
  makeFolder(dirname(target));
  replaceFile(target, (draft) => writeFileSync(draft, program, { mode: 0o755 }));
}

const fetchTimeoutMs = 300_000;

async function fetchFile(url: string, signal?: AbortSignal): Promise<Uint8Array> {
  const timeout = AbortSignal.timeout(fetchTimeoutMs);
  const response = await fetch(url, {
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  }).catch((cause: unknown) => {
    throw fetchError(`${url} can't be reached: ${unreachableReason(cause, url)}`, cause);
  });
  if (!response.ok) throw fetchError(`${url} answered ${String(response.status)}`);
  const bytes = await response.arrayBuffer().catch((cause: unknown) => {
    throw fetchError(`${url} was not read to its end: ${fetchFailureReason(cause)}`, cause);
  });
  return new Uint8Array(bytes);
}

async function extract(bytes: Uint8Array, { name, program }: ReleaseArchive): Promise<Uint8Array> {
  const { unzipSync } = await import('fflate');
  const content = unzipSync(bytes, { filter: (file) => file.name === program })[program];
  if (content === undefined) throw fetchError(`${name} contains no ${program}`);
  return content;
}

/** The error of a release that was not fetched. */
export function fetchError(reason: string, cause?: unknown): CastellanError {
  return new CastellanError(
    'CAS2101',
    `no engine was fetched: ${reason}`,
    cause === undefined ? {} : { cause },
  );
}
