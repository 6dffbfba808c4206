import { useState } from 'preact/hooks';
import { neutralProvider } from '../../../core/dialect/dialect.js';
import type { AppStatus } from '../../hosting/app-status.js';
import { describeCall } from '../call-description.js';
import type { Snapshot } from '../snapshot.js';
import { pageAddress } from './router.js';
import { act, type ConsoleState } from './state.js';
import { byName, Code, Fact, Missing, Table, timeOfDay } from './table.js';

const marks = { pass: 'yes', fail: 'no', unknown: '?' } as const;

/** Every app, whether it runs, and where it is. */
export function AppsPage({ apps, groups, people }: Snapshot) {
  return (
    <>
      <h1>Apps</h1>
      <Table
        caption="Apps of this sandbox"
        empty="No app is declared."
        columns={['App', 'State', 'Replicas', 'Sign-in', 'Address']}
        rows={byName(apps).map((app) => [
          <a href={`#/container-apps/${encodeURIComponent(app.name)}`}>{app.name}</a>,
          <State app={app} />,
          app.replicas,
          policyInWords(app, { groups, people }),
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
  if (snapshot === undefined || app === undefined) {
    const all = <a href="#/container-apps">All apps</a>;
    return <Missing name={name} reason="The sandbox runs no such app." all={all} />;
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
      <p class="lead">{policyInWords(app, snapshot)}</p>
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
      <WhoGetsIn app={app} snapshot={snapshot} />
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
        rows={settings
          .slice(0, 20)
          .map((call) => [
            timeOfDay(call.at),
            <a href={pageAddress('activity', String(call.id))}>{describeCall(call)}</a>,
            call.status,
          ])}
      />
    </>
  );
}

interface AllowedPrincipals {
  readonly groups?: readonly string[];
  readonly identities?: readonly string[];
}

interface AuthSetting {
  readonly globalValidation?: {
    readonly unauthenticatedClientAction?: string;
    readonly excludedPaths?: readonly string[];
  };
  readonly identityProviders?: Readonly<
    Record<
      string,
      {
        readonly validation?: {
          readonly defaultAuthorizationPolicy?: {
            readonly allowedPrincipals?: AllowedPrincipals;
          };
        };
      }
    >
  >;
}

function settingOf({ authSetting }: Snapshot['apps'][number]): AuthSetting {
  return (authSetting ?? {}) as AuthSetting;
}

/** The groups whose members an app lets in. */
export function groupsLetIn(
  app: Snapshot['apps'][number],
  groups: Snapshot['groups'],
): Snapshot['groups'] {
  const ids = principalsLetIn(app).groups ?? [];
  return groups.filter(({ id }) => ids.includes(id));
}

/** The ids of the groups and the people that an app names. */
function principalsLetIn(app: Snapshot['apps'][number]): AllowedPrincipals {
  const { azureActiveDirectory } = settingOf(app).identityProviders ?? {};
  return azureActiveDirectory?.validation?.defaultAuthorizationPolicy?.allowedPrincipals ?? {};
}

/** The policy in a line: `Sign-in required · Shoppers · /healthz public`. */
function policyInWords(
  app: Snapshot['apps'][number],
  { groups, people }: Pick<Snapshot, 'groups' | 'people'>,
): string {
  if (!app.auth) return 'No sign-in · open to everybody';
  const { globalValidation = {} } = settingOf(app);
  const isOpen = globalValidation.unauthenticatedClientAction === 'AllowAnonymous';
  const names = [...groupsLetIn(app, groups), ...peopleLetIn(app, people)].map(({ name }) => name);
  const paths = globalValidation.excludedPaths ?? [];
  return [
    isOpen ? 'Sign-in offered' : 'Sign-in required',
    names.length === 0 ? 'everybody who can sign in' : names.join(', '),
    ...(paths.length === 0 ? [] : [`${paths.join(', ')} public`]),
  ].join(' · ');
}

/** The people whom an app lets in by name. */
function peopleLetIn(app: Snapshot['apps'][number], people: Snapshot['people']) {
  return (principalsLetIn(app).identities ?? []).map((id) => ({
    id,
    name: people.find((person) => person.id === id)?.name ?? id,
  }));
}

/** Who an app lets in: the people of its groups, those that it names, and anyone elsewhere. */
function WhoGetsIn({ app, snapshot }: { app: Snapshot['apps'][number]; snapshot: Snapshot }) {
  if (!app.auth) return null;
  const { identityProviders = {} } = settingOf(app);
  const { azureActiveDirectory, ...others } = identityProviders;
  const named = peopleLetIn(app, snapshot.people);
  const groups = principalsLetIn(app).groups ?? [];
  const isOpen = azureActiveDirectory !== undefined && named.length + groups.length === 0;
  return (
    <>
      <h2>Who gets in</h2>
      <Table
        caption={`Who gets into ${app.name}`}
        empty="Nobody: no provider is declared."
        columns={['By', 'Who']}
        rows={[
          ...groupsLetIn(app, snapshot.groups).map(({ id, name, members }) => [
            <a href={pageAddress('groups', id)}>{name}</a>,
            <Members app={app.name} members={byName(members)} />,
          ]),
          ...(named.length === 0
            ? []
            : [['name', <Members app={app.name} members={byName(named)} />]]),
          ...(isOpen ? [['the directory', <b>everybody who can sign in</b>]] : []),
          ...otherProviders(others).map((provider) => [
            provider,
            <b class="open">anyone with an account there</b>,
          ]),
        ]}
      />
    </>
  );
}

/** The names of providers other than the directory, as castellan.yaml has them. */
function otherProviders({
  customOpenIdConnectProviders = {},
  ...builtIn
}: NonNullable<AuthSetting['identityProviders']>): readonly string[] {
  return [
    ...Object.keys(builtIn).map((key) => neutralProvider(key) ?? key),
    ...Object.keys(customOpenIdConnectProviders),
  ];
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
function Refusals({ app }: { app: Snapshot['apps'][number] }) {
  if (app.refusals.length === 0) return null;
  return (
    <>
      <h2>Sign-ins that were refused</h2>
      <ol class="calls">
        {app.refusals.toReversed().map(({ at, person, personId, chain }) => (
          <li key={`${at} ${person}`}>
            <details>
              <summary>
                <time dateTime={at}>{timeOfDay(at)}</time> <b>{person}</b>
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
function Requests({ app }: { app: Snapshot['apps'][number] }) {
  return (
    <ol class="calls">
      {app.requests.toReversed().map(({ at, method, path, headers }) => (
        <li key={`${at} ${path}`}>
          <details>
            <summary>
              <time dateTime={at}>{timeOfDay(at)}</time> <b>{method}</b>{' '}
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
