import type { AddressInfo } from 'node:net';
import { TestDirectory } from './directory.js';
import type { TestOptions } from './directory.js';

/** A test directory on a loopback port, for clients that speak HTTP themselves; whoever asks may do everything. */
export class ServedDirectory {
  private constructor(
    readonly directory: TestDirectory,
    /** `http://127.0.0.1:…` */
    readonly origin: string,
  ) {}

  static async start(options: TestOptions = {}): Promise<ServedDirectory> {
    const directory = await TestDirectory.start({ ...options, open: true });
    await directory.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = directory.app.server.address() as AddressInfo;
    return new ServedDirectory(directory, `http://127.0.0.1:${port}`);
  }

  stop(): Promise<void> {
    return this.directory.stop();
  }
}
