/**
 * Writes to files and pipes without node's streams: loading them is a tenth (4 ms) of the processor
 * time of `castellan check` on a small file. Terminals, and code that needs more than `write`, get
 * node's stream.
 */
import { fstatSync, statSync, writeSync } from 'node:fs';

/** stdout or stderr for commands. */
export function directOutput(fd: 1 | 2, stream: () => NodeJS.WriteStream): NodeJS.WriteStream {
  if (!isDirect(fd)) return stream();
  const write = (...args: Parameters<NodeJS.WriteStream['write']>): boolean => {
    if (args.length > 1) return stream().write(...args);
    writeNow(fd, Buffer.from(args[0]));
    return true;
  };
  return new Proxy({} as NodeJS.WriteStream, {
    get(_, name) {
      if (name === 'write') return write;
      if (name === 'isTTY' || name === 'columns') return undefined; // not a terminal
      const node = stream();
      const value: unknown = Reflect.get(node, name);
      return typeof value === 'function' ? value.bind(node) : value;
    },
  });
}

/** Whether this is a file, a pipe, or the null device. */
function isDirect(fd: number): boolean {
  if (process.platform === 'win32') return false; // consoles on Windows have their own encoding
  try {
    const stats = fstatSync(fd);
    return (
      stats.isFile() ||
      stats.isFIFO() ||
      stats.isSocket() ||
      (stats.isCharacterDevice() && stats.rdev === statSync('/dev/null').rdev)
    );
  } catch {
    return false;
  }
}

function writeNow(fd: number, bytes: Buffer): void {
  let offset = 0;
  while (offset < bytes.length) {
    try {
      offset += writeSync(fd, bytes, offset);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A reader that has closed the pipe, such as `head`, is no failure.
      if (code === 'EPIPE') process.exit();
      if (code !== 'EAGAIN') throw error;
      // The pipe is full and non-blocking: waits for its reader.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
