import { existsSync, readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { appLogFile, layerLogName } from '../hosting/app-log.js';
import { sendNotFound, startServerSentEvents } from './replies.js';
import type { ConsoleContext } from './context.js';

/** A line of a log. */
export interface LogLine {
  /** ISO 8601. */
  readonly at: string;
  /** The name of the app, or of its sign-in layer, that wrote it. */
  readonly writer: string;
  readonly text: string;
}

/** How much of the end of a log file is read, and how many of its lines are sent. */
const tail = { characters: 400_000, lines: 500 };
/** How long before and after a request the lines of its logs may have been written. */
const marginMs = { before: 20, after: 150 };

/** Adds the routes of the traces of requests, and of the logs of apps and their sign-in layers. */
export function registerTraceAndLogRoutes(
  scope: FastifyInstance,
  { traces, hosting, paths }: Pick<ConsoleContext, 'traces' | 'hosting' | 'paths'>,
): void {
  scope.get('/api/traces', () => traces.list());
  scope.get('/api/traces/:id', (request, reply) => {
    const { id } = request.params as { id: string };
    const trace = traces.find(id);
    if (trace === undefined)
      return sendNotFound(
        reply,
        `No request "${id}" is kept: the sandbox keeps the latest ones since its start.`,
      );
    const { spans } = trace;
    const start = Math.min(...spans.map((span) => span.start)) - marginMs.before;
    const end = Math.max(...spans.map((span) => span.end)) + marginMs.after;
    const apps = new Set(spans.map(({ attributes }) => String(attributes['server.address'] ?? '')));
    const lines = hosting
      .statuses()
      .filter(({ name }) => apps.has(name))
      .flatMap(({ name }) => logsOf(paths.root, name))
      .filter(({ at }) => Date.parse(at) >= start && Date.parse(at) <= end);
    return { ...trace, lines };
  });
  scope.get('/api/logs/events', (request, reply) => {
    const names = hosting.statuses().map(({ name }) => name);
    return streamLines(names, { request, reply });
  });
  scope.get('/api/logs/:app/events', (request, reply) => {
    const { app: name } = request.params as { app: string };
    if (hosting.find(name) === undefined) return sendNotFound(reply, `There is no app "${name}".`);
    return streamLines([name], { request, reply });
  });

  /** Sends the latest lines of apps, and then each line as it is written. */
  function streamLines(
    names: readonly string[],
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  ): FastifyReply {
    const events = startServerSentEvents(request, reply);
    const lines = sortedByTime(names.flatMap((name) => logsOf(paths.root, name)));
    events.send('lines', lines.slice(-tail.lines));
    for (const name of names) {
      const stop = hosting.find(name)?.subscribeToLogs((line, source) => {
        const parsed = parseLine(line, source === 'app' ? name : layerName(name));
        if (parsed !== undefined) events.send('line', parsed);
      });
      if (stop !== undefined) events.onClose(stop);
    }
    return reply;
  }
}

/** The name of an app's sign-in layer, as in traces. */
function layerName(app: string): string {
  return `${app} sign-in`;
}

/** The latest lines of an app and of its sign-in layers, in their order. */
function logsOf(root: string, app: string): readonly LogLine[] {
  return sortedByTime([
    ...readLog(appLogFile(root, app), app),
    ...readLog(appLogFile(root, layerLogName(app)), layerName(app)),
  ]);
}

function sortedByTime(lines: readonly LogLine[]): readonly LogLine[] {
  return lines.toSorted((a, b) => a.at.localeCompare(b.at));
}

function readLog(file: string, writer: string): readonly LogLine[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .slice(-tail.characters)
    .split('\n')
    .flatMap((line) => parseLine(line, writer) ?? []);
}

/** Parses a line of a log file, which `AppLog` writes; undefined for part of a line. */
function parseLine(line: string, writer: string): LogLine | undefined {
  const [, at, text] = /^(\S+Z) \d+ (.*)$/.exec(line) ?? [];
  return at === undefined || text === undefined
    ? undefined
    : { at, writer, text: readableText(text) };
}

/** A line of JSON as words: `info GET / 200 id=h7Dq…`. */
function readableText(text: string): string {
  if (!text.startsWith('{')) return text;
  try {
    const line = JSON.parse(text) as Record<string, unknown>;
    const { level, time: _time, name: _name, msg, method, path, status, ...fields } = line;
    // of an access log, the method tells what the message `request` does
    const message = method !== undefined && msg === 'request' ? undefined : msg;
    const rest = Object.entries(fields).map(([key, value]) => `${key}=${String(value)}`);
    return [level, message, method, path, status, ...rest]
      .filter((part) => part !== undefined)
      .join(' ');
  } catch {
    return text;
  }
}
