import { useEffect, useState } from 'preact/hooks';
import type { Simulation } from '../../explanation/simulation.js';
import type { ConsoleData } from '../console-data.js';
import { PropertiesForm } from './properties-form.js';
import { pageAddress } from './router.js';
import { sendChange, getJson } from './state.js';
import { sortedByName, Fact, Missing, Table } from './elements.js';

/** One person: the apps and why, the groups, and a form that changes properties. */
export function PersonPage({
  name,
  consoleData: { people, groups, apps, truncatedLists },
  refresh,
}: {
  name: string;
  consoleData: ConsoleData;
  refresh: () => void;
}) {
  const [error, setError] = useState<string>();
  const person =
    people.find(({ id }) => id === name) ??
    people.find(({ userPrincipalName }) => userPrincipalName.split('@')[0] === name);
  if (person === undefined) {
    const allPeople = <a href="#/people">All people</a>;
    const reason = truncatedLists.includes('people')
      ? `It is not among the first ${people.length} people of the directory.`
      : 'The directory has no such person.';
    return <Missing name={name} reason={reason} all={allPeople} />;
  }
  const { id } = person;
  const remove = async (): Promise<void> => {
    if (!confirm(`Delete ${person.name}?`)) return;
    const reason = await sendChange(`api/people/${id}`, {}, 'DELETE');
    if (reason !== undefined) return setError(reason);
    location.hash = '#/people';
    refresh();
  };
  const groupsWith = (relation: 'members' | 'owners') =>
    sortedByName(groups.filter((group) => group[relation].some((each) => each.id === id)));
  return (
    <>
      <p class="crumb">
        <a href="#/people">People</a>
      </p>
      <h1>{person.name}</h1>
      <dl>
        <Fact name="User principal name">{person.userPrincipalName}</Fact>
        <Fact name="Department">{person.department ?? 'not set'}</Fact>
        <Fact name="Account">{person.enabled ? 'enabled' : 'disabled'}</Fact>
        <Fact name="Object id">
          <code>{id}</code>
        </Fact>
      </dl>
      <h2>Apps</h2>
      <Table
        caption={`Apps and ${person.name}`}
        empty="No app is declared."
        columns={['App', 'Gets in']}
        rows={sortedByName(apps).map((app) => [
          <a href={pageAddress('container-apps', app.name)}>{app.name}</a>,
          <AccessAnswer app={app.name} person={id} people={people} />,
        ])}
      />
      <h2>Member of</h2>
      <Table
        caption="Member of"
        empty="No group."
        columns={['Group', 'By']}
        rows={groupsWith('members').map(({ id, name, rule }) => [
          <a href={pageAddress('groups', id)}>{name}</a>,
          rule === undefined ? 'name' : <code>{rule}</code>,
        ])}
      />
      <h2>Owner of</h2>
      <Table
        caption="Owner of"
        empty="No group."
        columns={['Group']}
        rows={groupsWith('owners').map(({ id, name }) => [
          <a href={pageAddress('groups', id)}>{name}</a>,
        ])}
      />
      <h2>Change</h2>
      <PropertiesForm person={person} refresh={refresh} />
      <h2>Delete</h2>
      <p class="actions">
        <button type="button" class="quiet danger" onClick={() => void remove()}>
          Delete {person.name}
        </button>
        <span role="status">{error}</span>
      </p>
    </>
  );
}

/** Whether an app lets a person in, with the reason, as a link to the steps. */
function AccessAnswer({
  app,
  person,
  people,
}: {
  app: string;
  person: string;
  people: ConsoleData['people'];
}) {
  const [answer, setAnswer] = useState<Simulation>();
  useEffect(() => {
    let isLatest = true; // an answer before a change may arrive after that to this question
    const keep = (value: Simulation | undefined): void => {
      if (isLatest) setAnswer(value);
    };
    const query = new URLSearchParams({ app, person }).toString();
    getJson<Simulation>(`api/simulation?${query}`).then(keep, () => keep(undefined));
    return () => {
      isLatest = false;
    };
  }, [app, person, people]);
  if (answer === undefined) return <span class="note">…</span>;
  const { allowed, sentence } = answer;
  return (
    <a class="entry" href={pageAddress('simulator', app, { person })}>
      <b class={allowed === true ? 'state running' : 'state failed'}>
        {allowed === true ? 'yes' : allowed === false ? 'no' : 'not known'}
      </b>
      : {sentence}
    </a>
  );
}
