import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { ActivityPage } from './activity-page.js';
import { AppPage, AppsPage } from './apps-page.js';
import { BillingPage } from './billing-page.js';
import { FindingsPage } from './findings-page.js';
import { GroupPage, GroupsPage } from './groups-page.js';
import { ItemPage } from './item-page.js';
import { ItemsPage, WorkspacePage } from './items-page.js';
import { Navigation } from './navigation.js';
import { OverviewPage } from './overview-page.js';
import { PeoplePage } from './people-page.js';
import { PersonPage } from './person-page.js';
import { RegistrationPage, RegistrationsPage } from './registrations-page.js';
import type { Route } from './route.js';
import { useRoute } from './router.js';
import { SimulatorPage } from './simulator-page.js';
import { LogsPage } from './logs-page.js';
import { TracePage, TracesPage } from './traces-page.js';
import { type ConsoleState, useConsoleState } from './state.js';

/** The sections that pictures link to, and the sections whose pages show their objects. */
const sectionAliases: Readonly<Record<string, string>> = {
  eventhouses: 'items',
  eventstreams: 'items',
  workspaces: 'items',
  principals: 'people',
  environments: 'container-apps',
};

/** The titles of the pages, by section. */
const titles: Readonly<Record<string, string>> = {
  '': 'Overview',
  simulator: 'Simulator',
  'container-apps': 'Apps',
  groups: 'Groups',
  people: 'People',
  registrations: 'Registrations',
  items: 'Items',
  billing: 'Billing',
  findings: 'Findings',
  activity: 'Activity',
  traces: 'Requests',
  logs: 'Logs',
};

function Console() {
  const route = useRoute();
  const state = useConsoleState();
  const section = sectionAliases[route.section] ?? route.section;
  const title = titles[section] ?? 'Not found';
  useEffect(() => {
    document.title = `${route.name ?? title} – Castellan console`;
  }, [title, route.name]);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Navigation section={section} title={title} state={state} />
      <main id="main" tabIndex={-1}>
        {state.error !== undefined && (
          <p class="error" role="alert">
            {state.error}
          </p>
        )}
        {state.consoleData === undefined ? (
          <Loading />
        ) : (
          <Page section={section} route={route} state={state} />
        )}
      </main>
    </>
  );
}

/** Shown until the first data has arrived. */
function Loading() {
  return (
    <div class="skeleton" role="status">
      <span class="hidden">Loading…</span>
      <i />
      <i />
      <i />
    </div>
  );
}

/** The page of a route. Pages of objects have a key: another object's has a state of its own. */
function Page({ section, route, state }: { section: string; route: Route; state: ConsoleState }) {
  const { consoleData } = state;
  const { name } = route;
  if (consoleData === undefined) return null;
  if (section === '') return <OverviewPage consoleData={consoleData} pictures={state.pictures} />;
  if (section === 'simulator')
    return <SimulatorPage route={route} consoleData={consoleData} refresh={state.refresh} />;
  if (section === 'container-apps')
    return name === undefined ? (
      <AppsPage {...consoleData} />
    ) : (
      <AppPage key={name} name={name} state={state} />
    );
  if (section === 'groups')
    return name === undefined ? (
      <GroupsPage {...consoleData} />
    ) : (
      <GroupPage name={name} {...consoleData} />
    );
  if (section === 'people')
    return name === undefined ? (
      <PeoplePage {...consoleData} refresh={state.refresh} />
    ) : (
      <PersonPage key={name} name={name} consoleData={consoleData} refresh={state.refresh} />
    );
  if (section === 'registrations')
    return name === undefined ? (
      <RegistrationsPage {...consoleData} />
    ) : (
      <RegistrationPage name={name} consoleData={consoleData} />
    );
  if (section === 'items')
    return name === undefined ? (
      <ItemsPage {...consoleData} calls={state.calls} />
    ) : route.section === 'workspaces' ? (
      <WorkspacePage name={name} items={consoleData.items} />
    ) : (
      <ItemPage section={route.section} name={name} consoleData={consoleData} calls={state.calls} />
    );
  if (section === 'billing') return <BillingPage {...consoleData} />;
  if (section === 'findings')
    return <FindingsPage findings={state.findings} refresh={state.refresh} />;
  if (section === 'activity')
    return (
      <ActivityPage calls={state.calls} consoleData={consoleData} name={name} query={route.query} />
    );
  if (section === 'traces')
    return name === undefined ? (
      <TracesPage spanUpdates={state.spanUpdates} people={consoleData.people} />
    ) : (
      <TracePage key={name} id={name} spanUpdates={state.spanUpdates} consoleData={consoleData} />
    );
  if (section === 'logs') return <LogsPage name={name} consoleData={consoleData} />;
  return (
    <>
      <h1>There is no such page</h1>
      <p class="empty">
        The console has nothing at <code>{location.hash}</code>. <a href="#/">To the overview</a>
      </p>
    </>
  );
}

const root = document.getElementById('root');
if (root !== null) {
  root.textContent = '';
  render(<Console />, root);
}
