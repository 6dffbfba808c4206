import { useState } from 'preact/hooks';
import type { AppStatus } from '../../hosting/app-status.js';
import type { Snapshot } from '../snapshot.js';
import { act, type ConsoleState } from './state.js';
import { Code, Fact, Missing, Table } from './table.js';

const marks = { pass: 'yes', fail: 'no', unknown: '?' } as const;

/** Every app, whether it runs, and where it is. */
export function AppsPage({ apps }: Snapshot) {
  return (
    <>
      <h1>Apps</h1>
      <Table
        caption="Apps of this sandbox"
        empty="No app is declared."
        columns={['App', 'State', 'Replicas', 'Sign-in', 'Address']}
        rows={apps.map((app) => [
          <a href={`#/container-apps/${encodeURIComponent(app.name)}`}>{app.name}</a>,
          <State app={app} />,
          app.replicas,
          app.auth ? 'required or offered' : 'none',
          app.url === undefined ? 'no ingress' : <a href={app.url}>{app.url}</a>,
        ])}
      />
    </>
  );
}

/** One app: what runs, its latest requests, and what one can do with it. */
export function AppPage({
  name,
  state: { snapshot, calls, refresh },
}: {
  name: string;
  state: ConsoleState;
}) {
  const [result, setResult] = useState<string>();
  const app = snapshot?.apps.find((each) => each.name === name);
  if (app === undefined) {
    const all = <a href="#/container-apps">All apps</a>;
    return <Missing name={name} reason="This app is declared but not in the sandbox." all={all} />;
  }
  const restart = async (): Promise<void> => {
    setResult('restarting…');
    setResult((await act(`api/apps/${encodeURIComponent(name)}/restart`)) ?? 'restarted');
    refresh();
  };
  const settings = calls
    .filter(({ path }) => path.toLowerCase().includes(`/containerapps/${name.toLowerCase()}`))
    .toReversed();
  return (
    <>
      <h1>{name}</h1>
      <dl>
        <Fact name="State">
          <State app={app} />
        </Fact>
        <Fact name="Runs">{`${app.runs}, ${app.replicas} ${app.replicas === 1 ? 'replica' : 'replicas'}`}</Fact>
        <Fact name="Sign-in">
          {app.auth ? 'behind the sign-in layer' : 'no sign-in layer: everyone gets in'}
        </Fact>
        <Fact name="Address">{app.url && <a href={app.url}>{app.url}</a>}</Fact>
        <Fact name="Note">{app.detail}</Fact>
      </dl>
      <p class="actions">
        <button type="button" onClick={() => void restart()}>
          Restart
        </button>
        {app.url !== undefined && app.auth && (
          <a
            class="button"
            href={`${app.url}.auth/login/directory`}
            target="_blank"
            rel="noreferrer"
          >
            Sign in as a person
          </a>
        )}
        <span role="status">{result}</span>
      </p>
      <Refusals app={app} />
      <h2>Requests that the app received</h2>
      {app.requests.length === 0 && (
        <p class="empty">
          {app.runs === 'page' ? 'None yet.' : 'The app itself keeps them: see castellan logs.'}
        </p>
      )}
      <Requests app={app} />
      {app.authSetting !== undefined && (
        <>
          <h2>Sign-in setting</h2>
          <Code text={JSON.stringify(app.authSetting, undefined, 2)} />
        </>
      )}
      <h2>Latest calls about this app</h2>
      <Table
        caption={`Calls about ${name}`}
        empty="None since the sandbox started."
        columns={['Time', 'Call', 'Status']}
        rows={settings
          .slice(0, 20)
          .map(({ id, at, method, path, status }) => [
            new Date(at).toLocaleTimeString(),
            <a
              href={`#/activity/${id}`}
            >{`${method} ${path.split('?')[0]?.split('/').slice(-3).join('/') ?? path}`}</a>,
            status,
          ])}
      />
    </>
  );
}

/** Why people were refused, the latest first. */
function Refusals({ app }: { app: Snapshot['apps'][number] }) {
  if (app.refusals.length === 0) return null;
  return (
    <>
      <h2>Sign-ins that were refused</h2>
      <ol class="calls">
        {app.refusals.toReversed().map(({ at, person, chain }) => (
          <li key={`${at} ${person}`}>
            <details>
              <summary>
                <time dateTime={at}>{new Date(at).toLocaleTimeString()}</time> <b>{person}</b>
              </summary>
              <Table
                caption={`Why ${person} is not let in`}
                empty=""
                columns={['', 'Link', 'Name', 'Value']}
                rows={chain.map(({ verdict, kind, name: link, value }) => [
                  marks[verdict],
                  kind,
                  link,
                  value,
                ])}
              />
            </details>
          </li>
        ))}
      </ol>
    </>
  );
}

/** The requests to the app, the latest first, with their headers. */
function Requests({ app }: { app: Snapshot['apps'][number] }) {
  return (
    <ol class="calls">
      {app.requests.toReversed().map(({ at, method, path, headers }) => (
        <li key={`${at} ${path}`}>
          <details>
            <summary>
              <time dateTime={at}>{new Date(at).toLocaleTimeString()}</time> <b>{method}</b>{' '}
              <span class="path">{path}</span> <span class="note">{personOf(headers)}</span>
            </summary>
            <dl>
              {headers.map(([header, value]) => (
                <Fact key={header} name={header}>
                  {value}
                </Fact>
              ))}
            </dl>
          </details>
        </li>
      ))}
    </ol>
  );
}

/** Who was signed in, by the header that the sign-in layer sets. */
function personOf(headers: readonly (readonly [string, string])[]): string {
  const name = headers.find(([header]) => /^x-(svc|ms)-client-principal-name$/i.test(header))?.[1];
  return name === undefined ? 'not signed in' : `signed in as ${name}`;
}

function State({ app }: { app: AppStatus }) {
  return <span class={`state ${app.state}`}>{app.state}</span>;
}
