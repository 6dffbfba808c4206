import { existsSync, readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { appLogFile, layerLogName } from '../hosting/app-log.js';
import { notFound, startServerSentEvents } from './replies.js';
import type { ConsoleContext } from './context.js';

/** A line of a log. */
export interface LogLine {
  /** ISO 8601. */
  readonly at: string;
  /** The app, or its sign-in layer. */
  readonly of: string;
  readonly text: string;
}

/** How much of the end of a log file is read, in characters; and how many lines are shown. */
const last = { characters: 400_000, lines: 500 };
/** How long before and after a request its lines are looked for, in milliseconds. */
const around = { before: 20, after: 150 };

/** Serves the traces of requests, and the logs of apps and their sign-in layers. */
export function registerTraces(
  scope: FastifyInstance,
  { traces, hosting, paths }: Pick<ConsoleContext, 'traces' | 'hosting' | 'paths'>,
): void {
  scope.get('/api/traces', () => traces.list());
  scope.get('/api/traces/:id', (request, reply) => {
    const { id } = request.params as { id: string };
    const trace = traces.find(id);
    if (trace === undefined)
      return notFound(
        reply,
        `No request "${id}" is kept: the sandbox keeps the latest ones since its start.`,
      );
    const { spans } = trace;
    const start = Math.min(...spans.map((span) => span.start)) - around.before;
    const end = Math.max(...spans.map((span) => span.end)) + around.after;
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
    return follow(names, { request, reply });
  });
  scope.get('/api/logs/:app/events', (request, reply) => {
    const { app: name } = request.params as { app: string };
    if (hosting.find(name) === undefined) return notFound(reply, `There is no app "${name}".`);
    return follow([name], { request, reply });
  });

  /** Sends the latest lines of apps, and then each line as it is written. */
  function follow(
    names: readonly string[],
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  ): FastifyReply {
    const events = startServerSentEvents(request, reply);
    const lines = inOrder(names.flatMap((name) => logsOf(paths.root, name)));
    events.send('lines', lines.slice(-last.lines));
    for (const name of names) {
      const stop = hosting.find(name)?.subscribeToLogs((line, of) => {
        for (const each of lineOf(line, of === 'app' ? name : layerOf(name)))
          events.send('line', each);
      });
      if (stop !== undefined) events.onClose(stop);
    }
    return reply;
  }
}

/** The writer of a sign-in layer's lines, as in traces. */
function layerOf(app: string): string {
  return `${app} sign-in`;
}

/** The latest lines of an app and of its sign-in layers, in their order. */
function logsOf(root: string, app: string): readonly LogLine[] {
  return inOrder([
    ...readLog(appLogFile(root, app), app),
    ...readLog(appLogFile(root, layerLogName(app)), layerOf(app)),
  ]);
}

function inOrder(lines: readonly LogLine[]): readonly LogLine[] {
  return lines.toSorted((a, b) => a.at.localeCompare(b.at));
}

function readLog(file: string, of: string): readonly LogLine[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .slice(-last.characters)
    .split('\n')
    .flatMap((line) => lineOf(line, of));
}

function lineOf(line: string, of: string): readonly LogLine[] {
  const [, at, text] = /^(\S+Z) \d+ (.*)$/.exec(line) ?? [];
  return at === undefined || text === undefined ? [] : [{ at, of, text: readable(text) }];
}

/** A line of JSON as words: `info GET / 200 id=h7Dq…`. */
function readable(text: string): string {
  if (!text.startsWith('{')) return text;
  try {
    const line = JSON.parse(text) as Record<string, unknown>;
    const { level, time: _time, name: _name, msg, method, path, status, ...fields } = line;
    const what = method === undefined ? [msg] : [msg === 'request' ? undefined : msg, method];
    const rest = Object.entries(fields).map(([key, value]) => `${key}=${String(value)}`);
    return [level, ...what, path, status, ...rest].filter((part) => part !== undefined).join(' ');
  } catch {
    return text;
  }
}
