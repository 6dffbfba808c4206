import type { ConsoleData } from '../console-data.js';
import { pageAddress } from './router.js';
import { sortedByName, Fact, Host, Links, Missing, Table, TruncationNote } from './elements.js';

/** Every registration of an app at the identity provider. */
export function RegistrationsPage({ registrations, apps, truncatedLists }: ConsoleData) {
  const sorted = sortedByName(registrations);
  return (
    <>
      <h1>Registrations</h1>
      <TruncationNote list="registrations" shown={sorted.length} truncatedLists={truncatedLists} />
      <Table
        caption="Registrations of the directory"
        empty="The directory has no registration."
        columns={['Registration', 'Apps', 'Client id']}
        filterTexts={sorted.map(({ name, appId }) => `${name} ${appId}`)}
        rows={sorted.map(({ name, appId }) => [
          <a href={pageAddress('registrations', appId)}>{name}</a>,
          <Links section="container-apps" names={appsOf(appId, apps).map(({ name }) => name)} />,
          <code>{appId}</code>,
        ])}
      />
    </>
  );
}

/** The apps that sign people in with a registration. */
function appsOf(appId: string, apps: ConsoleData['apps']): ConsoleData['apps'] {
  return sortedByName(apps).filter(({ authSetting }) =>
    JSON.stringify(authSetting ?? {}).includes(appId),
  );
}

/**
 * One registration, and the apps that sign people in with it.
 *
 * @param name its client id, as in links of lists, or its name, as in links of pictures
 */
export function RegistrationPage({
  name,
  consoleData: { registrations, apps, truncatedLists },
}: {
  name: string;
  consoleData: ConsoleData;
}) {
  const registration =
    registrations.find(({ appId }) => appId === name) ??
    registrations.find((each) => each.name === name);
  if (registration === undefined) {
    const all = <a href="#/registrations">All registrations</a>;
    const reason = truncatedLists.includes('registrations')
      ? `It is not among the first ${registrations.length} registrations of the directory.`
      : 'The directory has no such registration.';
    return <Missing name={name} reason={reason} all={all} />;
  }
  const { appId, id, redirectUris, groupClaims } = registration;
  return (
    <>
      <p class="crumb">
        <a href="#/registrations">Registrations</a>
      </p>
      <h1>{registration.name}</h1>
      <dl>
        <Fact name="Client id">
          <code>{appId}</code>
        </Fact>
        <Fact name="Object id">
          <code>{id}</code>
        </Fact>
        <Fact name="Groups in tokens">{groupClaims ?? 'none'}</Fact>
        <Fact name="Redirect addresses">
          {redirectUris.length === 0
            ? 'none'
            : redirectUris.map((uri) => (
                <div key={uri}>
                  <code>{uri}</code>
                </div>
              ))}
        </Fact>
      </dl>
      <h2>Apps that sign people in with it</h2>
      <Table
        caption={`Apps of ${registration.name}`}
        empty="None."
        columns={['App', 'Address']}
        rows={appsOf(appId, apps).map((app) => [
          <a href={pageAddress('container-apps', app.name)}>{app.name}</a>,
          <Host url={app.url} />,
        ])}
      />
    </>
  );
}
