import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { omitUndefined } from '../../../../core/values/omit-undefined.js';
import { sandboxPaths } from '../../../../sandbox/paths.js';
import { openCertificateAuthority } from '../../../../sandbox/tls/certificate-authority.js';
import { TestDirectory, type TestOptions } from './directory.js';

/**
 * A test directory on a loopback port, for clients that speak HTTP themselves; anyone who asks may
 * do everything.
 */
export class ServedDirectory {
  private constructor(
    readonly directory: TestDirectory,
    /** `http://127.0.0.1:…`, or https. */
    readonly origin: string,
    /** The authority of its certificate, over https. */
    readonly ca: string,
  ) {}

  /**
   * @param tls serves https with a certificate of its own, for clients that take no other links.
   */
  static async start(options: TestOptions = {}, tls?: 'tls'): Promise<ServedDirectory> {
    const certificate = tls === undefined ? undefined : await ownCertificate();
    const directory = await TestDirectory.start({
      ...options,
      openToAll: true,
      ...omitUndefined({ tls: certificate }),
    });
    await directory.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = directory.app.server.address() as AddressInfo;
    return new ServedDirectory(
      directory,
      `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`,
      certificate?.ca ?? '',
    );
  }

  stop(): Promise<void> {
    return this.directory.stop();
  }
}

async function ownCertificate(): Promise<{ cert: string; key: string; ca: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-tls-'));
  mkdirSync(join(folder, '.castellan'));
  const authority = await openCertificateAuthority(sandboxPaths(folder));
  const issued = await authority.issue(['127.0.0.1', 'localhost']);
  rmSync(folder, { recursive: true, force: true });
  return { ...issued, ca: authority.certificate };
}
