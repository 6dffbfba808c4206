import { once } from 'node:events';

/** Writes to a stream no faster than its reader takes it, so that a million lines never pile up in memory. */
export async function write(stream: NodeJS.WritableStream, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain');
}
