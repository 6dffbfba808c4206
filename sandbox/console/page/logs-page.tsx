import { useEffect, useState } from 'preact/hooks';
import type { ConsoleData } from '../console-data.js';
import type { LogLine } from '../trace-and-log-routes.js';
import { latestFirst } from './log-order.js';
import { pageAddress } from './router.js';
import { SearchField } from './search-field.js';
import { sortedByName } from './elements.js';

/** How many lines the page keeps. */
const maxLines = 500;

/** The lines of an app and its sign-in layers, or of all apps, as they are written. */
export function LogsPage({
  name,
  consoleData: { apps },
}: {
  name: string | undefined;
  consoleData: ConsoleData;
}) {
  const sorted = sortedByName(apps);
  const isKnown = name === undefined || apps.some((each) => each.name === name);
  const states = apps.map((app) => `${app.name} ${app.state}`).join();
  const [lines, setLines] = useState<readonly LogLine[]>([]);
  const [isLive, setLive] = useState(false);
  const [search, setSearch] = useState('');
  useEffect(() => {
    setLines([]);
    if (!isKnown) return undefined;
    const events = new EventSource(
      name === undefined ? 'api/logs/events' : `api/logs/${encodeURIComponent(name)}/events`,
    );
    events.addEventListener('error', () => setLive(false));
    events.addEventListener('lines', ({ data }) => {
      setLive(true);
      setLines(JSON.parse(data as string) as readonly LogLine[]);
    });
    events.addEventListener('line', ({ data }) => {
      const line = JSON.parse(data as string) as LogLine;
      setLines((previous) => [...previous, line].slice(-maxLines));
    });
    return () => events.close();
  }, [name, isKnown, states]);
  if (!isKnown || apps.length === 0)
    return (
      <>
        <h1>Logs</h1>
        <p class="empty">
          {isKnown ? 'No app is declared.' : `There is no app "${name}". `}
          {!isKnown && <a href="#/container-apps">All apps</a>}
        </p>
      </>
    );
  const searchTerm = search.toLowerCase();
  const matches = lines.filter(({ writer, text }) =>
    `${writer} ${text}`.toLowerCase().includes(searchTerm),
  );
  return (
    <>
      <h1>Logs</h1>
      <form class="row" onSubmit={(event) => event.preventDefault()}>
        <label>
          App
          <select
            value={name ?? ''}
            onChange={({ currentTarget: { value } }) => {
              location.hash = value === '' ? '#/logs' : pageAddress('logs', value);
            }}
          >
            <option value="">all apps</option>
            {sorted.map((each) => (
              <option key={each.name}>{each.name}</option>
            ))}
          </select>
        </label>
        <SearchField label="Search" size={30} value={search} onInput={setSearch} />
        <output class="note">
          {matches.length} of {lines.length} lines, {isLive ? 'live' : 'connecting'}
        </output>
      </form>
      <LogLines lines={latestFirst(matches)} empty="Nothing was written yet." />
    </>
  );
}

/** Lines of logs, each with its time and the app or layer that wrote it. */
export function LogLines({ lines, empty }: { lines: readonly LogLine[]; empty: string }) {
  if (lines.length === 0) return <p class="empty">{empty}</p>;
  return (
    <ol class="log">
      {lines.map(({ at, writer, text }, index) => (
        <li key={`${at} ${index}`} class={/^(warn|error|fatal)\b/.exec(text)?.[1] ?? ''}>
          <time dateTime={at}>{at.slice(11, 23)}</time> <b>{writer}</b> <LogText text={text} />
        </li>
      ))}
    </ol>
  );
}

/** A line; its request id is a link to the trace. */
function LogText({ text }: { text: string }) {
  const [, before, id, after] = /^(.* id=)([\w-]+)(.*)$/.exec(text) ?? [];
  if (id === undefined) return <span>{text}</span>;
  return (
    <span>
      {before}
      <a href={pageAddress('traces', id)}>{id}</a>
      {after}
    </span>
  );
}
