import { useEffect, useState } from 'preact/hooks';
import type { StoredSpan } from '../../tracing/stored-span.js';
import type { Trace, TraceSummary } from '../../tracing/trace-store.js';
import type { ConsoleData } from '../console-data.js';
import type { LogLine } from '../trace-and-log-routes.js';
import { LogLines } from './logs-page.js';
import { pageAddress } from './router.js';
import { SearchField } from './search-field.js';
import { getJson } from './state.js';
import { momentOf } from './time-text.js';
import { Fact, Table, Time } from './elements.js';

/** The requests to apps, the latest first; each is a waterfall. */
export function TracesPage({
  spanUpdates,
  people,
}: {
  spanUpdates: number;
  people: ConsoleData['people'];
}) {
  const [traces, setTraces] = useState<readonly TraceSummary[]>();
  const [search, setSearch] = useState('');
  const [onlyRefused, setOnlyRefused] = useState(false);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    getJson<readonly TraceSummary[]>('api/traces').then(setTraces, ({ message }: Error) =>
      setProblem(message),
    );
  }, [spanUpdates]);
  const searchTerm = search.toLowerCase();
  const isFiltered = searchTerm !== '' || onlyRefused;
  const nameOf = (id: string | undefined): string =>
    people.find((person) => person.id === id)?.name ?? '';
  const matches = (traces ?? [])
    .filter(({ status = 0 }) => !onlyRefused || status >= 400)
    .filter(({ part, name, id, requestId, app, personId }) =>
      searchTerm === ''
        ? part === 'ingress'
        : [name, id, requestId, part, app, nameOf(personId)]
            .join(' ')
            .toLowerCase()
            .includes(searchTerm),
    );
  return (
    <>
      <h1>Requests</h1>
      <p class="lead">
        The requests of browsers and programs to the apps. Each one shows what the ingress, the
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
          traces === undefined
            ? (problem ?? 'Reading…')
            : isFiltered
              ? 'No request matches.'
              : 'None yet: open an app.'
        }
        columns={['Time', 'App', 'Request', 'Person', 'Status', 'ms', 'Number']}
        rowHeader="Request"
        numeric={['ms']}
        dense
        rows={matches
          .slice(0, maxTraces)
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

/** A status code, in another colour if it is an error. */
export function Status({ status }: { status: number | undefined }) {
  if (status === undefined) return null;
  return <span class={status >= 400 ? 'status failed' : 'status'}>{status}</span>;
}

/** A trace with the lines of logs of its time. */
interface TraceWithLogs extends Trace {
  readonly lines: readonly LogLine[];
}

/** One request as a waterfall, with the other requests of its sign-in, and the logs beside it. */
export function TracePage({
  id,
  spanUpdates,
  consoleData,
}: {
  id: string;
  spanUpdates: number;
  consoleData: ConsoleData;
}) {
  const [trace, setTrace] = useState<TraceWithLogs>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    getJson<TraceWithLogs>(`api/traces/${encodeURIComponent(id)}`).then(
      (value) => {
        setTrace(value);
        setProblem(undefined);
      },
      ({ message }: Error) => setProblem(message),
    );
  }, [id, spanUpdates]);
  if (trace === undefined)
    return (
      <>
        <h1>Request {id}</h1>
        <p class={problem === undefined ? 'loading' : 'empty'}>{problem ?? 'Reading…'}</p>
      </>
    );
  const ownSpans = trace.spans.filter(({ traceId }) => traceId === trace.id);
  const root = ownSpans.find(({ parentId }) => parentId === undefined) ?? ownSpans[0];
  return (
    <>
      <p class="crumb">
        <a href="#/traces">Requests</a>
      </p>
      <h1>{root?.name ?? id}</h1>
      <Decision spans={ownSpans} consoleData={consoleData} />
      <Waterfall trace={trace} />
      <h2>Logs</h2>
      <LogLines lines={trace.lines} empty="Neither the app nor its sign-in layer wrote anything." />
    </>
  );
}

/** The decision of the sign-in layer, with a link to the reasons. */
function Decision({
  spans,
  consoleData,
}: {
  spans: readonly StoredSpan[];
  consoleData: ConsoleData;
}) {
  const attribute = (name: string): string | undefined => {
    const span = spans.find(({ attributes }) => attributes[name] !== undefined);
    return span === undefined ? undefined : String(span.attributes[name]);
  };
  const personId = attribute('castellan.person_id');
  const appName = attribute('server.address');
  const person = consoleData.people.find(({ id }) => id === personId);
  const app = consoleData.apps.find(({ name }) => name === appName);
  const status = attribute('http.response.status_code');
  return (
    <>
      <dl>
        <Fact name="Status">
          {status === undefined ? undefined : <Status status={Number(status)} />}
        </Fact>
        <Fact name="App">
          {app && <a href={pageAddress('container-apps', app.name)}>{app.name}</a>}
        </Fact>
        <Fact name="Person">
          {person && <a href={pageAddress('people', person.id)}>{person.name}</a>}
        </Fact>
        <Fact name="Decision">{attribute('castellan.event')}</Fact>
        <Fact name="Reason">{attribute('castellan.reason')}</Fact>
        <Fact name="Rule">{attribute('castellan.rule')}</Fact>
        <Fact name="Time">{spans[0] && momentOf(spans[0].start)}</Fact>
        <Fact name="Number">
          <code>{attribute('castellan.request_id')}</code>
        </Fact>
        <Fact name="Trace">
          <code>{spans[0]?.traceId}</code>
        </Fact>
      </dl>
      {app !== undefined && (
        <p class="actions">
          <a
            class="button"
            href={pageAddress('simulator', app.name, { path: '/', person: person?.id })}
          >
            Why, in the simulator
          </a>
        </p>
      )}
    </>
  );
}

/** How many requests the list shows. */
const maxTraces = 200;

interface Row {
  readonly span: StoredSpan;
  /** In how many other spans it is nested, for its indentation. */
  readonly depth: number;
}

/** The spans as bars over time, each below its parent. Idle time between them is shortened. */
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

/** The name of a span without ids in its path, for a narrow column. */
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

/** Longer idle times are shortened to this. */
const maxIdleMs = 40;

/** A function that maps a time to a place from 0 to 100, with idle times shortened. */
function scaleOf(spans: readonly StoredSpan[]): (time: number) => number {
  const busyTimes: { readonly start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const previous = busyTimes.at(-1);
    if (previous !== undefined && start <= previous.end) previous.end = Math.max(previous.end, end);
    else busyTimes.push({ start, end });
  }
  const sections: { readonly start: number; readonly end: number; readonly offset: number }[] = [];
  let offset = 0;
  for (const [index, { start, end }] of busyTimes.entries()) {
    const previous = busyTimes[index - 1];
    if (previous !== undefined) offset += Math.min(start - previous.end, maxIdleMs);
    sections.push({ start, end, offset });
    offset += end - start;
  }
  const total = offset || 1;
  return (time) => {
    const section = sections.findLast(({ start }) => start <= time);
    if (section === undefined) return 0;
    return (100 * (section.offset + Math.min(time, section.end) - section.start)) / total;
  };
}
