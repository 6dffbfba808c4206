import { useEffect, useState } from 'preact/hooks';
import type { Snapshot } from '../snapshot.js';
import type { LogLine } from '../trace-routes.js';
import { pageAddress } from './router.js';
import { getJson } from './state.js';

/** How often the logs are read again, in milliseconds. */
const pause = 2_000;

/** What an app and its sign-in layers write, as they write it. */
export function LogsPage({
  name,
  snapshot: { apps },
  spans,
}: {
  name: string | undefined;
  snapshot: Snapshot;
  spans: number;
}) {
  const app = name ?? apps[0]?.name;
  const [lines, setLines] = useState<readonly LogLine[]>([]);
  const [search, setSearch] = useState('');
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (app === undefined) return undefined;
    const read = (): void => {
      getJson<readonly LogLine[]>(`api/logs/${encodeURIComponent(app)}`).then(
        (value) => {
          setLines(value);
          setProblem(undefined);
        },
        (reason: unknown) => setProblem(String(reason)),
      );
    };
    read();
    const timer = setInterval(read, pause);
    return () => clearInterval(timer);
  }, [app, spans]);
  const found = lines.filter(({ text }) => text.toLowerCase().includes(search.toLowerCase()));
  return (
    <>
      <h1>Logs</h1>
      {app === undefined && <p class="empty">No app is declared.</p>}
      <form class="row" onSubmit={(event) => event.preventDefault()}>
        <label>
          App
          <select
            value={app}
            onChange={({ currentTarget }) => {
              location.hash = pageAddress('logs', currentTarget.value);
            }}
          >
            {apps.map((each) => (
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
          {found.length} of {lines.length} lines
        </output>
      </form>
      {problem !== undefined && <p class="error">{problem}</p>}
      <LogLines lines={found.toReversed()} empty="Nothing was written yet." />
    </>
  );
}

/** Lines of logs, each with its time and its writer. */
export function LogLines({ lines, empty }: { lines: readonly LogLine[]; empty: string }) {
  if (lines.length === 0) return <p class="empty">{empty}</p>;
  return (
    <ol class="log">
      {lines.map(({ at, of, text }, index) => (
        <li key={`${at} ${index}`}>
          <time dateTime={at}>{at.slice(11, 23)}</time> <b>{of}</b> <span>{text}</span>
        </li>
      ))}
    </ol>
  );
}
