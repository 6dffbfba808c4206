import { useState } from 'preact/hooks';
import type { ConsoleData } from '../console-data.js';
import { sendChange } from './state.js';
import { pageAddress } from './router.js';
import { sortedByName, Table, TruncationNote } from './elements.js';

/** Who can sign in, with a form that adds a person. */
export function PeoplePage({
  groups,
  truncatedLists,
  refresh,
  ...consoleData
}: ConsoleData & { refresh: () => void }) {
  const people = sortedByName(consoleData.people);
  const [result, setResult] = useState<string>();
  const add = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = Object.fromEntries(new FormData(form)) as Record<string, string>;
    const error = await sendChange('api/people', fields);
    setResult(error ?? `${fields['displayName']} can sign in now.`);
    if (error !== undefined) return;
    form.reset();
    refresh();
  };
  return (
    <>
      <h1>People</h1>
      <details class="add">
        <summary>Add a person</summary>
        <form class="fields" onSubmit={(event) => void add(event)}>
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
          <label>
            Job title
            <input name="jobTitle" autoComplete="off" />
          </label>
          <label>
            Country
            <input name="country" autoComplete="off" />
          </label>
          <label>
            User type
            <select name="userType">
              <option>Member</option>
              <option>Guest</option>
            </select>
          </label>
          <p class="actions">
            <button type="submit">Add</button>
            <span role="status">{result}</span>
          </p>
        </form>
      </details>
      <TruncationNote list="people" shown={people.length} truncatedLists={truncatedLists} />
      <Table
        caption="People of the directory"
        empty="The directory has no person. Add one, or start the sandbox with a seed."
        columns={['Person', 'User principal name', 'Department', 'Member of', 'Account']}
        filterTexts={people.map((each) =>
          [each.name, each.userPrincipalName, each.department].join(' '),
        )}
        rows={people.map(({ id, name, userPrincipalName, department, enabled }) => [
          <a href={pageAddress('people', id)}>{name}</a>,
          userPrincipalName,
          department ?? '',
          membershipText(id, groups),
          enabled ? 'enabled' : <b class="caution">disabled</b>,
        ])}
      />
    </>
  );
}

/** The names of a person's groups; their number if there are more than two. */
function membershipText(id: string, groups: ConsoleData['groups']): string {
  const groupsOfPerson = sortedByName(
    groups.filter(({ members }) => members.some((each) => each.id === id)),
  );
  if (groupsOfPerson.length > 2) return `${groupsOfPerson.length} groups`;
  return groupsOfPerson.map(({ name }) => name).join(', ');
}
