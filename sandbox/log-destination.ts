import pino from 'pino';

/** How much of the log waits in memory while it can't be written, in characters. */
const maxWaitingCharacters = 1024 * 1024;

/**
 * Where a process writes its log. Lines that can't be written, as on a full disk, do not end the
 * process; the latest are written once they can be.
 *
 * @param descriptor 1 is stdout, 2 is stderr.
 */
export function logDestination(descriptor: 1 | 2): pino.DestinationStream {
  const destination = pino.destination({
    dest: descriptor,
    sync: true,
    maxLength: maxWaitingCharacters,
  });
  destination.on('error', () => undefined); // there is nowhere else to report it
  return destination;
}
