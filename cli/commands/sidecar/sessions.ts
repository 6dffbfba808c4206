import type { Command } from 'commander';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { exitCodes } from '../../../core/findings/exit-code.js';
import { terminalOutputOf } from '../../../core/text/terminal.js';
import { isObject } from '../../../core/values/is-object.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { ListedSession } from '../../../services/auth-sidecar/index.js';
import type { CliIo } from '../../command.js';
import { addFormat, type FormatFlags, formatOf, printResult } from '../../format.js';
import { table } from '../../table.js';

/** The environment variable with the bearer token for the operators' port (`--admin-listen`). */
export const adminTokenVariable = 'CASTELLAN_SIDECAR_ADMIN_TOKEN';

/** How long the sidecar may take to answer. */
const requestTimeoutMs = 20_000;

interface SessionsFlags extends FormatFlags {
  /** The address of `--admin-listen` of the running sidecar. */
  readonly admin: string;
  readonly issuer?: string;
  readonly subject?: string;
  /** The hash of one session, as the list shows it. */
  readonly session?: string;
  readonly all?: true;
}

/** Adds `sidecar sessions list|end`, which call the operators' port (`--admin-listen`) of a running sidecar. */
export function addSessionCommands(
  sidecar: Command,
  io: CliIo,
  done: (exitCode: number) => void,
): void {
  const sessions = sidecar
    .command('sessions')
    .description(
      `List and end the sessions of a running sidecar (${adminTokenVariable}: its bearer token).`,
    );
  const addCommand = (name: string, description: string): Command =>
    addFormat(sessions.command(name))
      .description(description)
      .option('--admin <url>', 'its --admin-listen address', 'http://127.0.0.1:9090')
      .option('--issuer <issuer>', 'of this issuer (`iss`)')
      .option('--subject <subject>', 'of this person (`sub`)');
  addCommand('list', 'List the open sessions, the newest first.').action(
    async (_: unknown, command: Command) => {
      await listSessions(command.optsWithGlobals<SessionsFlags>(), io);
      done(exitCodes.clean);
    },
  );
  addCommand('end', 'End sessions on every replica, with their open connections.')
    .option('--session <hash>', 'one session, by the hash in the audit or the list')
    .option('--all', 'all sessions')
    .action(async (_: unknown, command: Command) => {
      await endSessions(command.optsWithGlobals<SessionsFlags>(), io);
      done(exitCodes.clean);
    });
}

async function listSessions(flags: SessionsFlags, io: CliIo): Promise<void> {
  const format = formatOf(flags);
  const { issuer, subject } = flags;
  const query = new URLSearchParams({
    ...omitUndefined({ issuer, subject }),
  });
  const { sessions } = (await requestAdmin(flags, `/admin/sessions?${query.toString()}`, io)) as {
    sessions: readonly ListedSession[];
  };
  const text =
    sessions.length === 0
      ? 'no open sessions\n'
      : table(
          sessions,
          [
            { title: 'session', cell: (each) => each.session, maxWidth: 43 },
            { title: 'subject', cell: (each) => each.subject },
            { title: 'name', cell: (each) => each.name, omissionOrder: 2 },
            { title: 'issuer', cell: (each) => each.issuer, omissionOrder: 1, maxWidth: 60 },
            { title: 'expires', cell: (each) => each.expiresAt, omissionOrder: 3 },
          ],
          terminalOutputOf(io.stdout, io.env),
        );
  printResult(format, { sessions }, text, io);
}

async function endSessions(flags: SessionsFlags, io: CliIo): Promise<void> {
  const format = formatOf(flags);
  const { issuer, subject, session, all } = flags;
  const selection = Object.fromEntries(
    Object.entries({ issuer, subject, session, all }).filter(([, value]) => value !== undefined),
  );
  // `--subject` alone ends the sessions of that `sub` at every issuer: a `sub` identifies one person
  // only together with its issuer
  if (Object.keys(selection).length === 0)
    throw new CastellanError(
      'CAS8001',
      'sessions end needs --subject (with --issuer), --issuer, --session or --all',
    );
  const { ended } = (await requestAdmin(flags, '/admin/sessions/end', io, selection)) as {
    ended: number;
  };
  printResult(format, { ended }, `ended ${ended} session${ended === 1 ? '' : 's'}\n`, io);
}

/**
 * Sends a request to the operators' port, a POST if there is a body, and parses the answer.
 *
 * @throws CAS6007 when the port can't be reached or refuses
 */
async function requestAdmin(
  { admin }: SessionsFlags,
  path: string,
  { env }: CliIo,
  body?: object,
): Promise<unknown> {
  if (!URL.canParse(path, admin))
    throw new CastellanError(
      'CAS6004',
      `--admin: "${admin}" is not a URL such as http://127.0.0.1:9090`,
    );
  const token = env[adminTokenVariable];
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const request = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  let response: Response;
  let text: string;
  try {
    response = await fetch(new URL(path, admin), {
      ...request,
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    text = await response.text();
  } catch (cause) {
    throw new CastellanError('CAS6007', `${admin} does not answer`, { cause });
  }
  const answer = tryParseJson(text);
  if (response.ok) {
    if (isObject(answer)) return answer;
    throw new CastellanError('CAS6007', `${admin} answers, but is no operators' port`);
  }
  const message =
    isObject(answer) && typeof answer['message'] === 'string' ? answer['message'] : text;
  throw new CastellanError('CAS6007', `${admin} answered ${response.status}: ${message.trim()}`);
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the caller reports it
  }
}
