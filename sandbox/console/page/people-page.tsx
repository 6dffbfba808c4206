import { useState } from 'preact/hooks';
import type { Snapshot } from '../snapshot.js';
import { act } from './state.js';
import { pageAddress } from './router.js';
import { byName, Table } from './table.js';

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
    </>
  );
}
