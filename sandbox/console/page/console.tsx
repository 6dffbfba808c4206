import { render } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { ActivityPage } from './activity-page.js';
import { AppPage, AppsPage } from './apps-page.js';
import { BillingPage } from './billing-page.js';
import { FindingsPage } from './findings-page.js';
import { GroupPage, GroupsPage } from './groups-page.js';
import { ItemsPage } from './items-page.js';
import { OverviewPage } from './overview-page.js';
import { PeoplePage } from './people-page.js';
import { type ConsoleState, useConsole } from './state.js';

const pages = [
  ['', 'Overview'],
  ['container-apps', 'Apps'],
  ['groups', 'Groups'],
  ['people', 'People'],
  ['items', 'Items'],
  ['billing', 'Billing'],
  ['findings', 'Findings'],
  ['activity', 'Activity'],
] as const;

/** What the picture's nodes link to, by the page that has it. */
const sameAs: Readonly<Record<string, string>> = {
  eventhouses: 'items',
  eventstreams: 'items',
  workspaces: 'items',
  principals: 'people',
  registrations: '',
  environments: 'container-apps',
};

function Console() {
  const [section = '', name] = usePath();
  const state = useConsole();
  const current = sameAs[section] ?? section;
  const title = pages.find(([path]) => path === current)?.[1] ?? 'Overview';
  useEffect(() => {
    document.title = `${title} – Castellan console`;
  }, [title]);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header>
        <p class="brand">Castellan</p>
        <nav aria-label="Console">
          <ul>
            {pages.map(([path, label]) => (
              <li key={path}>
                <a href={`#/${path}`} aria-current={path === current ? 'page' : undefined}>
                  {label}
                  {path === 'findings' && (
                    <Badge
                      count={
                        state.findings?.filter(
                          ({ verdict, severity }) => verdict === 'fail' && severity !== 'info',
                        ).length
                      }
                    />
                  )}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <p class={state.live ? 'live' : 'live off'} role="status">
          {state.live ? 'live' : 'not connected'}
        </p>
      </header>
      <main id="main" tabIndex={-1}>
        {state.error !== undefined && (
          <p class="error" role="alert">
            {state.error}
          </p>
        )}
        {state.snapshot === undefined ? (
          <p class="loading">Loading…</p>
        ) : (
          <Page section={current} name={name} state={state} />
        )}
      </main>
    </>
  );
}

function Page({
  section,
  name,
  state,
}: {
  section: string;
  name: string | undefined;
  state: ConsoleState;
}) {
  const { snapshot } = state;
  if (snapshot === undefined) return null;
  if (section === 'container-apps')
    return name === undefined ? <AppsPage {...snapshot} /> : <AppPage name={name} state={state} />;
  if (section === 'groups')
    return name === undefined ? (
      <GroupsPage {...snapshot} />
    ) : (
      <GroupPage name={name} {...snapshot} />
    );
  if (section === 'people') return <PeoplePage {...snapshot} refresh={state.refresh} />;
  if (section === 'items') return <ItemsPage items={snapshot.items} calls={state.calls} />;
  if (section === 'billing') return <BillingPage {...snapshot} />;
  if (section === 'findings')
    return <FindingsPage findings={state.findings} refresh={state.refresh} />;
  if (section === 'activity') return <ActivityPage calls={state.calls} />;
  return <OverviewPage snapshot={snapshot} pictures={state.pictures} />;
}

function Badge({ count }: { count: number | undefined }) {
  if (count === undefined || count === 0) return null;
  return (
    <span class="badge">
      {count}
      <span class="hidden"> open</span>
    </span>
  );
}

/** The steps of the address behind `#/`. */
function usePath(): readonly string[] {
  const read = (): readonly string[] =>
    location.hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
  const [path, setPath] = useState(read);
  // At once after the first render: a later listener would miss an address that changes while the
  // page loads.
  useLayoutEffect(() => {
    const changed = (): void => {
      if (location.hash.startsWith('#/') || location.hash === '') setPath(read());
    };
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return path.filter((step, at) => at === 0 || step !== '');
}

const root = document.getElementById('root');
if (root !== null) {
  root.textContent = '';
  render(<Console />, root);
}
