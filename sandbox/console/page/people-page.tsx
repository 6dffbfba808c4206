import { useEffect, useState } from 'preact/hooks';
import type { Simulation } from '../../explanation/simulate.js';
import type { Snapshot } from '../snapshot.js';
import { act, getJson } from './state.js';
import { pageAddress } from './router.js';
import { byName, Fact, Missing, Table } from './table.js';

/** Who can sign in, with a form that adds a person. */
export function PeoplePage({ people, refresh }: Snapshot & { refresh: () => void }) {
  const [result, setResult] = useState<string>();
  const add = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const given = Object.fromEntries(new FormData(form)) as Record<string, string>;
    const refused = await act('api/people', given);
    setResult(refused ?? `${given['displayName']} can sign in now.`);
    if (refused !== undefined) return;
    form.reset();
    refresh();
  };
  return (
    <>
      <h1>People</h1>
      <Table
        caption="People of the directory"
        empty="The directory has no person. Add one below, or start the sandbox with a seed."
        columns={['Person', 'User principal name', 'Department', 'Account']}
        rows={byName(people).map(({ id, name, userPrincipalName, department, enabled }) => [
          <a href={pageAddress('people', id)}>{name}</a>,
          userPrincipalName,
          department ?? 'none',
          enabled ? 'enabled' : 'disabled',
        ])}
      />
      <h2>Add a person</h2>
      <form onSubmit={(event) => void add(event)}>
        <label>
          Name
          <input name="displayName" required autoComplete="off" />
        </label>
        <label>
          User principal name
          <input
            name="userPrincipalName"
            type="email"
            required
            placeholder="ada@contoso.example"
            autoComplete="off"
          />
        </label>
        <label>
          Department
          <input name="department" autoComplete="off" />
        </label>
        <button type="submit">Add</button>
        <p role="status">{result}</p>
      </form>
    </>
  );
}

/** One person: the groups, the apps and why, and what can be changed. */
export function PersonPage({
  name,
  snapshot: { people, groups, apps },
  refresh,
}: {
  name: string;
  snapshot: Snapshot;
  refresh: () => void;
}) {
  const [result, setResult] = useState<string>();
  const person =
    people.find(({ id }) => id === name) ??
    people.find(({ userPrincipalName }) => userPrincipalName.split('@')[0] === name);
  if (person === undefined) {
    const all = <a href="#/people">All people</a>;
    return <Missing name={name} reason="The directory has no such person." all={all} />;
  }
  const { id, department } = person;
  const change = async (changes: object): Promise<void> => {
    setResult((await act(`api/people/${id}`, changes, 'PATCH')) ?? 'Changed.');
    refresh();
  };
  const remove = async (): Promise<void> => {
    if (!confirm(`Delete ${person.name}?`)) return;
    const refused = await act(`api/people/${id}`, {}, 'DELETE');
    if (refused !== undefined) return setResult(refused);
    location.hash = '#/people';
    refresh();
  };
  const within = (relation: 'members' | 'owners') =>
    byName(groups.filter((group) => group[relation].some((each) => each.id === id)));
  return (
    <>
      <p class="crumb">
        <a href="#/people">People</a>
      </p>
      <h1>{person.name}</h1>
      <dl>
        <Fact name="User principal name">{person.userPrincipalName}</Fact>
        <Fact name="Department">{department ?? 'not set'}</Fact>
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
        rows={byName(apps).map((app) => [
          <a href={pageAddress('container-apps', app.name)}>{app.name}</a>,
          <Entry app={app.name} person={id} people={people} />,
        ])}
      />
      {(['members', 'owners'] as const).map((relation) => (
        <section key={relation}>
          <h2>{relation === 'members' ? 'Member of' : 'Owner of'}</h2>
          <Table
            caption={relation === 'members' ? 'Member of' : 'Owner of'}
            empty="No group."
            columns={['Group', 'By']}
            rows={within(relation).map((group) => [
              <a href={pageAddress('groups', group.id)}>{group.name}</a>,
              relation === 'members' && group.rule !== undefined ? group.rule : 'name',
            ])}
          />
        </section>
      ))}
      <h2>Change</h2>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void change(Object.fromEntries(new FormData(event.currentTarget)));
        }}
      >
        <label>
          Department
          <input name="department" defaultValue={department ?? ''} autoComplete="off" />
        </label>
        <button type="submit">Save</button>
        <button
          type="button"
          class="quiet"
          onClick={() => void change({ accountEnabled: !person.enabled })}
        >
          {person.enabled ? 'Disable the account' : 'Enable the account'}
        </button>
        <button type="button" class="quiet danger" onClick={() => void remove()}>
          Delete
        </button>
        <span role="status">{result}</span>
      </form>
    </>
  );
}

/** Whether an app lets a person in, with the reason and the way to its steps. */
function Entry({
  app,
  person,
  people,
}: {
  app: string;
  person: string;
  people: Snapshot['people'];
}) {
  const [answer, setAnswer] = useState<Simulation>();
  useEffect(() => {
    const query = new URLSearchParams({ app, person }).toString();
    getJson<Simulation>(`api/simulation?${query}`).then(setAnswer, () => setAnswer(undefined));
  }, [app, person, people]);
  if (answer === undefined) return <span class="note">…</span>;
  const { allowed, sentence } = answer;
  return (
    <a
      class={allowed === true ? 'state running' : 'state failed'}
      href={pageAddress('simulator', app, { person })}
    >
      {allowed === true ? 'yes' : allowed === false ? 'no' : 'not known'}: {sentence}
    </a>
  );
}
