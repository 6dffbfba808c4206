import { useState } from 'preact/hooks';
import type { ServiceCall } from '../activity.js';
import { type CallKind, callKind, describeCall, abbreviatePath } from '../call-description.js';
import type { ConsoleData } from '../console-data.js';
import { pageAddress } from './router.js';
import { SearchField } from './search-field.js';
import { momentOf } from './time-text.js';
import { Code, Fact, Table, Time } from './elements.js';
import { Status } from './traces-page.js';

const kinds: readonly (readonly [CallKind | 'all', string])[] = [
  ['change', 'Changes'],
  ['read', 'Reads'],
  ['sign-in', 'Sign-in'],
  ['all', 'Everything'],
];
/** How many calls the page shows. */
const maxCalls = 200;

/** The calls of services, the latest first: changes apart from what only reads or signs in. */
export function ActivityPage({
  calls,
  consoleData,
  name,
  query,
}: {
  calls: readonly ServiceCall[];
  consoleData: ConsoleData;
  name: string | undefined;
  query: Readonly<Record<string, string>>;
}) {
  const [search, setSearch] = useState(query['search'] ?? '');
  const nameOf = namesOf(consoleData);
  const call = name === undefined ? undefined : calls.find(({ id }) => String(id) === name);
  if (name !== undefined)
    return <CallPage id={name} call={call} nameOf={nameOf} haveCallsArrived={calls.length > 0} />;
  const kind = query['kind'] ?? 'change';
  const searchTerm = search.toLowerCase();
  const matchingCalls = calls
    .filter(
      (each) =>
        (searchTerm !== '' || kind === 'all' || callKind(each.method, each.path) === kind) &&
        searchableText(each, nameOf).includes(searchTerm),
    )
    .toReversed();
  return (
    <>
      <h1>Activity</h1>
      <form class="row" onSubmit={(event) => event.preventDefault()}>
        <ul class="tabs">
          {kinds.map(([each, label]) => (
            <li key={each}>
              <a
                href={pageAddress('activity', undefined, { kind: each })}
                aria-current={each === kind ? 'true' : undefined}
              >
                {label}{' '}
                <span class="note">
                  {each === 'all'
                    ? calls.length
                    : calls.filter(({ method, path }) => callKind(method, path) === each).length}
                </span>
              </a>
            </li>
          ))}
        </ul>
        <SearchField
          label="Search in everything: paths, bodies, request ids"
          size={34}
          value={search}
          onInput={setSearch}
        />
      </form>
      <Calls calls={matchingCalls.slice(0, maxCalls)} nameOf={nameOf} />
      {matchingCalls.length > maxCalls && (
        <p class="note">
          {matchingCalls.length - maxCalls} earlier ones are not shown: search to find one of them.
        </p>
      )}
    </>
  );
}

type NameOf = (id: string) => string | undefined;

/** A list of calls as a table. */
export function Calls({ calls, nameOf }: { calls: readonly ServiceCall[]; nameOf: NameOf }) {
  return (
    <Table
      caption="Calls, the latest first"
      empty="No call matches."
      columns={['Time', 'Method', 'Meaning', 'Status', 'ms']}
      rowHeader="Meaning"
      numeric={['ms']}
      dense
      rows={calls.map((call) => [
        <Time at={call.at} />,
        <code>{call.method}</code>,
        <>
          <a href={pageAddress('activity', String(call.id))}>{describeCall(call, nameOf)}</a>
          <span class="path note" title={call.path}>
            {abbreviatePath(call.path)}
          </span>
        </>,
        <Status status={call.status} />,
        call.milliseconds,
      ])}
    />
  );
}

function CallPage({
  id,
  call,
  nameOf,
  haveCallsArrived,
}: {
  id: string;
  call: ServiceCall | undefined;
  nameOf: NameOf;
  /** Whether the calls have arrived. */
  haveCallsArrived: boolean;
}) {
  const allCallsLink = <a href="#/activity">All calls</a>;
  if (call === undefined)
    return (
      <>
        <h1>Call {id}</h1>
        {haveCallsArrived ? (
          <p class="empty">This call is no longer kept. {allCallsLink}</p>
        ) : (
          <p class="loading">Reading…</p>
        )}
      </>
    );
  return (
    <>
      <p class="crumb">{allCallsLink}</p>
      <h1>{describeCall(call, nameOf)}</h1>
      <dl>
        <Fact name="Call">
          <code>
            {call.method} {call.path}
          </code>
        </Fact>
        <Fact name="Status">
          <Status status={call.status} />
        </Fact>
        <Fact name="Service">{call.service}</Fact>
        <Fact name="Time">{`${momentOf(call.at)}, ${call.milliseconds} ms`}</Fact>
        <Fact name="Request id">{call.requestId && <code>{call.requestId}</code>}</Fact>
        <Fact name="Trace">
          {call.traceId && <a href={pageAddress('traces', call.traceId)}>as a waterfall</a>}
        </Fact>
      </dl>
      <Body title="Request" text={call.request} />
      <Body title="Response" text={call.response} />
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

/** A function that returns the name of an object by its id. */
export function namesOf({ groups, people, items, registrations }: ConsoleData): NameOf {
  const names = new Map([
    ...[...groups, ...people, ...items, ...registrations].map(
      ({ id, name }) => [id, name] as const,
    ),
    ...items.map(({ workspaceId, workspace }) => [workspaceId, workspace] as const),
  ]);
  return (id) => names.get(id);
}

/** The text of a call in which a search looks, in lower case. */
function searchableText(call: ServiceCall, nameOf: NameOf): string {
  const { method, path, status, request, response, requestId, traceId } = call;
  return [describeCall(call, nameOf), method, path, status, request, response, requestId, traceId]
    .join(' ')
    .toLowerCase();
}
