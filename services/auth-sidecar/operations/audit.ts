import { closeSync, openSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import type { AuditTarget } from '../config/settings.js';
import { configError } from '../config/problems.js';
import { reasonOf } from './external-call-error.js';

/** What happened to a person's access. */
export type AuditEvent = 'sign-in' | 'refused' | 'sign-out' | 'refreshed' | 'ended';

/** One line of the audit, beside its time. Never a token, a cookie or a query. */
export interface AuditEntry {
  readonly event: AuditEvent;
  /** The provider's name in paths. */
  readonly provider?: string | undefined;
  /** The person's `iss`; the provider's key where it states none. */
  readonly issuer?: string | undefined;
  /** The person's `sub`, or the id of the identity. */
  readonly subject?: string | undefined;
  /** The person's name. */
  readonly name?: string | undefined;
  /** Address of the client, behind trusted proxies. */
  readonly client?: string | undefined;
  /** The path of the app, or the sidecar's own one. */
  readonly path?: string | undefined;
  /** The settings that decided. */
  readonly rule?: string | undefined;
  /** Why the person was refused, or the session ended. */
  readonly reason?: string | undefined;
  /** A hash of the session's id, which opens nothing. */
  readonly session?: string | undefined;
  readonly requestId?: string | undefined;
}

const fields = [
  ...(['provider', 'issuer', 'subject', 'name', 'client', 'path', 'rule', 'reason'] as const),
  ...(['session', 'requestId'] as const),
];

/** How long the end of a process waits for the last lines, in milliseconds. */
const flushTimeoutMs = 1000;

type Destination = ReturnType<typeof pino.destination>;

/** The audit (`login.audit`): a JSON object for each event, in a file or stream of its own. */
export class Audit {
  /** Writes nothing. */
  static readonly none = new Audit(undefined, undefined, () => new Date());

  private constructor(
    private readonly destination: Destination | undefined,
    private readonly file: string | undefined,
    private readonly now: () => Date,
  ) {}

  /**
   * @param onError called when lines could not be written.
   * @param now the time of the lines.
   * @throws CAS6001 when the file can't be opened
   */
  static open(target: AuditTarget, onError: (error: Error) => void, now: () => Date): Audit {
    const { file, stream } = target;
    if (file !== undefined) requireWritable(file);
    const destination = pino.destination({
      dest: file ?? (stream === 'stderr' ? 2 : 1),
      sync: false,
      append: true,
      mode: 0o600,
      maxLength: 16 * 1024 * 1024,
    });
    destination.on('error', onError);
    destination.on('drop', () => onError(new Error('the audit is not read fast enough')));
    return new Audit(destination, file, now);
  }

  write(entry: AuditEntry): void {
    if (this.destination === undefined) return;
    const values = fields.map((name) => [name, entry[name] ?? null] as const);
    const line = {
      time: this.now().toISOString(),
      event: entry.event,
      ...Object.fromEntries(values),
    };
    this.destination.write(`${JSON.stringify(line)}\n`);
  }

  /** Opens the file again: a log rotation may have moved it away. @throws CAS6001 */
  reopen(): void {
    if (this.file === undefined) return;
    requireWritable(this.file);
    this.destination?.reopen(this.file);
  }

  /** Writes the remaining lines; waits only briefly for a slow reader. */
  async end(): Promise<void> {
    if (this.destination === undefined) return;
    const finished = new Promise<void>((resolve) => this.destination?.once('close', resolve));
    this.destination.end();
    await Promise.race([finished, setTimeout(flushTimeoutMs, undefined, { ref: false })]);
  }
}

function requireWritable(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600));
  } catch (error) {
    const message = `${file} can not be opened: ${reasonOf(error)}`;
    throw configError(file, [{ property: 'login.audit.file', message }]);
  }
}

/**
 * The audit of the latest configuration, which stays open while its target does not change. Requests
 * that began before a reload write to it, too.
 */
export class ConfiguredAudit {
  private audit = Audit.none;
  private target = JSON.stringify(undefined);

  constructor(
    private readonly onError: (error: Error) => void,
    private readonly now: () => Date,
  ) {}

  /** @throws CAS6001 when its file can't be opened; the previous audit then stays */
  configure(target: AuditTarget | undefined): void {
    const text = JSON.stringify(target);
    if (text === this.target) {
      this.audit.reopen();
      return;
    }
    const previousAudit = this.audit;
    this.audit = target === undefined ? Audit.none : Audit.open(target, this.onError, this.now);
    this.target = text;
    void previousAudit.end();
  }

  write(entry: AuditEntry): void {
    this.audit.write(entry);
  }

  end(): Promise<void> {
    return this.audit.end();
  }
}
