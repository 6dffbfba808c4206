import { useEffect, useState } from 'preact/hooks';
import type { StoredSpan } from '../../tracing/stored-span.js';
import type { Trace, TraceSummary } from '../../tracing/trace-store.js';
import type { Snapshot } from '../console-data.js';
import type { LogLine } from '../trace-and-log-routes.js';
import { LogLines } from './logs-page.js';
import { pageAddress } from './router.js';
import { SearchField } from './search-field.js';
import { getJson } from './state.js';
import { momentOf } from './time-text.js';
import { Fact, Table, Time } from './elements.js';

/** The requests to apps, the latest first; each is a waterfall. */
export function TracesPage({ spans, people }: { spans: number; people: Snapshot['people'] }) {
  const [all, setAll] = useState<readonly TraceSummary[]>();
  const [search, setSearch] = useState('');
  const [onlyRefused, setOnlyRefused] = useState(false);
  useEffect(() => void getJson<readonly TraceSummary[]>('api/traces').then(setAll), [spans]);
  const words = search.toLowerCase();
  const isFiltered = words !== '' || onlyRefused;
  const nameOf = (id: string | undefined): string =>
    people.find((person) => person.id === id)?.name ?? '';
  const found = (all ?? [])
    .filter(({ status = 0 }) => !onlyRefused || status >= 400)
    .filter(({ part, name, id, requestId, app, personId }) =>
      words === ''
        ? part === 'ingress'
        : [name, id, requestId, part, app, nameOf(personId)]
            .join(' ')
            .toLowerCase()
            .includes(words),
    );
  return (
    <>
      <h1>Requests</h1>
      <p class="lead">
        What browsers and programs asked the apps for. Each request shows what the ingress, the
        sign-in layer, the identity provider and the app did, and when.
      </p>
      <form class="row" onSubmit={(event) => event.preventDefault()}>
        <SearchField
          label="Path, app, person, or number of a request"
          size={30}
          value={search}
          onInput={setSearch}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={onlyRefused}
            onChange={({ currentTarget }) => setOnlyRefused(currentTarget.checked)}
          />
          Only refused and failed
        </label>
      </form>
      <Table
        caption="Requests to apps"
        empty={
          all === undefined
            ? 'Reading…'
            : isFiltered
              ? 'No request fits.'
              : 'None yet: open an app.'
        }
        columns={['Time', 'App', 'Request', 'Person', 'Status', 'ms', 'Number']}
        main="Request"
        numeric={['ms']}
        dense
        rows={found
          .slice(0, 200)
          .map(({ id, start, part, app, name, requestId, personId, status, milliseconds }) => [
            <Time at={start} />,
            app ?? part,
            <a href={pageAddress('traces', id)}>{name}</a>,
            nameOf(personId),
            <Status status={status} />,
            milliseconds.toFixed(1),
            requestId === undefined ? '' : <code>{requestId}</code>,
          ])}
      />
    </>
  );
}

/** A status with its colour, and a word where it is a failure. */
export function Status({ status }: { status: number | undefined }) {
  if (status === undefined) return null;
  return <span class={status >= 400 ? 'status failed' : 'status'}>{status}</span>;
}

interface ShownTrace extends Trace {
  readonly lines: readonly LogLine[];
}

/** One request as a waterfall, with the other requests of its sign-in, and the logs beside it. */
export function TracePage({
  id,
  spans,
  snapshot,
}: {
  id: string;
  spans: number;
  snapshot: Snapshot;
}) {
  const [trace, setTrace] = useState<ShownTrace>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    getJson<ShownTrace>(`api/traces/${encodeURIComponent(id)}`).then(
      (value) => {
        setTrace(value);
        setProblem(undefined);
      },
      ({ message }: Error) => setProblem(message),
    );
  }, [id, spans]);
  if (trace === undefined)
    return (
      <>
        <h1>Request {id}</h1>
        <p class={problem === undefined ? 'loading' : 'empty'}>{problem ?? 'Reading…'}</p>
      </>
    );
  const own = trace.spans.filter(({ traceId }) => traceId === trace.id);
  const root = own.find(({ parentId }) => parentId === undefined) ?? own[0];
  return (
    <>
      <p class="crumb">
        <a href="#/traces">Requests</a>
      </p>
      <h1>{root?.name ?? id}</h1>
      <Decision spans={own} snapshot={snapshot} />
      <Waterfall trace={trace} />
      <h2>Logs</h2>
      <LogLines lines={trace.lines} empty="Neither the app nor its sign-in layer wrote anything." />
    </>
  );
}

/** What the sign-in layer decided, with the way to the reasons. */
function Decision({ spans, snapshot }: { spans: readonly StoredSpan[]; snapshot: Snapshot }) {
  const read = (name: string): string | undefined => {
    const span = spans.find(({ attributes }) => attributes[name] !== undefined);
    return span === undefined ? undefined : String(span.attributes[name]);
  };
  const person = read('castellan.person_id');
  const app = read('server.address');
  const known = snapshot.people.find(({ id }) => id === person);
  const target = snapshot.apps.find(({ name }) => name === app);
  const status = read('http.response.status_code');
  return (
    <>
      <dl>
        <Fact name="Status">
          {status === undefined ? undefined : <Status status={Number(status)} />}
        </Fact>
        <Fact name="App">
          {target && <a href={pageAddress('container-apps', target.name)}>{target.name}</a>}
        </Fact>
        <Fact name="Person">
          {known && <a href={pageAddress('people', known.id)}>{known.name}</a>}
        </Fact>
        <Fact name="Decision">{read('castellan.event')}</Fact>
        <Fact name="Reason">{read('castellan.reason')}</Fact>
        <Fact name="Rule">{read('castellan.rule')}</Fact>
        <Fact name="Time">{spans[0] && momentOf(spans[0].start)}</Fact>
        <Fact name="Number">
          <code>{read('castellan.request_id')}</code>
        </Fact>
        <Fact name="Trace">
          <code>{spans[0]?.traceId}</code>
        </Fact>
      </dl>
      {target !== undefined && (
        <p class="actions">
          <a
            class="button"
            href={pageAddress('simulator', target.name, { path: '/', person: known?.id })}
          >
            Why, in the simulator
          </a>
        </p>
      )}
    </>
  );
}

interface Row {
  readonly span: StoredSpan;
  readonly depth: number;
}

/** The spans by their requests, each below what asked for it. Idle time between them is cut. */
function Waterfall({ trace: { id, spans } }: { trace: Trace }) {
  const roots = spans.filter((span) => parentOf(span, spans) === undefined);
  const rows = roots.flatMap((root) => withChildren(root, spans, 0));
  const scale = scaleOf(spans);
  const isSignIn = new Set(spans.map(({ traceId }) => traceId)).size > 1;
  return (
    <>
      {isSignIn && (
        <p class="note">
          This request is part of a sign-in; its other requests are shown, too. Time in which
          nothing happened is cut out.
        </p>
      )}
      <ol class="waterfall" aria-label="What was done, in the order of time">
        {rows.map(({ span, depth }) => {
          const [left, right] = [scale(span.start), scale(span.end)];
          return (
            <li
              key={span.spanId}
              class={`${span.traceId === id ? 'own' : ''} ${isFailure(span) ? 'failed' : ''}`}
            >
              <span class="what" style={`padding-left:${depth * 0.9}rem`}>
                <b>{span.part}</b> <span title={span.name}>{shortName(span.name)}</span>{' '}
                <Status status={statusOf(span)} />
              </span>
              <span class="bar" aria-hidden="true">
                <i style={`left:${left}%;width:${Math.max(right - left, 0.4)}%`} />
              </span>
              <span class="time">{(span.end - span.start).toFixed(1)} ms</span>
            </li>
          );
        })}
      </ol>
    </>
  );
}

/** A request without the ids in its path, which say nothing to a person. */
function shortName(name: string): string {
  return name
    .replace(/\/[0-9a-f]{8}-[0-9a-f-]{27}(?=\/)/g, '')
    .replace(/\/[\w-]{30,}$/, '/…')
    .replace('/oauth2/v2.0', '');
}

function statusOf({ attributes }: StoredSpan): number | undefined {
  const status = attributes['http.response.status_code'];
  return typeof status === 'number' ? status : undefined;
}

function isFailure(span: StoredSpan): boolean {
  return span.failed || (statusOf(span) ?? 0) >= 400;
}

function parentOf({ parentId }: StoredSpan, spans: readonly StoredSpan[]): StoredSpan | undefined {
  return parentId === undefined ? undefined : spans.find(({ spanId }) => spanId === parentId);
}

function withChildren(
  span: StoredSpan,
  spans: readonly StoredSpan[],
  depth: number,
): readonly Row[] {
  const children = spans.filter(({ parentId }) => parentId === span.spanId);
  return [{ span, depth }, ...children.flatMap((each) => withChildren(each, spans, depth + 1))];
}

/** In milliseconds: longer idle times are cut to this. */
const longestIdle = 40;

/** Places a time between 0 and 100, idle times cut. */
function scaleOf(spans: readonly StoredSpan[]): (time: number) => number {
  const busy: [number, number][] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const before = busy.at(-1);
    if (before !== undefined && start <= before[1]) before[1] = Math.max(before[1], end);
    else busy.push([start, end]);
  }
  const places: { readonly from: number; readonly to: number; readonly at: number }[] = [];
  let at = 0;
  for (const [index, [from, to]] of busy.entries()) {
    const before = busy[index - 1];
    if (before !== undefined) at += Math.min(from - before[1], longestIdle);
    places.push({ from, to, at });
    at += to - from;
  }
  const total = at || 1;
  return (time) => {
    const place = places.findLast(({ from }) => from <= time) ?? { from: time, to: time, at: 0 };
    return (100 * (place.at + Math.min(time, place.to) - place.from)) / total;
  };
}
