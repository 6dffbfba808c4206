import { useState } from 'preact/hooks';
import type { AppStatus } from '../../hosting/app-status.js';
import { describeCall } from '../call-description.js';
import type { ConsoleData } from '../console-data.js';
import {
  groupsLetIn,
  letsDirectoryIn,
  otherProviders,
  peopleLetIn,
  policyInWords,
} from './sign-in-policy.js';
import { pageAddress } from './router.js';
import { sendChange, type ConsoleState } from './state.js';
import { sortedByName, Code, Fact, Host, Missing, Table, Time } from './elements.js';

const verdictWords = { pass: 'yes', fail: 'no', unknown: '?' } as const;

/** Every app, whether it runs, and where it is. */
export function AppsPage({ groups, people, ...consoleData }: ConsoleData) {
  const apps = sortedByName(consoleData.apps);
  return (
    <>
      <h1>Apps</h1>
      <Table
        caption="Apps of this sandbox"
        empty="No app is declared."
        columns={['App', 'State', 'Replicas', 'Sign-in', 'Address']}
        numeric={['Replicas']}
        filterTexts={apps.map((app) => `${app.name} ${app.state}`)}
        rows={apps.map((app) => [
          <a href={pageAddress('container-apps', app.name)}>{app.name}</a>,
          <State app={app} />,
          app.replicas,
          policyInWords(app, { groups, people }),
          <Host url={app.url} />,
        ])}
      />
    </>
  );
}

/** One app: its status, who gets in, its latest requests, and the actions on it. */
export function AppPage({
  name,
  state: { consoleData, calls, refresh },
}: {
  name: string;
  state: ConsoleState;
}) {
  const [result, setResult] = useState<string>();
  const app = consoleData?.apps.find((each) => each.name === name);
  if (consoleData === undefined || app === undefined) {
    const linkToAll = <a href="#/container-apps">All apps</a>;
    return <Missing name={name} reason="The sandbox runs no such app." all={linkToAll} />;
  }
  const restart = async (): Promise<void> => {
    setResult('restarting…');
    setResult((await sendChange(`api/apps/${encodeURIComponent(name)}/restart`)) ?? 'restarted');
    refresh();
  };
  const appCalls = calls
    .filter(({ path }) => path.toLowerCase().includes(`/containerapps/${name.toLowerCase()}`))
    .toReversed();
  return (
    <>
      <p class="crumb">
        <a href="#/container-apps">Apps</a>
      </p>
      <h1>{name}</h1>
      <p class="lead">{policyInWords(app, consoleData)}</p>
      <p class="actions">
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
        <a class="button quiet" href={pageAddress('simulator', name)}>
          Who gets in
        </a>
        <a class="button quiet" href={pageAddress('logs', name)}>
          Logs
        </a>
        <button type="button" class="quiet" onClick={() => void restart()}>
          Restart
        </button>
        <span role="status">{result}</span>
      </p>
      <dl>
        <Fact name="State">
          <State app={app} />
        </Fact>
        <Fact name="Runs">{`${app.runs}, ${app.replicas} ${app.replicas === 1 ? 'replica' : 'replicas'}`}</Fact>
        <Fact name="Address">{app.url && <a href={app.url}>{app.url}</a>}</Fact>
        <Fact name="Note">{app.detail}</Fact>
      </dl>
      <WhoGetsIn app={app} consoleData={consoleData} />
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
          <details>
            <summary>As JSON</summary>
            <Code text={JSON.stringify(app.authSetting, undefined, 2)} />
          </details>
        </>
      )}
      <h2>Latest calls about this app</h2>
      <Table
        caption={`Calls about ${name}`}
        empty="None since the sandbox started."
        columns={['Time', 'Call', 'Status']}
        rowHeader="Call"
        dense
        rows={appCalls
          .slice(0, 20)
          .map((call) => [
            <Time at={call.at} />,
            <a href={pageAddress('activity', String(call.id))}>{describeCall(call)}</a>,
            call.status,
          ])}
      />
    </>
  );
}

/** Who an app lets in: the people of its groups, those that it names, and anyone elsewhere. */
function WhoGetsIn({
  app,
  consoleData,
}: {
  app: ConsoleData['apps'][number];
  consoleData: ConsoleData;
}) {
  if (!app.auth) return null;
  const namedPeople = peopleLetIn(app, consoleData.people);
  return (
    <>
      <h2>Who gets in</h2>
      <Table
        caption={`Who gets into ${app.name}`}
        empty="Nobody: no provider is declared."
        columns={['By', 'Who']}
        rows={[
          ...sortedByName(groupsLetIn(app, consoleData.groups)).map(({ id, name, members }) => [
            <a href={pageAddress('groups', id)}>{name}</a>,
            <Members app={app.name} members={sortedByName(members)} />,
          ]),
          ...(namedPeople.length === 0
            ? []
            : [['name', <Members app={app.name} members={sortedByName(namedPeople)} />]]),
          ...(letsDirectoryIn(app) ? [['the directory', <b>everybody who can sign in</b>]] : []),
          ...otherProviders(app).map((provider) => [
            provider,
            <b class="caution">anyone with an account there</b>,
          ]),
        ]}
      />
    </>
  );
}

function Members({
  app,
  members,
}: {
  app: string;
  members: readonly { readonly id: string; readonly name: string }[];
}) {
  if (members.length === 0) return <>nobody</>;
  return (
    <ul class="inline">
      {members.map(({ id, name }) => (
        <li key={id}>
          <a href={pageAddress('simulator', app, { person: id })}>{name}</a>
        </li>
      ))}
    </ul>
  );
}

/** Why people were refused, the latest first. */
function Refusals({ app }: { app: ConsoleData['apps'][number] }) {
  if (app.refusals.length === 0) return null;
  return (
    <>
      <h2>Sign-ins that were refused</h2>
      <ol class="calls">
        {app.refusals.toReversed().map(({ at, person, personId, chain }) => (
          <li key={`${at} ${person}`}>
            <details>
              <summary>
                <Time at={at} /> <b>{person}</b>
              </summary>
              <Table
                caption={`Why ${person} is not let in`}
                empty=""
                columns={['', 'Link', 'Name', 'Value']}
                rows={chain.map(({ verdict, kind, name: link, value }) => [
                  verdictWords[verdict],
                  kind,
                  link,
                  value,
                ])}
              />
              <p>
                <a href={pageAddress('simulator', app.name, { person: personId })}>
                  Ask the simulator
                </a>
              </p>
            </details>
          </li>
        ))}
      </ol>
    </>
  );
}

/** The requests to the app, the latest first, with their headers. */
function Requests({ app }: { app: ConsoleData['apps'][number] }) {
  return (
    <ol class="calls">
      {app.requests.toReversed().map(({ at, method, path, headers }) => (
        <li key={`${at} ${path}`}>
          <details>
            <summary>
              <Time at={at} /> <b>{method}</b> <span class="path">{path}</span>{' '}
              <span class="note">{signedInText(headers)}</span>
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
function signedInText(headers: readonly (readonly [string, string])[]): string {
  const name = headers.find(([header]) => /^x-(svc|ms)-client-principal-name$/i.test(header))?.[1];
  return name === undefined ? 'not signed in' : `signed in as ${name}`;
}

function State({ app }: { app: AppStatus }) {
  return <span class={`state ${app.state}`}>{app.state}</span>;
}
