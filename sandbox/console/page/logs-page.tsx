import { useEffect, useState } from 'preact/hooks';
import type { Snapshot } from '../snapshot.js';
import type { LogLine } from '../trace-routes.js';
import { pageAddress } from './router.js';
import { byName } from './table.js';

/** How many lines the page keeps. */
const most = 500;

/** What an app and its sign-in layers write, as they write it. */
export function LogsPage({
  name,
  snapshot: { apps },
}: {
  name: string | undefined;
  snapshot: Snapshot;
}) {
  const sorted = byName(apps);
  const app = name ?? sorted[0]?.name;
  const state = apps.find((each) => each.name === app)?.state;
  const [lines, setLines] = useState<readonly LogLine[]>([]);
  const [live, setLive] = useState(false);
  const [search, setSearch] = useState('');
  useEffect(() => {
    setLines([]);
    if (app === undefined || state === undefined) return undefined;
    const events = new EventSource(`api/logs/${encodeURIComponent(app)}/events`);
    events.addEventListener('error', () => setLive(false));
    events.addEventListener('lines', ({ data }) => {
      setLive(true);
      setLines(JSON.parse(data as string) as readonly LogLine[]);
    });
    events.addEventListener('line', ({ data }) => {
      const line = JSON.parse(data as string) as LogLine;
      setLines((known) => [...known, line].slice(-most));
    });
    return () => events.close();
  }, [app, state]);
  if (app === undefined || state === undefined)
    return (
      <>
        <h1>Logs</h1>
        <p class="empty">
          {app === undefined ? 'No app is declared.' : `There is no app "${app}". `}
          {app !== undefined && <a href="#/container-apps">All apps</a>}
        </p>
      </>
    );
  const found = lines.filter(({ text }) => text.toLowerCase().includes(search.toLowerCase()));
  return (
    <>
      <h1>Logs</h1>
      <form class="row" onSubmit={(event) => event.preventDefault()}>
        <label>
          App
          <select
            value={app}
            onChange={({ currentTarget }) => {
              location.hash = pageAddress('logs', currentTarget.value);
            }}
          >
            {sorted.map((each) => (
              <option key={each.name}>{each.name}</option>
            ))}
          </select>
        </label>
        <label>
          Search
          <input
            type="search"
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />
        </label>
        <output>
          {found.length} of {lines.length} lines, {live ? 'live' : 'connecting'}
        </output>
      </form>
      <LogLines lines={latestFirst(found)} empty="Nothing was written yet." />
    </>
  );
}

/** The latest first; what was written at one time stays in its order. */
function latestFirst(lines: readonly LogLine[]): readonly LogLine[] {
  return lines.toSorted((a, b) => b.at.localeCompare(a.at));
}

/** Lines of logs, each with its time and its writer. */
export function LogLines({ lines, empty }: { lines: readonly LogLine[]; empty: string }) {
  if (lines.length === 0) return <p class="empty">{empty}</p>;
  return (
    <ol class="log">
      {lines.map(({ at, of, text }, index) => (
        <li key={`${at} ${index}`} class={/^(warn|error|fatal)\b/.exec(text)?.[1] ?? ''}>
          <time dateTime={at}>{at.slice(11, 23)}</time> <b>{of}</b> <LogText text={text} />
        </li>
      ))}
    </ol>
  );
}

/** A line; the number of its request leads to the trace. */
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
