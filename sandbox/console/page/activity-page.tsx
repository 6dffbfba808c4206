import { useState } from 'preact/hooks';
import type { Activity } from '../activity.js';
import { Code } from './table.js';

/** Every call of a service, the latest first, with its bodies. Secrets arrive masked. */
export function ActivityPage({ calls }: { calls: readonly Activity[] }) {
  const [search, setSearch] = useState('');
  const [changesOnly, setChangesOnly] = useState(false);
  const chosen = calls.filter(
    ({ method, path, status }) =>
      (!changesOnly || method !== 'GET') &&
      `${method} ${path} ${String(status)}`.toLowerCase().includes(search.toLowerCase()),
  );
  return (
    <>
      <h1>Activity</h1>
      <form class="row" onSubmit={(event) => event.preventDefault()}>
        <label>
          Search
          <input
            type="search"
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={changesOnly}
            onChange={(event) => setChangesOnly(event.currentTarget.checked)}
          />
          changes only
        </label>
        <output>
          {chosen.length} of {calls.length} calls
        </output>
      </form>
      <ol class="calls">
        {chosen.toReversed().map((call) => (
          <li key={call.id}>
            <details>
              <summary>
                <time dateTime={call.at}>{new Date(call.at).toLocaleTimeString()}</time>{' '}
                <b>{call.method}</b>{' '}
                <span class={call.status >= 400 ? 'status failed' : 'status'}>{call.status}</span>{' '}
                <span class="path">{call.path}</span>{' '}
                <span class="note">{call.milliseconds} ms</span>
              </summary>
              <Body title="Request" text={call.request} />
              <Body title="Response" text={call.response} />
            </details>
          </li>
        ))}
      </ol>
    </>
  );
}

function Body({ title, text }: { title: string; text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <>
      <h2>{title}</h2>
      <Code text={text} />
    </>
  );
}
